#include "model/ab.h"

#include "model/json.h"

#include <cmath>
#include <limits>

namespace kilter::model {

using AbJson = nlohmann::json;

std::string ab_sample_text(const AbSample& sample) {
  const AbJson json = {{"side", side_name(sample.side)},
                       {"block", sample.block},
                       {"place", sample.place},
                       {"ended", sample.ended},
                       {"padding", sample.padding},
                       {"value", std::isfinite(sample.value) ? AbJson(sample.value) : AbJson(nullptr)},
                       {"wall", sample.wall},
                       {"user", sample.user},
                       {"system", sample.system},
                       {"max_rss_kb", sample.max_rss_kb},
                       {"switches", sample.switches},
                       {"output_bytes", sample.output_bytes},
                       {"executions", sample.executions},
                       {"failures", sample.failures}};
  return json.dump();
}

Result<AbSample> parse_ab_sample(std::string_view text) {
  ASSIGN_OR_RETURN(const AbJson json, parse_json(text, "reading a sample"));
  const std::string side = member<std::string>(json, "side");
  if (side != "A" && side != "B") return failure("reading a sample: it is of neither A nor B");
  return AbSample{.side = side == "A" ? AbSide::a : AbSide::b,
                  .block = member<int>(json, "block"),
                  .place = member<int>(json, "place"),
                  .ended = member<double>(json, "ended"),
                  .padding = member<int>(json, "padding"),
                  .value = member<double>(json, "value", std::numeric_limits<double>::quiet_NaN()),
                  .wall = member<double>(json, "wall"),
                  .user = member<double>(json, "user"),
                  .system = member<double>(json, "system"),
                  .max_rss_kb = member<double>(json, "max_rss_kb"),
                  .switches = member<double>(json, "switches"),
                  .output_bytes = member<double>(json, "output_bytes"),
                  .executions = member<int>(json, "executions", 1),
                  .failures = member<int>(json, "failures")};
}

std::vector<double> AbReport::values(AbSide side) const {
  std::vector<double> found;
  for (const AbSample& sample : samples)
    if (sample.side == side && std::isfinite(sample.value)) found.push_back(sample.value);
  return found;
}

}  // namespace kilter::model
