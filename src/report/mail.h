#pragma once

#include "model/project.h"
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
};

// For a change that is not applied anywhere yet: these lines stand in place of the tree's.
struct MailPatch {
  std::string url;
  std::string base;
  std::string link;
  std::string subject;
};

struct MailInput {
  // What happened: a metric changed, or, when `failure` is not empty, a test fails.
  std::string metric;   // "netperf.Throughput_tps"
  double percent = 0;   // of the headline; its sign is not shown
  std::string word;     // "improvement" or "regression"
  std::string failure;  // "BUG:KASAN:..." or "hackbench: test-failed"

  model::Commit commit;
  std::string tree;  // "linus", for the subject; "" leaves that part out
  std::string tree_url;
  std::string branch;
  std::optional<MailPatch> patch;
  std::vector<std::pair<std::string, std::string>> still_there;  // head ("linus/master") -> its sha

  std::string testcase;
  std::string kconfig;
  std::string compiler;
  std::string machine;                                          // its description
  std::vector<std::pair<std::string, std::string>> parameters;  // in job order
  std::string test_description;                                 // "" leaves the line out
  std::string test_url;
  std::vector<BoxedTest> further;
  std::vector<MailSection> sections;  // the headline's first
  std::string plot_legend;            // "" for our own

  std::string archive;                       // where the materials are: a link or a path
  std::vector<std::string> reproduce;        // command lines, one each
  std::string closes;                        // link for the Closes tag; "" leaves it out
  std::string robot = "Kilter";              // who noticed
  std::vector<std::string> disclaimer = {};  // lines in place of ours
  std::vector<std::string> footer = {};      // the same

  Mailbox from;
  Recipients recipients;
  std::string message_id;  // without <>
  std::int64_t date = 0;   // seconds since 1970
};

// "kilter install job.yaml", "kilter split-job ...", "kilter run ...".
[[nodiscard]] std::vector<std::string> default_reproduce_steps(const std::string& job_file);
// "202504211337.3c954295-kilter@host": date (UTC) and a hash of what the mail is about.
[[nodiscard]] std::string make_message_id(std::int64_t date, std::string_view about, std::string_view host);
// "[linus:master] [x86/bugs]  27ce8299bc:  netperf.Throughput_tps 23.1% improvement".
[[nodiscard]] std::string mail_subject(const MailInput& input);
[[nodiscard]] std::string mail_body(const MailInput& input);
// Headers and body, fit for a Maildir or for sending (rfc5322.h).
[[nodiscard]] std::string mail_message(const MailInput& input);

}  // namespace kilter::report
