from __future__ import annotations

import os
import time

import fakehost
import msgspec
import pytest

from workbench.host.noise import NoiseSnapshot, difference, noise_warnings, snapshot, warnings_before

QUIET = NoiseSnapshot(
    time_s=100.0,
    cpus=(0, 1),
    governor="performance",
    driver="intel_pstate",
    mhz={0: 3000.0, 1: 2900.0},
    no_turbo=False,
    thermal_throttles=5,
    quota_throttles=7,
    quota_throttled_ms=70.0,
    voluntary_switches=10,
    involuntary_switches=10,
    load_average=(0.1, 0.1, 0.1),
    steal_s=1.0,
    busy_s=50.0,
    own_cpu_s={42: 20.0},
)


def later(**changes):
    normal = {"time_s": 110.0, "busy_s": 69.0, "own_cpu_s": {42: 39.0}}
    return msgspec.structs.replace(QUIET, **{**normal, **changes})


def test_quiet_machine_says_nothing():
    assert noise_warnings(QUIET, later()) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"quota_throttles": 10, "quota_throttled_ms": 190.0}, "stopped this process 3 times (120 ms); P99"),
        ({"thermal_throttles": 6}, "because of heat (1 "),
        ({"mhz": {0: 2760.0, 1: 2700.0}}, "CPU frequency fell 8%"),
        ({"busy_s": 80.0}, "Other processes kept 1.1 of 2 usable CPUs busy"),
        ({"steal_s": 2.0}, "5.0% of these CPUs' time"),
        ({"involuntary_switches": 2010}, "off its core 200 times a second"),
        ({"governor": "schedutil"}, "changed from performance to schedutil"),
        ({"no_turbo": True}, "Turbo was switched"),
    ],
)
def test_each_disturbance_is_named(changes, words):
    said = noise_warnings(QUIET, later(**changes))
    assert len(said) == 1
    assert words in said[0]


def test_powersave_is_worded_by_driver():
    slow = {"governor": "powersave", "driver": "acpi-cpufreq"}
    (said,) = noise_warnings(msgspec.structs.replace(QUIET, **slow), later(**slow))
    assert "lowest clock" in said
    slow["driver"] = "intel_pstate"
    (said,) = noise_warnings(msgspec.structs.replace(QUIET, **slow), later(**slow))
    assert "rises only under load" in said


def test_rising_clock_is_no_disturbance():
    assert noise_warnings(QUIET, later(mhz={0: 3600.0, 1: 3600.0})) == []


def test_measured_process_that_ended_is_not_blamed_on_others():
    change = difference(QUIET, later(own_cpu_s={}))
    assert change.others_cores is None


def test_load_average_speaks_where_times_are_unknown():
    before = msgspec.structs.replace(QUIET, busy_s=None, load_average=(3.0, 1.0, 1.0))
    assert "load average 3.0" in noise_warnings(before, later(busy_s=None))[0]


def test_unknown_everywhere_is_quiet():
    bare = NoiseSnapshot(time_s=1.0)
    assert noise_warnings(bare, bare) == []
    assert difference(bare, bare).clock_change is None


def test_counters_are_read_from_files(tmp_path):
    fakehost.smt_server(tmp_path)
    fakehost.affinity(tmp_path, "0-1")
    base = "sys/devices/system/cpu"
    for number, governor in ((0, "powersave"), (1, "performance")):
        fakehost.write(tmp_path, f"{base}/cpu{number}/cpufreq/scaling_governor", governor)
        fakehost.write(tmp_path, f"{base}/cpu{number}/cpufreq/scaling_cur_freq", 2_000_000 + number)
        fakehost.write(tmp_path, f"{base}/cpu{number}/thermal_throttle/core_throttle_count", 2)
        fakehost.write(tmp_path, f"{base}/cpu{number}/thermal_throttle/package_throttle_count", 9)
    fakehost.write(tmp_path, f"{base}/cpufreq/boost", 0)
    fakehost.write(tmp_path, "proc/loadavg", "0.50 0.40 0.30 1/200 999")
    hertz = os.sysconf("SC_CLK_TCK")
    line = f"{hertz} 0 {hertz} 900 5 0 {hertz} {2 * hertz} 0 0"
    fakehost.write(tmp_path, "proc/stat", f"cpu 1 2 3\ncpu0 {line}\ncpu1 {line}\ncpu2 {line}\nintr 5")
    fakehost.write(tmp_path, "proc/77/stat", f"77 (a) b) S {' '.join(['0'] * 10)} {hertz} {hertz} 0")
    fakehost.write(tmp_path, "proc/77/task/77/status", "voluntary_ctxt_switches:\t3\nnonvoluntary_ctxt_switches:\t4")
    fakehost.write(tmp_path, "proc/77/task/78/status", "voluntary_ctxt_switches:\t1\nnonvoluntary_ctxt_switches:\t1")
    shot = snapshot(tmp_path, pids=[77, 78])
    assert shot.cpus == (0, 1)
    assert shot.governor == "performance+powersave"
    assert shot.mhz == {0: 2000.0, 1: 2000.001}
    assert shot.thermal_throttles == 13
    assert shot.no_turbo is True
    assert shot.load_average == (0.5, 0.4, 0.3)
    assert (shot.busy_s, shot.steal_s) == (6.0, 4.0)
    assert shot.own_cpu_s == {77: 2.0}
    assert (shot.voluntary_switches, shot.involuntary_switches) == (4, 5)


def test_cpuinfo_gives_megahertz_in_virtual_machines(tmp_path):
    fakehost.cpuinfo(tmp_path, 2, mhz=2445.4)
    fakehost.affinity(tmp_path, "0-1")
    assert snapshot(tmp_path).mhz == {0: 2445.4, 1: 2445.4}


def test_empty_root_never_raises(tmp_path):
    shot = snapshot(tmp_path)
    assert shot.governor is None and shot.thermal_throttles is None
    assert noise_warnings(shot, snapshot(tmp_path)) is not None


def test_snapshot_survives_json():
    shot = snapshot()
    assert msgspec.json.decode(msgspec.json.encode(shot), type=NoiseSnapshot) == shot


def test_own_work_is_counted_as_own():
    before = snapshot()
    end = time.process_time() + 0.2
    while time.process_time() < end:
        pass
    after = snapshot()
    assert sum(after.own_cpu_s.values()) - sum(before.own_cpu_s.values()) == pytest.approx(0.2, abs=0.06)
    assert difference(before, after).others_cores is not None


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"quota_throttles": 10}, "CPU limit stopped this process"),
        ({"steal_s": 2.0}, "gave 5.0% of these CPUs' time to others"),
        ({"busy_s": 80.0}, "other processes kept 1.1 of 2 usable CPUs busy"),
    ],
)
def test_what_was_wrong_before_the_runs_is_named(changes, words):
    (said,) = warnings_before(QUIET, later(**changes))
    assert said.startswith("Before the runs") and words in said


def test_a_quiet_machine_before_the_runs_says_nothing():
    assert warnings_before(QUIET, later()) == []


def test_advice_against_a_slow_governor_is_the_exact_command():
    slow = {"governor": "ondemand", "driver": "acpi-cpufreq"}
    (said,) = noise_warnings(msgspec.structs.replace(QUIET, **slow), later(**slow))
    assert said.endswith("echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor")
