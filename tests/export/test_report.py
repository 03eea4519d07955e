"""A report: what it is about, what stands in it, that it stands alone, and that it is written whole or not at all."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from fake_records import effective, proof, trial
from hand_made import RELU, layer

from workbench.core.accuracy import AccuracyMeter
from workbench.core.config import Config
from workbench.core.latency import summarize
from workbench.core.trial import FixState, Kernel, ModelFacts, Samples, TensorRange, Trial
from workbench.errors import UserError
from workbench.export import report_facts as facts
from workbench.export.report import write
from workbench.study.ladder import Step, ladders
from workbench.study.store import Store

EVIL = "<script>alert(1)</script> & 零件"
LAYERS = [
    layer("conv1", "conv2d", "input:image"), layer("relu1", "relu", "conv1:out", clamp=RELU),
    layer("fc", "linear", "relu1:out"),
]  # fmt: skip
KERNELS = [
    Kernel(layer=name, op="convolution", kernel="brgconv", dtype="int8", ms=0.1 * n)
    for n, name in enumerate(("conv1", "fc"), 1)
]


class Page(HTMLParser):
    """What a test asks of a page: texts by the id of what they are in, tables, pictures, addresses."""

    VOID = ("meta", "img", "br", "link")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.tags: set[str] = set()
        self.texts: dict[str, str] = {}
        self.rows: dict[str, list[list[str]]] = {}
        self.pictures: dict[str, dict[str, str | None]] = {}
        self.addresses: list[str] = []
        self.language = ""
        self.feed(text)
        self.close()
        assert not self.open, "every element is closed"

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.add(tag)
        self.addresses += [value for name, value in attrs if name in ("src", "href", "srcset", "action")]
        if tag == "html":
            self.language = given["lang"]
        if tag == "img":
            self.pictures[self.open[-1][1]] = given
        if tag in self.VOID:
            return
        self.open.append((tag, given.get("id") or ""))
        table = self._inside("table")
        if table is not None and tag == "tr":
            self.rows.setdefault(table, []).append([])
        if table is not None and tag in ("td", "th"):
            self.rows[table][-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        for tag, name in self.open[-4:]:
            self.texts[name or tag] = self.texts.get(name or tag, "") + data
        table = self._inside("table")
        if table is not None and self.rows.get(table) and self.rows[table][-1]:
            self.rows[table][-1][-1] += data.strip()

    def _inside(self, tag: str) -> str | None:
        return next((name for known, name in reversed(self.open) if known == tag), None)

    def svg(self, name: str) -> str:
        head, _, data = str(self.pictures[name]["src"]).partition(",")
        assert head == "data:image/svg+xml;base64"
        return base64.b64decode(data).decode("utf-8")


def bursts(median_ms: float) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    return [(rng.lognormal(np.log(median_ms), 0.05, 25) * 1e6).astype(np.int64) for _ in range(6)]


def compared(good: int = 9) -> AccuracyMeter:
    meter = AccuracyMeter()
    for number in range(10):
        scores = np.array([[1.0, 3.0, 0.5]])
        moved = scores if number < good else scores + np.array([[0.0, 0.0, 0.3]])
        meter.add(f"{number}.png", [("scores", scores), ("boxes", scores)], [("scores", moved), ("boxes", scores)])
    return meter


def add(store: Store, median_ms: float = 8.0, knobs: dict | None = None, **changes) -> Trial:
    config = Config(knobs or {})
    runs = bursts(median_ms)
    fields = {
        "status": "ok", "reason": "", "warnings": [], "config": config.to_dict(), "fixes": [], "tensors": [],
        "latency": summarize(runs, [], []), "layers": LAYERS, "accuracy": compared().result(),
        "effective": effective(), "proof": proof(expected_int8=0, kernels=[], missing=[], kept={}),
        "host": {"cpu": {"model": "Xeon E3 <v5>", "isa": ["avx2"], "physical_cores": 4, "logical_cpus": 8}},
    }  # fmt: skip
    kept = Samples(warmup=b"", bursts=[run.tobytes() for run in runs], after_gap=b"")
    return store.add(trial(**{**fields, **changes}), kept)


def add_int8(store: Store, median_ms: float = 2.0, **changes) -> Trial:
    config = Config({"precision": "int8"}).with_fix("relu1:out", (0.0, 6.0)).with_layer("fc", "fp32")
    fields = {
        "config": config.to_dict(),
        "fixes": [FixState(tensor="relu1:out", state="applied", scale=6 / 255, zero_point=0, acts_on="relu1:out")],
        "tensors": [TensorRange(tensor="relu1:out", min=0.0, max=6.0, scale=6 / 255, zero_point=0)],
        "proof": proof(expected_int8=2, int8_kernels=2, kernels=KERNELS, missing=[], kept={}, reference_kernels=0),
        **changes,
    }  # fmt: skip
    return add(store, median_ms, **fields)


@pytest.fixture
def store(tmp_path):
    store = Store(str(tmp_path / "s.sqlite"))
    yield store
    store.close()


DRIFT = "The first rung again, at the end: 1.50 times its time (95 % interval 1.20 to 1.80)."


@pytest.fixture
def full(store):
    """A study with a baseline, a ladder, and a trial in INT8 with fixes."""
    model = ModelFacts(path="/m.pt", format="torchscript", sha256="ab" * 32, name=EVIL)
    first, second = add(store, 8.0, model=model), add_int8(store, 2.0, model=model)
    given = [
        ("naive", first.id, "start", 1.0, ""), ("INT8, IPEX", second.id, "faster", 4.0, ""),
        ("BF16, IPEX", None, "skipped", None, "no BF16 here"),
    ]  # fmt: skip
    steps = [
        {"name": name, "config_changes": {}, "trial": number, "verdict": verdict, "speedup_vs_first": speed,
         "speedup_vs_previous": speed, "ci95": None, "reason": reason}
        for name, number, verdict, speed, reason in given
    ]  # fmt: skip
    drift = {"ratio": 1.5, "ci95": (1.2, 1.8), "drifted": True, "text": DRIFT, "trial": first.id}
    store.put_series("ladder", {"created": first.created, "steps": steps, "drift": drift})
    assert isinstance(ladders(store)[0].steps[0], Step)
    return store


def page_of(store: Store, folder, **options) -> tuple[Page, str]:
    out = folder / "report.html"
    write(store, out, **options)
    text = out.read_text("utf-8")
    return Page(text), text


def test_the_page_tells_all_that_is_needed_to_believe_and_repeat_it(full, tmp_path):
    page, text = page_of(full, tmp_path, trial=2)
    assert page.language == "en"
    titles = re.findall("<h2>(.*?)</h2>", text)
    assert titles == [
        "Latency, before and now", "What each step bought", "Accuracy", "What was measured, and where", "Layers",
        "Settings", "To do it again",
    ]  # fmt: skip
    assert "4.0" in page.texts["b"] and "as fast as plain FP32" in text
    median = next(row for row in page.rows["latency"] if row[0].startswith("median"))
    assert median[1:] == ["7.99", "2.00", "4.00×"]
    assert Config.from_toml(page.texts["config"]) == Config.from_dict(full.trial(2).config)
    assert page.texts["measure"] == "workbench measure /m.pt --config config.toml --runs 150"
    assert f"--study {full.place} --trial 2" in page.texts["export"]
    assert [row[0] for row in page.rows["outputs"]] == ["output", "scores", "boxes"]
    assert page.rows["items"][1][0] == "9.png"


def test_layers_are_listed_with_what_was_set_by_hand(full, tmp_path):
    page, _ = page_of(full, tmp_path, trial=2)
    head, *rows = page.rows["layers"]
    assert head == ["layer", "operator", "ran as", "kernel", "ms", "share", "range", "remarks"]
    assert [row[:4] for row in rows] == [
        ["conv1 + relu1", "conv2d", "INT8", "brgconv"], ["fc", "linear", "INT8", "brgconv"]
    ]  # fmt: skip
    assert rows[0][-2:] == ["0 … 6", "range fixed by hand"] and "kept in FP32" in rows[1][-1]
    assert page.rows["fixes"][1:] == [
        ["relu1:out", "0 … 6", "applied, scale 0.02353, zero point 0"], ["fc", "FP32", "ran in INT8"]
    ]  # fmt: skip


def test_it_stands_alone_and_says_names_as_they_are(full, tmp_path):
    page, text = page_of(full, tmp_path, trial=2)
    assert page.tags.isdisjoint({"script", "link", "iframe", "object"}) and "&lt;script&gt;" in text
    assert EVIL.rpartition("/")[2] in page.texts["h1"]
    assert page.addresses and all(address.startswith("data:image/") for address in page.addresses)
    assert all(found.startswith("data:font/") for found in re.findall(r"url\(([^)]*)", text))
    assert not re.search("https?://|@import", re.sub("base64,[^\"')]*", "", text))
    assert "font/woff" in text, "letters of the name that are no Latin come along"


@pytest.mark.parametrize("name", ["histogram", "waterfall"])
def test_figures_are_pictures_with_a_description(full, tmp_path, name):
    page, _ = page_of(full, tmp_path, trial=2)
    assert page.pictures[name]["alt"]
    svg = page.svg(name)
    assert svg.startswith("<svg") and svg.count("<path") > 10
    assert set(re.findall(r'"(https?://[^"]*)"', svg)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


@pytest.mark.parametrize(("language", "told"), [("en", DRIFT), ("zh_CN", "1.50 倍")])
def test_how_the_machine_has_drifted_stands_below_the_ladder(full, store, tmp_path, language, told):
    _, text = page_of(full, tmp_path, trial=2, language=language)
    assert told in text[text.index('id="waterfall"') :] and DRIFT[:20] not in text.replace(told, "")


def test_in_chinese_nothing_is_left_in_english(full, tmp_path):
    page, text = page_of(full, tmp_path, trial=2, language="zh_CN")
    assert page.language == "zh-CN"
    assert re.findall("<h2>(.*?)</h2>", text)[0] == "延迟：优化前与现在" and "推理性能报告" in page.texts["title"]
    known = r"INT8|FP32|SHA-256|SQNR|dB|MB|ms|[pP]\d\d|CPU|BF16|IPEX|OpenMP|Python|config\.toml"
    for name in ("h2", "h3", "th", "figcaption"):
        assert not re.search("[A-Za-z]{2}", re.sub(known, "", page.texts[name])), page.texts[name]
    assert "@font-face" in text and "data:font/woff" in text


def test_without_baseline_ladder_data_or_layers_it_says_so(store, tmp_path):
    add_int8(store, accuracy=None, layers=[], proof=None, effective=None, host={}, fixes=[], tensors=[])
    page, text = page_of(store, tmp_path)
    assert "no trial in plain FP32" in text and "Accuracy is unknown" in text
    assert "layers" not in page.rows and list(page.pictures) == ["histogram"]
    assert all(len(row) == 2 for row in page.rows["latency"])


def test_a_trial_without_samples_has_no_histogram(store, tmp_path):
    config = Config().to_dict()
    store.add(trial(status="ok", reason="", config=config, layers=[], latency=summarize([], [], [])), None)
    page, _ = page_of(store, tmp_path)
    assert not page.pictures


# -- which trials -----------------------------------------------------------------------------------


def test_the_best_trial_is_starred_or_the_fastest_that_is_right(store, tmp_path):
    slow = add(store, 8.0)
    wrong = add_int8(store, 1.0, accuracy=compared(good=0).result())
    right = add_int8(store, 2.0)
    meter = AccuracyMeter()
    meter.add("a", [("scores", np.array([1.0, 0.0]))], [("scores", np.array([0.0, 1.0]))])
    far = add_int8(store, 0.5, accuracy=meter.result())
    assert wrong.accuracy.cosine_mean > 0.97 > far.accuracy.cosine_mean
    trials = store.trials()
    assert facts.chosen(trials, []).id == wrong.id
    assert facts.chosen([slow, far, right], []).id == right.id
    assert facts.chosen([far], []).id == far.id
    assert facts.chosen(trials, [slow.id, far.id]).id == far.id
    assert write(store, tmp_path / "r.html", trial=slow.id).id == slow.id


def test_it_is_held_against_fp32_as_it_comes(store):
    naive = add(store, 20.0, {"runtime.onednn": False, "runtime.threads": -1})
    plain = add(store, 8.0)
    again = add(store, 8.1)
    tuned = add(store, 6.0, {"graph.mode": "frozen"})
    elsewhere = add(store, 3.0, host={"cpu": {"model": "another"}})
    batch = add(store, 30.0, {"run.batch": 8})
    int8 = add_int8(store)
    trials = [naive, plain, tuned, elsewhere, batch, int8]
    assert facts.plain(trials, int8) is plain
    assert facts.plain([*trials, again], int8) is again
    assert facts.plain([naive, tuned], int8) is naive
    assert facts.plain([tuned, elsewhere, batch], int8) is None


# -- what is refused --------------------------------------------------------------------------------


def test_a_study_without_a_good_trial_is_refused(store, tmp_path):
    with pytest.raises(UserError, match="no trial to report on"):
        write(store, tmp_path / "r.html")
    bad = store.add(trial(status="failed", reason="it crashed", latency=None), None)
    with pytest.raises(UserError, match="None of 1 trials is ok"):
        write(store, tmp_path / "r.html")
    with pytest.raises(UserError, match="never timed"):
        write(store, tmp_path / "r.html", trial=bad.id)
    with pytest.raises(UserError, match="no trial 9"):
        write(store, tmp_path / "r.html", trial=9)
    assert not (tmp_path / "r.html").exists()


def test_nothing_half_written_is_left(full, tmp_path):
    with pytest.raises(UserError, match="could not be written"):
        write(full, tmp_path / "nowhere" / "r.html", trial=2)
    folder = tmp_path / "taken"
    folder.mkdir()
    (folder / "file").touch()
    with pytest.raises(UserError, match="could not be written"):
        write(full, folder, trial=2)
    with pytest.raises(UserError, match="language 'de'"):
        write(full, tmp_path / "r.html", language="de")
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".html" or path.name.startswith(".")]
