#pragma once

#include "base/result.h"
#include "job/programs.h"
#include "model/node.h"

#include <string>
#include <string_view>
#include <vector>

namespace kilter::job {

// Looks for slips in the keys of `document`, which with its first document makes `job`. A slip of suite,
// testcase, category, testbox, tbox_group or job_origin, where the job has none, is an error; other unknown
// keys that are near to a known one are returned as warnings ("jobs/x.yaml:4:1: unknown key 'nr_thread', did
// you mean 'nr_threads'?"). Jobs may hold keys nobody knows: those pass.
[[nodiscard]] Result<std::vector<std::string>> check_keys(const model::Node& document, const model::Node& job,
                                                          const Vocabulary& vocabulary);
// The overrides whose keys are in none of the maps `held` and are no word of the job's text.
[[nodiscard]] model::Node new_overrides(const model::Node& overrides, std::string_view job_text,
                                        const std::vector<model::Node>& held);
// check_keys() of such: a slip of any known key is an error, other unknown keys are warnings.
[[nodiscard]] Result<std::vector<std::string>> check_override_keys(const model::Node& fresh,
                                                                   const Vocabulary& vocabulary);

}  // namespace kilter::job
