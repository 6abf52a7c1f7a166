#pragma once

#include "model/project.h"
#include "model/verdict.h"
#include "report/box.h"
#include "report/recipients.h"
#include "report/rfc5322.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// The report mail of LKP's form: what changed, by which commit, on which test and machine; then the evidence.
namespace kilter::report {

// A table of one machine and test, ready as text, with the plots that go with it.
struct MailSection {
  std::string machine;  // "lkp-spr-r02: 224 threads ..."; not shown for the first section
  std::string table;
  std::vector<std::string> plots;  // of plot.h
  std::string log_title;           // "The end of the log of run 3 (test-failed: exit code 1):"
  std::vector<std::string> log;    // its lines
};

// The changed revision is no child of the base: the change is somewhere between, and no commit is blamed.
struct MailRange {
  struct End {
    std::string name;  // "v0.9"; "" when it has no other name than its sha
    std::string sha;
    std::string subject;
  };
  End base;
  End head;
  int commits = 0;                    // that head has and base has not; 0: not known
  std::vector<model::Commit> listed;  // the first of them
  std::string why;                    // then: a sentence; may be empty
  std::string bisect;                 // the command that finds the culprit; may be empty
};

// For a change that is not applied anywhere yet: these lines stand in place of the tree's; empty ones are
// left out.
struct MailPatch {
  std::string url;
  std::string base;
  std::string link;
  std::string subject;
};

// An axis in which base and head are not alike.
struct MailAxis {
  std::string name;  // "nr_task"; "" where the values speak for themselves
  std::string base;  // "1"; "" when it has none
  std::string head;
};

struct MailInput {
  // What happened: a metric changed, or, when `failure` is not empty, a test fails.
  std::string metric;   // "netperf.Throughput_tps"
  double percent = 0;   // of the headline; its sign is not shown
  bool points = false;  // it is a difference, not a percentage
  std::string word;     // "improvement", "regression" or "change"
  std::string failure;  // "BUG:KASAN:..." or "hackbench.test-failed"
  // What the test says of it: "The 99 % interval of the change is +4.9..+6.3 %, ..."; "" of LKP's rule.
  std::string evidence;
  std::optional<model::RowVerdict> verdict;  // the same, for programs
  // What speaks against the headline: "33.0% regression of toy.lat".
  std::vector<std::string> opposite;

  model::Commit commit;            // with a patch: the sha is the label of the patched revision
  std::optional<MailRange> range;  // set: `commit` is only its head
  // What is compared where it is not commits: both sides are of `commit`, and nobody is blamed.
  std::vector<MailAxis> pair;
  std::vector<MailAxis> also_differs;  // beside the commits
  std::string subject_prefix;          // of the project: goes before everything
  std::string tree;                    // "linus", for the subject; "" leaves that part out
  std::string tree_url;
  std::string branch;
  std::optional<MailPatch> patch;
  std::vector<std::pair<std::string, std::string>> still_there;  // head ("linus/master") -> its sha

  std::string testcase;
  std::string kconfig;
  std::string build;  // of what is no kernel: "cmake -S . -B build; cmake --build build"
  std::string compiler;
  std::string machine;  // its description; "" leaves the line out
  std::string kernel;   // of the machine, where it is not what is tested; "" leaves the line out
  std::vector<std::pair<std::string, std::string>> parameters;  // in job order
  std::vector<std::string> caveats;  // of the results: settings that were not made; a line each
  std::string test_description;      // "" leaves the line out
  std::string test_url;
  std::vector<BoxedTest> further;
  std::vector<MailSection> sections;  // the headline's first
  std::string plot_legend;            // "" for our own

  std::string materials = "build config and materials";
  std::string archive;                  // where the materials are: a link or a path; "" for none
  std::vector<std::string> reproduce;   // command lines, one each, blank ones between groups
  std::string closes;                   // link for the Closes tag; "" leaves it out
  std::string robot = "Kilter";         // who noticed
  std::vector<std::string> disclaimer;  // lines in place of ours
  std::vector<std::string> footer;      // the same

  Mailbox from;
  Recipients recipients;
  std::string message_id;  // without <>
  std::int64_t date = 0;   // seconds since 1970
};

// "202504211337.3c954295-kilter@host": date (UTC) and a hash of what the mail is about, which must be unique.
[[nodiscard]] std::string make_message_id(std::int64_t date, std::string_view about, std::string_view host);
// "[linus:master] [x86/bugs]  27ce8299bc:  netperf.Throughput_tps 23.1% improvement", and of a pair
// "[will-it-scale]  nr_task=1..100%:  will-it-scale.per_thread_ops 30.0% regression".
[[nodiscard]] std::string mail_subject(const MailInput& input);
[[nodiscard]] std::string mail_body(const MailInput& input);
// Headers and body, fit for a Maildir or for sending (rfc5322.h).
[[nodiscard]] std::string mail_message(const MailInput& input);

}  // namespace kilter::report
