#include "cli/command.h"
#include "cli/verbs.h"

#include <algorithm>
#include <array>

namespace kilter::cli {
namespace {

constexpr std::string_view kMeasure = "Measure";
constexpr std::string_view kLook = "Look";
constexpr std::string_view kSetUp = "Set up";

// The one table of verbs: --help, the man page and completion come from it.
constexpr std::array kCommands = {
    Command{"run", kMeasure, "Runs jobs under monitors, on one or several revisions, interleaved",
            "kilter run jobs/hackbench.yaml -s 'nr_threads: 100%' --runs 3\n"
            "kilter run --project lib.yaml --rev v1.0 --rev main --runs 5 job.yaml\n"
            "kilter run jobs/mytest.yaml -- ./my_benchmark --fast",
            make_run},
    Command{"ab", kMeasure, "Compares two commands, run in turn, until it is known whether they differ",
            "kilter ab -- ./old --fast -- ./new --fast\n"
            "kilter ab --metric 'ops/s: ([0-9.]+)' --better higher -- ./bench v1 -- ./bench v2\n"
            "kilter ab --null --repeat 5 --nest 5 --pin 1 -- perf bench sched pipe -- ./pipe\n"
            "kilter ab --shell --delta 2% -- 'sort f|uniq' -- 'sort -u f'",
            make_ab},
    Command{"bisect", kMeasure, "Finds the commit that changed a metric, and says how sure that is",
            "kilter bisect --project lib.yaml --good v1.0 --bad main\n"
            "kilter bisect -p lib --good v1.0 --bad v1.1 --metric lib.ns_per_op --dry-run\n"
            "kilter bisect -p lib --good v1.0 --bad v1.1 --outcome crashed job.yaml",
            make_bisect},
    Command{"split-job", kMeasure, "Expands a job's matrix into unit jobs, one file each",
            "kilter split-job -o unit/ jobs/netperf.yaml\n"
            "kilter split-job --compatible job.yaml\n"
            "kilter split-job jobs/hackbench.yaml nr_threads=50%",
            make_split_job},
    Command{"compare", kLook, "Compares two or more revisions, directories or axes: the table of the mails",
            "kilter compare v1.0 main\n"
            "kilter compare result/base result/head --rule lkp --style lkp\n"
            "kilter compare -s testcase=hackbench/commit=4f2a91 -o commit=77be01",
            make_compare},
    Command{"report", kLook, "Writes the mail about a change, with its plot and an archive of materials",
            "kilter report BASE HEAD --project lib.yaml\n"
            "kilter report v1.0 main --axes testcase=hackbench --print\n"
            "kilter report -c nr_task nr_task=1 nr_task=100%",
            make_report},
    Command{"result", kLook, "Finds result directories, and writes a group's matrix.json",
            "kilter result netperf TCP_RR\n"
            "kilter result --cells hackbench\n"
            "kilter result --matrix hackbench 4f2a91",
            make_result},
    Command{"stat", kLook, "One metric over all results: runs, average and spread",
            "kilter stat hackbench\n"
            "kilter stat --field netperf.Throughput_tps netperf TCP_RR",
            make_stat},
    Command{"history", kLook, "A metric commit by commit: plot, changes of its level, what to do next",
            "kilter history tokenizer\n"
            "kilter history testcase=hackbench nr_threads=50% --metric hackbench.throughput\n"
            "kilter history tokenizer -o history.svg\n"
            "kilter history --all --since 30d",
            make_history},
    Command{"machine", kLook, "Describes this machine as results record it", "kilter machine --format json",
            make_machine},
    Command{"doctor", kSetUp, "Says what works here, what is missing and how to get it",
            "kilter doctor\nkilter doctor --missing\nkilter doctor --jobs", make_doctor},
    Command{"install", kSetUp, "Installs what jobs need: packages and upstream sources",
            "kilter install --dry-run jobs/stress-ng.yaml\n"
            "kilter install --engine upstream --url file:///srv/mirror/netperf.git netperf",
            make_install},
    Command{"import", kSetUp, "Takes in LKP result trees and bare matrix.json files",
            "kilter import /lkp/result\nkilter import --axes testcase=x/commit=y group/matrix.json",
            make_import},
    Command{"reindex", kSetUp, "Rebuilds the database from the result directories", "kilter reindex",
            make_reindex},
    Command{"completion", kSetUp, "Prints the completion script of a shell",
            "kilter completion bash > /etc/bash_completion.d/kilter", make_completion},
    Command{"man", kSetUp, "Prints the manual page", "kilter man | man -l -", make_man},
    Command{"sample", "", "Records monitors until SIGTERM; started by kilter itself",
            "kilter sample SPEC.json", make_sample},
};

// LKP's names. Its _rt is a cell, its __rt the cells of all commits.
constexpr std::array kAliases = {
    Alias{"split", "split-job", ""},
    Alias{"ncompare", "compare", ""},
    Alias{"rt", "result", ""},
    Alias{"ls", "result", ""},
    Alias{"ll", "result", ""},
    Alias{"_rt", "result", "--strip run"},
    Alias{"__rt", "result", "--strip commit"},
    Alias{"merge", "import", ""},
};

}  // namespace

std::span<const Command> commands() {
  return kCommands;
}

std::span<const Alias> aliases() {
  return kAliases;
}

const Command* find_command(std::string_view name) {
  const auto it = std::ranges::find(kCommands, name, &Command::name);
  return it == kCommands.end() ? nullptr : &*it;
}

const Alias* find_alias(std::string_view name) {
  const auto it = std::ranges::find(kAliases, name, &Alias::name);
  return it == kAliases.end() ? nullptr : &*it;
}

}  // namespace kilter::cli
