#pragma once

#include "model/axes.h"
#include "model/node.h"

#include <string>
#include <utility>
#include <vector>

namespace kilter::model {

// One fully expanded point of a job ("atomic job").
struct UnitJob {
  Node body;           // the merged document: parameters, programs, monitors, need_*; host keys included
  std::string text;    // job.yaml as written: sections with their `#! ` headers
  std::string origin;  // "jobs/netperf.yaml"
  std::string file;    // where it was read, as named; marks of `body` that name no file are in it
  std::string name;    // output file name without ".yaml": "netperf-cs-localhost-ipv4-50%-300s-TCP_RR"
  std::string suite;
  std::string testcase;
  std::string category;
  std::string path_params;  // "cs-localhost-ipv4-50%-300s-TCP_RR"
  // The workload program and its parameters in job order, unmapped: {"nr_threads", "50%"}, {"test",
  // "TCP_RR"}.
  std::vector<std::pair<std::string, std::string>> parameters;
  std::string program;                // the test program, "netperf"
  std::vector<std::string> programs;  // every program the job names: tests, daemons, set-ups
  // Monitors asked for, with their options (a map node or null).
  std::vector<std::pair<std::string, Node>> monitors;
  // Parameters after LKP's mapping, as a program receives them: nr_threads "8", runtime "300".
  std::vector<std::pair<std::string, std::string>> mapped;
  // What looked wrong in the job file and hindered nothing, with file and line; told with its first unit job.
  std::vector<std::string> warnings;
  // testcase and parameters; the machine's and the commit's axes are added when it runs.
  Axes axes;
};

// "x.yaml:5:9" of a node of the job's body; "" when it came from no file.
[[nodiscard]] std::string place_of(const UnitJob& job, const Node& node);

}  // namespace kilter::model
