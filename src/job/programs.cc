#include "job/programs.h"

#include "base/assets.h"
#include "base/text.h"
#include "job/merge.h"

#include <algorithm>
#include <array>

namespace kilter::job {
namespace {

using model::Node;

constexpr std::array<std::pair<std::string_view, Role>, 4> kRoles = {
    {{"test", Role::test}, {"daemon", Role::daemon}, {"setup", Role::setup}, {"monitor", Role::monitor}}};

// Known of every workload: the wrappers that start tests and daemons read them.
constexpr std::array<std::string_view, 5> kAlwaysOptions = {"cluster", "nr_instances", "cpu_node_bind",
                                                            "mem_node_bind", "cpus"};

// What hosts/ files say of a machine.
constexpr std::array<std::string_view, 15> kHostKeys = {"nr_cpu",
                                                        "nr_node",
                                                        "memory",
                                                        "model",
                                                        "brand",
                                                        "ucode",
                                                        "hdd_partitions",
                                                        "ssd_partitions",
                                                        "rootfs_partition",
                                                        "nr_hdd_partitions",
                                                        "nr_ssd_partitions",
                                                        "swap_partitions",
                                                        "kernel_cmdline_hw",
                                                        "bios_version",
                                                        "local_run"};

constexpr std::array<std::string_view, 24> kStructural = {
    "suite",      "testcase", "category",   "job_origin", "job_file", "testbox",
    "tbox_group", "arch",     "node_roles", "kconfig",    "commit",   "rootfs",
    "compiler",   "branch",   "id",         "queue",      "user",     "result_root",
    "kernel",     "initrd",   "user_id",    "mail_to",    "mail_cc",  "constraints"};

bool is_script_key(std::string_view key) {
  return key.starts_with("function ") || key.starts_with("script ");
}

bool holds_map(const Node& value) {
  return value.is_map() || (value.is_list() && std::ranges::any_of(value.items(), &Node::is_map));
}

}  // namespace

const Catalogue& Catalogue::builtin() {
  static const Catalogue catalogue(asset("lists/programs.yaml").value_or(""));
  return catalogue;
}

Catalogue::Catalogue(std::string_view text) {
  for (const std::string_view line : lines(text)) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with('#') || colon == std::string_view::npos) continue;
    std::vector<std::string_view> parts = words(line.substr(colon + 2));
    if (line.substr(0, colon) == "well-known") {
      well_known_ = std::move(parts);
      continue;
    }
    if (line.substr(0, colon) == "null-words") {
      for (const std::string_view part : parts)
        if (const std::size_t dot = part.rfind('.'); dot != std::string_view::npos)
          null_words_.push_back({part.substr(0, dot), part.substr(dot + 1)});
      continue;
    }
    const auto role = std::ranges::find(kRoles, parts.empty() ? "" : parts.front(),
                                        &std::pair<std::string_view, Role>::first);
    if (role == kRoles.end()) continue;
    parts.erase(parts.begin());
    const bool complete = std::erase(parts, "...") == 0;
    programs_.emplace(line.substr(0, colon), Program{role->second, std::move(parts), complete});
  }
  for (const auto& [name, program] : programs_) names_.emplace_back(name);
  std::ranges::sort(names_);
}

const Program* Catalogue::find(std::string_view name) const {
  const auto found = programs_.find(name);
  return found == programs_.end() ? nullptr : &found->second;
}

const std::vector<std::string_view>& expand_dimensions() {
  static const std::vector<std::string_view> dimensions = {
      "kconfig",         "commit",      "rootfs",           "ltp_commit",  "nvml_commit",
      "blktests_commit", "qemu_commit", "perf_test_commit", "linux_commit"};
  return dimensions;
}

bool is_structural(std::string_view key) {
  return std::ranges::find(kStructural, key) != kStructural.end() ||
         std::ranges::find(kHostKeys, key) != kHostKeys.end() || key.starts_with("need_") ||
         key.starts_with("queue_") ||
         std::ranges::find(expand_dimensions(), key) != expand_dimensions().end();
}

std::vector<std::string_view> structural_keys() {
  std::vector<std::string_view> keys(kStructural.begin(), kStructural.end());
  keys.insert(keys.end(), kHostKeys.begin(), kHostKeys.end());
  return keys;
}

Vocabulary::Vocabulary(const Node& job) : suite_(job.get("suite")), testcase_(job.get("testcase")) {
  scan(job, false);
  const bool tested =
      std::ranges::any_of(programs_, [](const ProgramUse& p) { return p.role == Role::test; });
  if (!tested)
    for (const Node::Entry* entry : candidates_) use(entry->first, nullptr, entry->second);
  // The options of a test nobody knows are found by their names.
  if (std::ranges::none_of(programs_, [](const ProgramUse& program) {
        const Program* known = Catalogue::builtin().find(program.name);
        return known != nullptr && known->role == Role::test;
      }))
    add_well_known();
  for (const std::string_view option : kAlwaysOptions) options_.insert(option);
}

void Vocabulary::scan(const Node& map, bool in_block) {
  for (const Node::Entry& entry : map.entries()) scan_entry(entry, in_block);
}

void Vocabulary::scan_entry(const Node::Entry& entry, bool in_block) {
  const auto& [key, value] = entry;
  if (is_comment_key(key) || is_script_key(key)) return;
  if (is_block_key(key)) return scan(value, true);
  const bool named = key == testcase_ || key == suite_;
  const Program* known = Catalogue::builtin().find(key);
  if (known != nullptr && known->role == Role::monitor && !named) {
    monitors_.push_back({key, Role::monitor, &value});
  } else if (known != nullptr || named) {
    use(key, known, value);
  } else if (is_structural(key)) {
    return;
  } else if (value.is_null() || (in_block && holds_map(value))) {
    const std::vector<std::string_view>& options = Catalogue::builtin().well_known();
    if (std::ranges::find(options, key) == options.end()) use(key, nullptr, value);
  } else if (value.is_map() && std::ranges::any_of(value.entries(), [](const Node::Entry& inner) {
               return (inner.second.is_null() || inner.second.is_map()) &&
                      Catalogue::builtin().find(inner.first) != nullptr;
             })) {
    scan(value, true);  // a group
  } else if (holds_map(value)) {
    candidates_.push_back(&entry);
  }
}

void Vocabulary::add_well_known() {
  const std::vector<std::string_view>& names = Catalogue::builtin().well_known();
  options_.insert(names.begin(), names.end());
}

void Vocabulary::use(std::string_view name, const Program* known, const Node& value) {
  const bool prepares = name.starts_with("setup-") || name.starts_with("setup_");
  const Role role = known != nullptr && known->role != Role::monitor ? known->role
                    : prepares                                       ? Role::setup
                                                                     : Role::test;
  programs_.push_back({std::string(name), role, &value});
  names_.insert(name);
  if (known != nullptr) options_.insert(known->options.begin(), known->options.end());
  if (known != nullptr && !known->complete) add_well_known();
  const auto add_keys = [this](const Node& map) {
    for (const Node::Entry& entry : map.entries()) options_.insert(entry.first);
  };
  add_keys(value);
  for (const Node& item : value.items()) add_keys(item);
}

bool Vocabulary::is_monitor(std::string_view key) const {
  return std::ranges::find(monitors_, key, &ProgramUse::name) != monitors_.end();
}

bool Vocabulary::is_unknown_program(std::string_view key) const {
  return names_.contains(key) && key != suite_ && key != testcase_ &&
         Catalogue::builtin().find(key) == nullptr;
}

const ProgramUse* Vocabulary::test() const {
  const ProgramUse* first = nullptr;
  for (const ProgramUse& program : programs_) {
    if (program.role != Role::test) continue;
    if (program.name == testcase_ || program.name == suite_) return &program;
    if (first == nullptr) first = &program;
  }
  return first;
}

bool Vocabulary::has_workload() const {
  return std::ranges::any_of(programs_, [](const ProgramUse& program) {
    return program.role == Role::test || program.role == Role::daemon;
  });
}

}  // namespace kilter::job
