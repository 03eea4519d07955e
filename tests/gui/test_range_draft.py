"""A range in the editor before it is applied."""

from workbench.core.fix_states import Standing
from workbench.gui.range_draft import Draft

FREE = Standing(name="relu:out", acts_on="relu:out")
FIXED = Standing(name="relu:out", low=None, high=2.0, state="applied", acts_on="relu:out")


def test_it_starts_as_the_config_says() -> None:
    draft = Draft.of(FREE, (-1.0, 5.0))
    assert (draft.low, draft.high, draft.fix(), draft.changed) == (-1.0, 5.0, (None, None), False)
    draft = Draft.of(FIXED, (-1.0, 5.0))
    assert (draft.low, draft.high, draft.fix(), draft.changed) == (-1.0, 2.0, (None, 2.0), False)


def test_only_the_end_that_moved_is_fixed() -> None:
    draft = Draft.of(FREE, (-1.0, 5.0))
    draft.move(-1.0, 3.00000049)
    assert draft.fix() == (None, 3.0) and draft.changed
    draft.move(-0.5, 3.0)
    assert draft.fix() == (-0.5, 3.0)


def test_an_end_that_is_let_go_is_where_calibration_puts_it() -> None:
    draft = Draft.of(FIXED, (-1.0, 5.0))
    draft.hold_high(False)
    assert (draft.high, draft.fix(), draft.changed) == (5.0, (None, None), True)
    draft.hold_low(True)
    draft.recalibrate((-2.0, 6.0))
    assert (draft.low, draft.high) == (-1.0, 6.0)


def test_the_same_fix_may_get_another_state() -> None:
    draft = Draft.of(FIXED, (-1.0, 5.0))
    assert draft.stands(Standing(name="relu:out", high=2.0, state="pending"))
    assert not draft.stands(Standing(name="relu:out", high=2.5, state="pending")) and not draft.stands(FREE)
