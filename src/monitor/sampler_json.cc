#include "model/json.h"
#include "monitor/sampler.h"

namespace kilter::monitor {
namespace {

using nlohmann::json;
using Notes = std::vector<SamplerReport::Note>;

// Options may be written as numbers or flags in a job.
std::string option_text(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

json notes_json(const Notes& notes) {
  json list = json::array();
  for (const auto& [name, reason] : notes) list.push_back({{"name", name}, {"reason", reason}});
  return list;
}

Notes notes_of(const json& report, const char* key) {
  Notes notes;
  for (const json& note : model::member<json>(report, key, json::array()))
    notes.push_back({model::member<std::string>(note, "name"), model::member<std::string>(note, "reason")});
  return notes;
}

Result<SampledMonitor> monitor_of(const json& item) {
  if (item.is_string()) return SampledMonitor{.name = item.get<std::string>(), .options = {}};
  SampledMonitor monitor{.name = model::member<std::string>(item, "name"), .options = {}};
  if (monitor.name.empty()) return usage_error("reading the sampler's spec: a monitor without a name");
  const json options = model::member<json>(item, "options", json::object());
  if (!options.is_object()) return usage_error("reading the sampler's spec: 'options' is not a map");
  for (const auto& [key, value] : options.items()) monitor.options[key] = option_text(value);
  return monitor;
}

}  // namespace

std::string sampler_spec_json(const SamplerSpec& spec) {
  json monitors = json::array();
  for (const SampledMonitor& monitor : spec.monitors)
    monitors.push_back({{"name", monitor.name}, {"options", monitor.options}});
  return model::dump_json(
      {{"directory", spec.directory.string()}, {"root", spec.root.string()}, {"monitors", monitors}});
}

Result<SamplerSpec> parse_sampler_spec(std::string_view text) {
  ASSIGN_OR_RETURN(const json spec, model::parse_json(text, "reading the sampler's spec"));
  SamplerSpec result{.directory = model::member<std::string>(spec, "directory"),
                     .root = model::member<std::string>(spec, "root", "/"),
                     .monitors = {}};
  if (result.directory.empty()) return usage_error("reading the sampler's spec: no 'directory'");
  for (const json& item : model::member<json>(spec, "monitors", json::array())) {
    ASSIGN_OR_RETURN(SampledMonitor monitor, monitor_of(item));
    result.monitors.push_back(std::move(monitor));
  }
  return result;
}

std::string sampler_report_json(const SamplerReport& report) {
  return model::dump_json({{"cpu_seconds", report.cpu_seconds},
                           {"setup_cpu_seconds", report.setup_cpu_seconds},
                           {"finish_cpu_seconds", report.finish_cpu_seconds},
                           {"elapsed", report.elapsed},
                           {"max_rss_kb", report.max_rss_kb},
                           {"samples", report.samples},
                           {"late", report.late},
                           {"recorded", report.recorded},
                           {"unavailable", notes_json(report.unavailable)},
                           {"stretched", notes_json(report.stretched)},
                           {"faults", notes_json(report.faults)}});
}

Result<SamplerReport> parse_sampler_report(std::string_view text) {
  ASSIGN_OR_RETURN(const json report, model::parse_json(text, "reading sampler.json"));
  return SamplerReport{.cpu_seconds = model::member<double>(report, "cpu_seconds"),
                       .setup_cpu_seconds = model::member<double>(report, "setup_cpu_seconds"),
                       .finish_cpu_seconds = model::member<double>(report, "finish_cpu_seconds"),
                       .elapsed = model::member<double>(report, "elapsed"),
                       .max_rss_kb = model::member<std::int64_t>(report, "max_rss_kb"),
                       .samples = model::member<std::int64_t>(report, "samples"),
                       .late = model::member<std::int64_t>(report, "late"),
                       .recorded = model::member<std::vector<std::string>>(report, "recorded"),
                       .unavailable = notes_of(report, "unavailable"),
                       .stretched = notes_of(report, "stretched"),
                       .faults = notes_of(report, "faults")};
}

}  // namespace kilter::monitor
