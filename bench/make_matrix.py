#!/usr/bin/env python3
"""Writes a pair of group matrices for timing a comparison.

make_matrix.py DIR [METRICS [RUNS [BUILDS]]]  ->  DIR/base/matrix.json, DIR/head/matrix.json
and, with BUILDS, DIR/home/results: as many earlier builds of the same series, then base (1111..) and head (2222..);
`kilter reindex` makes it a state folder.

5,001 metrics of 6 runs by default, in the proportions of a real result: profiles and scheduler statistics most
of all. One metric in six changed by 3 to 30 %. The same arguments give the same bytes.
"""
import json
import pathlib
import random
import sys

# program: (weight, integers, how a key of it is made)
FAMILIES = {
    "perf-profile": (45, False, lambda i: f"{('calltrace', 'children', 'self')[i % 3]}.cycles-pp.symbol_{i}.caller_{i % 97}"),
    "slabinfo": (10, False, lambda i: f"cache_{i // 4}.{('active_objs', 'num_objs', 'active_slabs', 'num_slabs')[i % 4]}"),
    "sched_debug": (10, False, lambda i: f"cfs_rq:/.field_{i // 5}.{('avg', 'max', 'min', 'stddev', 'median')[i % 5]}"),
    "perf-sched": (10, False, lambda i: f"wait_time.max.ms.symbol_{i}.caller.[unknown]"),
    "interrupts": (8, True, lambda i: f"CPU{i % 192}.irq_{i // 192}"),
    "proc-vmstat": (6, True, lambda i: f"nr_counter_{i}"),
    "numa-vmstat": (4, True, lambda i: f"node{i % 2}.nr_counter_{i // 2}"),
    "meminfo": (2, True, lambda i: f"Field_{i}"),
    "perf-stat": (3, False, lambda i: f"{('i', 'overall', 'ps', 'total')[i % 4]}.event-{i // 4}"),
    "will-it-scale": (2, True, lambda i: f"{i}.processes"),
}


def keys(count):
    total = sum(weight for weight, _, _ in FAMILIES.values())
    made = []
    for program, (weight, integers, name) in FAMILIES.items():
        share = count * weight // total
        made += [(f"{program}.{name(i)}", integers) for i in range(share)]
    made += [(f"vmstat.extra.{i}", True) for i in range(count - len(made))]
    return made


def samples(rng, level, integers, runs):
    values = [level * (1 + rng.gauss(0, 0.01)) for _ in range(runs)]
    return [round(v) for v in values] if integers else [round(v, 6) for v in values]


def write(directory, rows, runs):
    directory.mkdir(parents=True, exist_ok=True)
    rows["stats_source"] = [f"{directory.name}/{run}/stats.json" for run in range(runs)]
    (directory / "matrix.json").write_text(json.dumps(rows, indent=2))


def commits(builds):
    return [f"{1000 + build:040x}" for build in range(builds)] + ["1" * 40, "2" * 40]


def write_results(home, rows, runs):
    """One result directory a run; `rows` by commit, oldest first."""
    for order, (commit, metrics) in enumerate(rows.items()):
        for run in range(runs):
            place = home / "results/bench/defaults/box/debian/kc/gcc-12" / commit / str(run)
            place.mkdir(parents=True, exist_ok=True)
            axes = {"testcase": "bench", "tbox_group": "box", "rootfs": "debian", "kconfig": "kc", "compiler": "gcc-12"}
            outcome = {"axes": dict(axes, commit=commit), "path_params": "defaults", "number": run, "outcome": "ok",
                       "build_id": commit, "boot_id": "boot", "started": 1.7e9 + 1000 * order + run}
            (place / "outcome.json").write_text(json.dumps(outcome))
            (place / "stats.json").write_text(json.dumps({key: values[run] for key, values in metrics.items()}))


def main():
    target = pathlib.Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 5001
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 6
    rng = random.Random(20240131)
    base, head = {}, {}
    for key, integers in keys(count):
        level = 10 ** rng.uniform(-1, 7) if not integers else 10 ** rng.uniform(2, 8)
        shift = 1 + rng.uniform(0.03, 0.30) if rng.random() < 1 / 6 else 1
        base[key] = samples(rng, level, integers, runs)
        head[key] = samples(rng, level * shift, integers, runs)
    builds = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    if builds > 0:
        levels = {key: (sum(values) / runs, isinstance(values[0], int)) for key, values in base.items()}
        series = {commit: {key: samples(rng, *level, runs) for key, level in levels.items()} for commit in commits(builds)[:-2]}
        write_results(target / "home", {**series, "1" * 40: base, "2" * 40: head}, runs)
    write(target / "base", base, runs)
    write(target / "head", head, runs)


if __name__ == "__main__":
    main()
