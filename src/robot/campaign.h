#pragma once

#include "analyse/answer.h"
#include "model/verdict.h"
#include "robot/measure.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// Unit jobs x subjects x runs, interleaved.
namespace kilter::robot {

// Runs are made until this is known.
struct CampaignQuestion {
  std::string metric;  // full key; "": the headline of each job's suite
  double delta = analyse::kHeadlineMinimalEffect;
  double alpha = analyse::kHeadlineLevel;
  double budget = 0;  // seconds for all jobs; 0: none
};

struct CampaignCell {
  std::size_t job = 0;
  std::size_t subject = 0;
  std::vector<Measured> runs;
};

struct CampaignRequest {
  std::vector<model::UnitJob> jobs;
  std::vector<Subject> subjects;  // at least one
  int runs = 1;                   // of each; with a question: at most
  PlanOptions plan;
  double time_limit = 0;
  std::optional<CampaignQuestion> question;  // of the other subjects against the first
  int warm_ups = 0;                          // runs of each build that are not kept
  bool randomised = false;                   // the order in each block, and the size of the environment
  std::vector<CampaignCell> begun;           // cells in order job, subject: runs that are there already
};

// One run that ended, for progress lines.
struct CampaignEvent {
  std::size_t job = 0;
  std::size_t subject = 0;
  int done = 0;  // runs that have ended, this one included
  int total = 0;
  double seconds_left = 0;  // by what the runs so far took; 0 = unknown
  const Measured* measured = nullptr;
};

// What is known at the end of one subject against the first.
struct CampaignVerdict {
  std::size_t job = 0;
  std::size_t subject = 0;
  std::string metric;
  std::optional<model::RowVerdict> row;  // nullopt: a side has no value
  bool out_of_time = false;
};

struct CampaignHooks {
  std::function<void(const CampaignEvent&)> run_ended;
  std::function<void(const CampaignEvent& before, const execute::Progress&)> progress;
};

struct CampaignResult {
  std::vector<CampaignCell> cells;        // in order job, subject
  std::vector<CampaignVerdict> verdicts;  // where there was a question
};

// An interrupt ends it with an Error; what was measured by then is stored.
[[nodiscard]] Result<CampaignResult> run_campaign(Lab& lab, const CampaignRequest& request,
                                                  const CampaignHooks& hooks);
// Seconds the whole will take by the suites' own expectations; 0 when one of them does not know.
[[nodiscard]] Result<double> expected_seconds(const Lab& lab, const CampaignRequest& request);

}  // namespace kilter::robot
