#include "robot/lab.h"

#include "base/assets.h"
#include "base/hash.h"
#include "base/text.h"
#include "execute/undo.h"
#include "os/near_file.h"
#include "robot/revisions.h"
#include "store/results.h"

#include <fmt/core.h>

#include <cctype>
#include <memory>
#include <system_error>
#include <unordered_map>

namespace kilter::robot {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kKbPerGb = std::int64_t{1024} * 1024;
constexpr std::uint64_t kMostJobBytes = std::uint64_t{16} << 20;

std::string session_id(const World& world) {
  return hash_hex(fmt::format("{}-{}-{}", world.clock.wall(), world.clock.monotonic(), world.home.string()));
}

// What LKP's install writes into hosts/<name>.
std::string host_file_text(const model::Machine& box) {
  std::string text = fmt::format("nr_node: {}\nnr_cpu: {}\nmemory: {}G\nlocal_run: 1\n", box.nr_node,
                                 box.nr_cpu, box.memory_kb / kKbPerGb);
  if (!box.microarchitecture.empty()) text = "model: " + box.microarchitecture + "\n" + text;
  return text;
}

std::optional<std::string> read_if_file(const os::Path& path) {
  if (!os::is_file(path)) return std::nullopt;
  const Result<std::string> text = os::read_file(path, kMostJobBytes);
  return text ? std::optional(*text) : std::nullopt;
}

// Include files are asked for by every key and value of a job; most folders they could stand in are not
// there.
class KnownFolders {
 public:
  std::optional<std::string> read(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    if (slash != std::string::npos && slash > 0 && !has(path.substr(0, slash))) return std::nullopt;
    return read_if_file(path);
  }

 private:
  bool has(const std::string& folder) {
    const auto [entry, added] = folders_.try_emplace(folder, false);
    if (added) entry->second = os::is_directory(folder);
    return entry->second;
  }

  std::unordered_map<std::string, bool> folders_;
};

// "did you mean 'hackbench'?": a built-in job by the form that was typed, else a file beside.
std::string near_job(const std::string& path) {
  const bool bare = !path.contains('/') && !path.ends_with(".yaml");
  std::vector<std::string> names;
  for (const std::string_view name : assets_below("jobs/"))
    names.push_back(bare ? os::Path(name).stem().string() : std::string(name));
  const std::string guess = did_you_mean(path, names);
  return guess.empty() ? os::near_file_hint(path) : guess;
}

}  // namespace

os::Path database_path(const os::Path& home) {
  return home / "kilter.db";
}

SuiteFiles user_suites(const os::Path& home) {
  SuiteFiles files;
  for (const os::Path& folder : {home / "suites", fs::current_path() / "suites"})
    for (const os::Path& path : os::list_directory(folder))
      if (path.extension() == ".yaml")
        if (const std::optional<std::string> text = read_if_file(path))
          files.emplace_back(path.string(), *text);
  return files;
}

Result<Lab> open_dry_lab(const World& world, const SuiteFiles& suites) {
  SuiteFiles extra = user_suites(world.home);
  extra.insert(extra.end(), suites.begin(), suites.end());
  ASSIGN_OR_RETURN(suite::Catalogue catalogue, suite::Catalogue::load(extra));
  std::unique_ptr<execute::Machine> machine = execute::local_machine(world.runner, world.clock, world.root);
  ASSIGN_OR_RETURN(model::Machine box, machine->describe());
  return Lab{.world = world,
             .machine = std::move(machine),
             .box = std::move(box),
             .store = nullptr,
             .catalogue = std::move(catalogue),
             .session = session_id(world)};
}

Result<Lab> open_lab(const World& world, const SuiteFiles& suites, std::vector<std::string>& notes) {
  notes = execute::repair(world.home, world.runner, world.root);
  static_cast<void>(store::sweep_unfinished(world.home));
  ASSIGN_OR_RETURN(Lab lab, open_dry_lab(world, suites));
  ASSIGN_OR_RETURN(lab.store, store::open_store(database_path(world.home)));
  return lab;
}

Result<std::unique_ptr<store::Store>> open_results(const os::Path& home) {
  const os::Path database = database_path(home);
  if (!os::is_there(database)) return std::unique_ptr<store::Store>();
  return store::open_store(database, store::Access::read);
}

Result<ReadingRoom> open_reading_room(const World& world) {
  SuiteFiles suites = user_suites(world.home);
  for (auto& suite : project_suites(world.home)) suites.push_back(std::move(suite));
  ASSIGN_OR_RETURN(suite::Catalogue catalogue, suite::Catalogue::load(suites));
  ReadingRoom room{
      .world = world, .store = nullptr, .catalogue = std::move(catalogue), .store_error = std::nullopt};
  Result<std::unique_ptr<store::Store>> opened = open_results(world.home);
  if (opened)
    room.store = std::move(*opened);
  else
    room.store_error = opened.error();
  return room;
}

suite::HostFacts host_facts(const Lab& lab) {
  suite::HostFacts facts;
  facts.nr_cpu = lab.box.nr_cpu;
  facts.memory_kb = lab.box.memory_kb;
  facts.kilter_bench = (os::program_directory() / "kilter-bench").string();
  facts.install_root = (lab.world.home / "tools").string();
  return facts;
}

job::FileReader job_reader(const os::Path& home, const model::Machine& box) {
  return [home, box,
          known = std::make_shared<KnownFolders>()](const std::string& path) -> std::optional<std::string> {
    if (std::optional<std::string> text = known->read(path)) return text;
    if (!path.starts_with('/'))
      if (std::optional<std::string> text = known->read((home / path).string())) return text;
    if (const std::optional<std::string_view> built_in = asset(path)) return std::string(*built_in);
    if (path == "hosts/" + box.host || path == "hosts/" + box.tbox_group) return host_file_text(box);
    return std::nullopt;
  };
}

job::ExpandOptions expand_options(const model::Machine& box, std::vector<std::string> overrides) {
  job::ExpandOptions options;
  options.testbox = box.host;
  options.arch = box.arch;
  options.overrides = std::move(overrides);
  return options;
}

Result<std::vector<model::UnitJob>> load_jobs(const std::string& path, const os::Path& home,
                                              const model::Machine& box, const job::ExpandOptions& options) {
  const job::FileReader read = job_reader(home, box);
  const std::optional<std::string> text = read(path);
  if (!text) {
    const std::string guess = near_job(path);
    return usage_error(fmt::format("reading job '{}': no such file", printable(path)),
                       guess.empty() ? "built-in jobs: kilter doctor --jobs" : guess);
  }
  return job::load_jobs(path, read, options);
}

model::UnitJob with_command(model::UnitJob job, const std::vector<std::string>& command) {
  constexpr std::size_t kLongest = 31;  // of a value in a name, LKP's limit
  const std::string text = printable(shell_join(command));
  std::string part = text.substr(0, kLongest);
  for (char& c : part)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && !std::string_view("-+=:.%").contains(c)) c = '_';
  job.path_params = job.path_params == "defaults" ? part : job.path_params + "-" + part;
  job.name += "-" + part;
  job.axes["cmd"] = text;
  job.parameters.emplace_back("cmd", text);
  job.mapped.emplace_back("cmd", text);
  return job;
}

}  // namespace kilter::robot
