#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <array>
#include <utility>

// STREAM, run a number of times: the best rate of each kernel.
namespace kilter::suite {

void parse_stream(const RawOutput& output, ParsedOutput& parsed) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kKernels = {
      {{"Copy:", "copy"}, {"Scale:", "scale"}, {"Add:", "add"}, {"Triad:", "triad"}}};
  std::array<std::vector<double>, 4> rates;
  std::string element;
  std::string size;
  for (const std::string_view line : lines(output.text)) {
    if (line.starts_with("This system uses ")) element = word_after(line, "uses ").value_or("");
    if (line.starts_with("Array size = ")) size = word_after(line, "= ").value_or("");
    for (std::size_t i = 0; i < kKernels.size(); ++i) {
      if (!line.starts_with(kKernels[i].first)) continue;
      if (const auto rate = parse_double(word_after(line, ":").value_or(""))) rates[i].push_back(*rate);
    }
  }
  if (parse_int(element)) parsed.add("element_size_byte", element);
  if (parse_int(size)) parsed.add("array_size", size);
  for (std::size_t i = 0; i < kKernels.size(); ++i) {
    if (rates[i].empty()) continue;
    const std::string key = std::string(kKernels[i].second) + "_bandwidth_MBps";
    parsed.add_float(key, rounded(mean(rates[i]), 2));
    parsed.add_float(key + "_harmonicMean", rounded(harmonic_mean(rates[i]), 2));
  }
}

const std::vector<MetricRule>& stream_rules() {
  using enum model::Direction;
  static const std::vector<MetricRule> kRules = {{"*_bandwidth_MBps", {"MB/s", higher_better, true}},
                                                 {"*_harmonicMean", {"MB/s", higher_better, false}},
                                                 {"element_size_byte", {"B", unknown, false}}};
  return kRules;
}

}  // namespace kilter::suite
