#!/usr/bin/env python3
"""Makes the tree of a machine with two sockets of 48 cores, two threads each: 192 CPUs, two NUMA nodes.

usage: make_xeon.py DIRECTORY [MOMENT]
MOMENT (default 0) advances the counters, so that two trees make a difference.
"""
import pathlib
import sys

CPUS, NODES = 192, 2
root = pathlib.Path(sys.argv[1])
moment = int(sys.argv[2]) if len(sys.argv) > 2 else 0


def put(path, text):
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def node_of(cpu):
    return cpu // 48 % NODES


def table(rows, width=11):
    head = " " * 11 + "".join(f"{'CPU' + str(cpu):>{width}}" for cpu in range(CPUS)) + "\n"
    return head + "".join(f"{name:>4}:" + "".join(f"{count(cpu):>{width}}" for cpu in range(CPUS)) + f"  {text}\n"
                          for name, count, text in rows)


def stat():
    def ticks(cpu):
        busy = 1000 + cpu + moment * (80 if node_of(cpu) == 0 else 20)
        return [busy, 10, busy // 2, 9000 - cpu + moment * 20, 5, 0, 7 + moment, 0, 0, 0]
    rows = [ticks(cpu) for cpu in range(CPUS)]
    lines = ["cpu  " + " ".join(str(sum(column)) for column in zip(*rows))]
    lines += [f"cpu{cpu} " + " ".join(map(str, row)) for cpu, row in enumerate(rows)]
    lines += [f"intr {500000 + moment * 90000} " + "0 " * 200, f"ctxt {900000 + moment * 300000}", "btime 1796000000",
              "processes 4012", f"procs_running {1 + 96 * (moment > 0)}", "procs_blocked 2"]
    return "\n".join(lines) + "\n"


MEMORY = {"MemTotal": 396_000_000, "MemFree": 380_000_000 - moment * 1000, "MemAvailable": 385_000_000, "Buffers": 1200,
          "Cached": 2_000_000, "SwapTotal": 0, "SwapFree": 0, "AnonPages": 400_000, "SReclaimable": 300_000,
          "HugePages_Total": None}
COUNTERS = {"nr_free_pages": 95_000_000, "nr_active_anon": 100_000, "numa_hit": 5_000_000 + moment * 7000,
            "numa_local": 4_900_000 + moment * 6000, "pgpgin": 12_000, "pgpgout": 50_000 + moment * 40, "pswpin": 0,
            "pswpout": 0, "pgfault": 9_000_000 + moment * 120_000, "nr_dirtied": 3000 + moment, "nr_written": 2500}
NUMASTAT = {"numa_hit": 5_000_000 + moment * 7000, "numa_miss": 3, "numa_foreign": 3, "interleave_hit": 9000,
            "local_node": 4_900_000 + moment * 6000, "other_node": 100_000 + moment * 1000}

put("proc/stat", stat())
put("proc/meminfo", "".join(f"{key + ':':<16}{value or 0:>9}{' kB' if value is not None else ''}\n"
                            for key, value in MEMORY.items()))
put("proc/vmstat", "".join(f"{key} {value}\n" for key, value in COUNTERS.items()))
put("proc/uptime", f"{1000 + moment}.25 {190000 + moment * 150}.50\n")
put("proc/interrupts", table(
    [(str(24 + n), lambda cpu, n=n: (moment * 50 if cpu == n else 0), f"IR-PCI-MSI {524288 + n}-edge      eth0-TxRx-{n}")
     for n in range(16)]
    + [("NMI", lambda cpu: 10 + moment, " Non-maskable interrupts"),
       ("LOC", lambda cpu: 100_000 + cpu + moment * 1000, " Local timer interrupts"),
       ("CAL", lambda cpu: 500 + moment * 30, " Function call interrupts")]) + " ERR:          0\n")
put("proc/softirqs", table([("TIMER", lambda cpu: 4000 + moment * 200, ""), ("RCU", lambda cpu: 900 + moment * 70, ""),
                            ("SCHED", lambda cpu: 3000 + moment * 90, "")]))
put("proc/diskstats", f" 259       0 nvme0n1 {100 + moment} 0 800 12 {50 + moment} 3 400 9 0 20 21 0 0 0 0 4 2\n")
put("proc/buddyinfo", "".join(f"Node {node}, zone   Normal " + " ".join(f"{1000 >> order:>6}" for order in range(11)) + " \n"
                              for node in range(NODES)))
put("proc/pagetypeinfo", "Page block order: 9\nPages per block:  512\n\n"
    + "Free pages count per migrate type at order " + " ".join(f"{order:>6}" for order in range(11)) + "\n"
    + "".join(f"Node {node:>4}, zone   Normal, type {kind:>12} " + " ".join([">100000"] + ["9"] * 10) + "\n"
              for node in range(NODES) for kind in ("Unmovable", "Movable", "Reclaimable"))
    + "\nNumber of blocks type     Unmovable      Movable  Reclaimable\n"
    + "".join(f"Node {node}, zone   Normal         1200       390000          800\n" for node in range(NODES)))
put("proc/slabinfo", "slabinfo - version: 2.1\n# name            <active_objs> <num_objs> <objsize> <objperslab> "
    "<pagesperslab> : tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>\n"
    + "".join(f"kmalloc-{size:<9} {40000 + moment} 40960 {size:>6} 64 1 : tunables 0 0 0 : slabdata 640 640 0\n"
              for size in (8, 16, 32, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096)))
put("dev/kmsg", "")

for node in range(NODES):
    base = f"sys/devices/system/node/node{node}"
    put(f"{base}/meminfo", "".join(f"Node {node} {key + ':':<16}{(value or 0) // 2:>9}{' kB' if value is not None else ''}\n"
                                   for key, value in MEMORY.items()))
    put(f"{base}/vmstat", "".join(f"{key} {value // 2}\n" for key, value in COUNTERS.items()) + "numa_hit 1\n")
    put(f"{base}/numastat", "".join(f"{key} {value // 2}\n" for key, value in NUMASTAT.items()))

for cpu in range(CPUS):
    for state, name in enumerate(("POLL", "C1", "C1E", "C6")):
        base = f"sys/devices/system/cpu/cpu{cpu}/cpuidle/state{state}"
        put(f"{base}/name", name + "\n")
        put(f"{base}/time", f"{(state + 1) * 1000 * (1 + moment)}\n")
        put(f"{base}/usage", f"{(state + 1) * 10 * (1 + moment)}\n")

put("sys/kernel/debug/sched/debug", "Sched Debug Version: v0.11, 6.12.0 #1\nktime                                   : 1000.5\n\n"
    + "".join(f"cpu#{cpu}, 2000.000 MHz\n  .nr_running                    : {cpu % 3}\n"
              f"  .nr_switches                   : {1000 * cpu}\n\ncfs_rq[{cpu}]:/\n  .load                          : {cpu * 10}\n\n"
              "runnable tasks:\n S            task   PID\n-------------------\n\n" for cpu in range(CPUS)))
