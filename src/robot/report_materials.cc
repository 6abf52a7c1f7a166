#include "robot/report_materials.h"

#include "base/text.h"
#include "project/build_cache.h"
#include "robot/measure.h"
#include "robot/revisions.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace kilter::robot {
namespace {

namespace fs = std::filesystem;
using Members = std::vector<ArchiveMember>;

constexpr std::uint64_t kMostArtefactBytes = std::uint64_t{32} << 20;  // of one side
constexpr std::uint64_t kMostTailBytes = std::uint64_t{16} << 20;
constexpr const char* kBench = "kilter-bench";
constexpr double kStripSeconds = 60;

void add_file(Members& members, const std::string& name, const os::Path& file, bool executable = false) {
  if (os::is_plain_file(file)) members.push_back({.name = name, .file = file, .executable = executable});
}

void add_text(Members& members, const std::string& name, std::string text, bool executable = false) {
  members.push_back({.name = name, .text = std::move(text), .executable = executable});
}

// A run of the side that was really made: one that failed to build has no script.
std::optional<os::Path> script_of(const Side& side) {
  for (const model::RunRecord& run : side.runs)
    if (os::Path script = os::Path(run.directory) / "reproduce.sh"; os::is_plain_file(script)) return script;
  return std::nullopt;
}

bool uses_engine(const Side& side) {
  const std::optional<os::Path> script = script_of(side);
  return script && os::read_file(*script).value_or("").contains("\"$KILTER_BENCH\"");
}

bool worth_keeping(const os::Path& file) {
  const std::string name = file.filename().string();
  return !name.ends_with(".tmp") && name != kSamplerSpec && !name.ends_with(".json.gz");
}

// All of a run's own files; parsed series can be made again from the raw ones.
void add_runs(Members& members, const Side& side, const std::string& folder) {
  for (const model::RunRecord& run : side.runs)
    for (const os::Path& file : os::list_directory(run.directory))
      if (worth_keeping(file))
        add_file(members,
                 fmt::format("{}/{}/{}", folder, os::Path(run.directory).filename().string(),
                             file.filename().string()),
                 file, file.filename() == "reproduce.sh");
}

os::Path cache_entry(const ReadingRoom& room, const project::BuildRecord& build) {
  return room.world.home / "build" / build.project / build.key;
}

// Files and links below `path`, under `name`.
void add_tree(Members& members, const std::string& name, const os::Path& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (fs::is_symlink(status))
    members.push_back({.name = name, .link = fs::read_symlink(path, error).string()});
  if (fs::is_directory(status))
    for (const os::Path& inner : os::list_directory(path))
      add_tree(members, name + "/" + inner.filename().string(), inner);
  const bool executable = (status.permissions() & fs::perms::owner_exec) != fs::perms::none;
  if (fs::is_regular_file(status)) add_file(members, name, path, executable);
}

std::uint64_t bytes_of(const Members& members) {
  std::uint64_t bytes = 0;
  for (const ArchiveMember& member : members)
    bytes += member.file.empty() ? member.text.size() : os::size_of_file(member.file);
  return bytes;
}

// Only what is still, byte for byte, what was measured, and not too large.
void add_artefacts(Members& members, const ReadingRoom& room, const project::BuildRecord& build,
                   const std::string& folder) {
  const std::optional<model::Build> found = project::load_build(cache_entry(room, build));
  if (!found || found->id != build.id) return;
  Members artefacts;
  for (const auto& [name, path] : found->artefacts)
    add_tree(artefacts, fmt::format("{}/artefacts/{}", folder, name), path);
  if (bytes_of(artefacts) <= kMostArtefactBytes)
    members.insert(members.end(), std::make_move_iterator(artefacts.begin()),
                   std::make_move_iterator(artefacts.end()));
}

// A build that failed has its log in the run; one that was good has it in the cache.
std::optional<os::Path> log_of(const ReadingRoom& room, const Side& side) {
  std::vector<os::Path> places = {cache_entry(room, *side.build) / "build.log"};
  for (const model::RunRecord& run : side.runs) places.push_back(os::Path(run.directory) / "build.log");
  for (const os::Path& place : places)
    if (os::is_plain_file(place)) return place;
  return std::nullopt;
}

void add_kernel(Members& members, const ReadingRoom& room, const Side& side) {
  if (!side.kernel) return;
  const std::string folder = "build/" + side.build_name;
  for (const model::RunRecord& run : side.runs)
    if (const os::Path told = os::Path(run.directory) / kKernelJson; os::is_plain_file(told)) {
      add_file(members, folder + "/" + kKernelJson, told);
      break;
    }
  if (const std::optional<os::Path> config = kept_config(*side.kernel, room.world.home))
    add_file(members, folder + "/config", *config);
}

void add_build(Members& members, const ReadingRoom& room, const Side& side) {
  add_kernel(members, room, side);
  if (!side.build) return;
  const std::string folder = "build/" + side.build_name;
  for (const model::RunRecord& run : side.runs)
    if (const os::Path info = os::Path(run.directory) / kBuildInfo; os::is_plain_file(info)) {
      add_file(members, folder + "/" + kBuildInfo, info);
      break;
    }
  if (const std::optional<os::Path> log = log_of(room, side))
    add_text(members, folder + "/build.log", os::read_tail(*log, kMostTailBytes).value_or(""));
  add_text(members, folder + "/build.sh", project::build_script(*side.build), true);
  for (const project::PatchFile& patch : side.build->patches) {
    add_text(members, folder + "/" + patch.name, patch.text);
    add_text(members, fmt::format("patches/{}/{}", side.build_name, patch.name), patch.text);
  }
  add_artefacts(members, room, *side.build, folder);
}

// Of the one that stands beside this kilter; without its debug information where `strip` is there.
void add_engine(Members& members, const ReadingRoom& room, os::ProcessRunner& runner) {
  std::error_code missing;
  const os::Path engine = fs::canonical(os::program_directory() / kBench, missing);
  if (missing) return;
  const std::string name = std::string("bin/") + kBench;
  const Result<os::TempDir> scratch = os::TempDir::create(room.world.home, "strip");
  if (scratch) {
    const os::Path small = scratch->path() / kBench;
    const Result<os::ProcessResult> done =
        runner.run({.argv = {"strip", "-o", small.string(), engine.string()}, .timeout = kStripSeconds});
    if (done && done->ok())
      if (Result<std::string> bytes = os::read_file(small)) {
        add_text(members, name, std::move(*bytes), true);
        return;
      }
  }
  add_file(members, name, engine, true);
}

// "nr_task=100%": what tells a side of a pair from the others.
std::string compared_text(const Story& story, std::size_t column) {
  std::vector<std::string> parts;
  for (const report::MailAxis& axis : story.differs) {
    const model::Axes& axes = (*story.columns)[column].axes;
    const auto it = axes.find(axis.name);
    if (it != axes.end()) parts.push_back(axis.name + "=" + it->second);
  }
  return parts.empty() ? story.sides[column].name : join(parts, ", ");
}

// Foreign text in a message of the script: on one line, within single quotes. What was not built here runs on
// what is there.
std::string title_of(const Side& side, const Story& story, std::size_t column) {
  if (story.is_pair()) {
    const std::string text = printable(compared_text(story, column));
    return shell_quote(replace_all(text, "\n", " ")) + (side.build ? "" : "\", on $(uname -r)\"");
  }
  if (!side.build) return "\"here, on $(uname -r)\"";
  const std::string& subject = story.table->columns[column].subject;
  const std::string text = side.name + (subject.empty() ? "" : " (\"" + subject + "\")");
  return shell_quote(replace_all(printable(text), "\n", " "));
}

// Sides that were built or are jobs, or just one, which runs on what is here.
std::vector<std::size_t> measured_sides(const Story& story) {
  std::vector<std::size_t> built;
  for (std::size_t i = 0; i < story.sides.size(); ++i)
    if (story.sides[i].build || (story.is_job_pair() && script_of(story.sides[i]))) built.push_back(i);
  if (built.empty() && script_of(story.head())) built.push_back(kHeadColumn);
  return built;
}

std::size_t runs_measured(const Story& story) {
  return std::max<std::size_t>(1, story.head().runs.size());
}

bool is_built(const Story& story) {
  return std::ranges::any_of(measured_sides(story),
                             [&](std::size_t i) { return story.sides[i].build.has_value(); });
}

// Takes the programs in the archive, or builds them.
std::string prepare_function(const Story& story) {
  std::string text = "prepare() { # BUILD\n";
  const std::string arch = story.machine ? story.machine->arch : "";
  if (!arch.empty())
    text += fmt::format(
        "  if [ -z \"${{BUILD:-}}\" ] && [ -d \"$here/build/$1/artefacts\" ] && [ \"$(uname -m)\" = {} ]; "
        "then\n"
        "    return\n  fi\n",
        shell_quote(arch));
  return text +
         "  sh \"$here/build/$1/build.sh\" >\"$here/build/$1/rebuild.log\" 2>&1 && return\n"
         "  echo \"building $1 failed: see $here/build/$1/rebuild.log\" >&2\n"
         "  failed=1\n"
         "}\n";
}

std::string script_head(const Story& story) {
  std::string text =
      "#!/bin/sh\n"
      "# Measures again what the report tells; no kilter is needed.\n"
      "#   sh reproduce.sh [RUNS]       runs of each side, in turns\n";
  if (is_built(story))
    text +=
        "#   BUILD=1 sh reproduce.sh      builds from source first, instead of taking the programs in here\n"
        "#   URL=... BUILD=1 sh ...       another clone of the sources\n";
  text += fmt::format("set -u\nruns=${{1:-{}}}\n", runs_measured(story));
  text +=
      "here=$(cd \"$(dirname \"$0\")\" && pwd)\n"
      "export KILTER_BENCH=\"${KILTER_BENCH:-$here/bin/kilter-bench}\"\n"
      "failed=0\n";
  if (is_built(story)) text += prepare_function(story);
  return text +
         "measure() { # SIDE BUILD TITLE\n"
         "  echo \"== $3\"\n"
         "  KILTER_BUILD=$here/build/$2/artefacts sh \"$here/run/$1.sh\" || {\n"
         "    echo \"== ended with $?\"\n"
         "    failed=1\n"
         "  }\n"
         "}\n";
}

std::string driver_script(const Story& story) {
  std::string text = script_head(story);
  std::string body;
  std::set<std::string> built;
  for (const std::size_t column : measured_sides(story)) {
    const Side& side = story.sides[column];
    if (side.build && built.insert(side.build_name).second)
      text += "prepare " + shell_quote(side.build_name) + "\n";
    if (script_of(side))
      body += fmt::format("  measure {} {} {}\n", shell_quote(side.name), shell_quote(side.build_name),
                          title_of(side, story, column));
  }
  if (!body.empty())
    text += "run=0\nwhile [ \"$run\" -lt \"$runs\" ]; do\n" + body + "  run=$((run + 1))\ndone\n";
  return text + "exit $failed\n";
}

// The project file with its url as others can use it: a path was relative to where the file stands.
std::string project_text(const project::Project& project) {
  std::string text;
  const std::string file = os::read_file(project.file).value_or("");
  for (const std::string_view line : lines(file))
    text += (line.starts_with("url:") ? "url: \"" + project::without_password(project.url) + "\""
                                      : std::string(line)) +
            "\n";
  return text;
}

const model::RunRecord* good_run(const Side& side) {
  for (const model::RunRecord& run : side.runs)
    if (run.outcome == model::Outcome::ok) return &run;
  return side.runs.empty() ? nullptr : &side.runs.front();
}

// Where the sides are two jobs. The runs of a directory that is compared with another may be of one.
bool has_jobs(const Story& story) {
  return story.is_job_pair() && !story.differs.front().name.empty();
}

void add_jobs(Members& members, const Story& story) {
  if (!has_jobs(story)) return;
  for (const Side& side : story.sides)
    if (const model::RunRecord* run = good_run(side)) {
      add_file(members, "jobs/" + side.name + ".yaml", os::Path(run->directory) / "job.yaml");
      add_file(members, "plans/" + side.name + ".json", os::Path(run->directory) / "plan.json");
    }
}

// job.yaml, plan and machine at the top are those of the run that is shown.
void add_top(Members& members, const ReadingRoom& room, const Story& story) {
  if (story.example)
    for (const char* name : {"job.yaml", "machine.json", "plan.json"})
      add_file(members, name, os::Path(story.example->directory) / name);
  add_jobs(members, story);
  if (!measured_sides(story).empty()) add_text(members, "reproduce.sh", driver_script(story), true);
  for (const Side& side : story.sides)
    if (const std::optional<os::Path> script = script_of(side))
      add_file(members, fmt::format("run/{}.sh", side.name), *script, true);
  // Suites that are not built in; kilter looks for them in ./suites.
  for (const auto& [path, text] : user_suites(room.world.home))
    if (const std::string name = os::Path(path).stem().string();
        name == story.job.suite || name == story.job.testcase || name == story.job.program)
      add_text(members, "suites/" + name + ".yaml", text);
  if (!story.head().build) return;
  if (const Result<project::Project> project = open_project(room.world.home, story.head().build->project))
    add_text(members, "project.yaml", project_text(*project));
}

// As `--rev` takes it: the patches lie beside.
std::string revision_word(const Side& side) {
  std::string word = side.build->commit;
  for (const project::PatchFile& patch : side.build->patches)
    word += fmt::format("+patches/{}/{}", side.build_name, patch.name);
  return word;
}

// The jobs that `kilter run` is given.
std::vector<std::string> job_words(const Story& story) {
  if (!has_jobs(story)) return {"job.yaml"};
  std::vector<std::string> words;
  for (const Side& side : story.sides)
    if (good_run(side) != nullptr) words.push_back("jobs/" + side.name + ".yaml");
  return words;
}

// "compare -c nr_task nr_task=1 nr_task=100%": of jobs, by what tells them apart.
void add_job_words(std::vector<std::string>& compare, const Story& story) {
  std::vector<std::string> keys;
  for (const report::MailAxis& axis : story.differs) keys.push_back(axis.name);
  compare.insert(compare.end(), {"-c", join(keys, ",")});
  for (const Cell& cell : *story.columns) {
    model::Axes axes;
    for (const std::string& key : keys)
      if (const auto it = cell.axes.find(key); it != cell.axes.end()) axes.insert(*it);
    compare.push_back(model::axes_key(axes));
  }
}

// A home of their own: neither the user's results nor what the user calls by the project's name is touched.
void add_project_steps(std::vector<std::string>& steps, const Story& story) {
  std::vector<std::string> run = {"kilter", "--home", "home", "run", "--project", "project.yaml"};
  std::vector<std::string> compare = {"kilter", "--home", "home", "compare"};
  std::set<std::string> named;
  for (const Side& side : story.sides) {
    if (!side.build || !named.insert(side.label).second) continue;
    run.insert(run.end(), {"--rev", revision_word(side)});
    if (!story.is_pair()) compare.push_back(side.label);
  }
  if (has_jobs(story)) add_job_words(compare, story);
  run.insert(run.end(), {"--runs", std::to_string(runs_measured(story))});
  for (const std::string& word : job_words(story)) run.push_back(word);
  steps.push_back(shell_join(run));
  steps.push_back(shell_join(compare));
}

// In comments: pasted, they do nothing.
std::string kernel_words(const Story& story, const std::string& between) {
  std::vector<std::string> names;
  for (const Side& side : story.sides) names.push_back(shell_quote(side.label));
  return replace_all(printable(join(names, between)), "\n", " ");
}

// `kilter run`, once where every kernel tells its own name, else for each under the name it was given.
std::vector<std::string> run_steps(const Story& story) {
  const std::string run = fmt::format("kilter --home home run --runs {:<21} ", runs_measured(story));
  std::vector<std::string> steps;
  bool any = false;
  for (const Side& side : story.sides) {
    const bool called = story.is_of_kernels() && side.kernel && side.kernel->commit != side.label;
    const std::string name = shell_quote(side.label);
    steps.push_back(run + (called ? "--kernel-name " + name + " " : "") + "unit/*.yaml    # on " + name);
    any = any || called;
  }
  return any ? steps : std::vector<std::string>{run + "unit/*.yaml"};
}

void add_suite_steps(std::vector<std::string>& steps, const Story& story) {
  const std::string jobs = shell_join(job_words(story));
  steps.push_back("kilter --home home install                          " + jobs);
  steps.push_back("kilter --home home split-job --compatible -o unit   " + jobs);
  for (std::string& step : run_steps(story)) steps.push_back(std::move(step));
  if (story.is_of_kernels())
    steps.push_back("# measured on all of them: kilter --home home compare " + kernel_words(story, " "));
  if (!has_jobs(story)) return;
  std::vector<std::string> compare = {"kilter", "--home", "home", "compare"};
  add_job_words(compare, story);
  steps.push_back(shell_join(compare));
}

}  // namespace

std::vector<ArchiveMember> materials(const ReadingRoom& room, const std::vector<Story>& stories,
                                     os::ProcessRunner& runner) {
  Members members;
  add_top(members, room, stories.front());
  std::set<std::string> built;
  bool engine = false;
  for (const Story& story : stories)
    for (const Side& side : story.sides) {
      engine = engine || uses_engine(side);
      if (built.insert(side.build_name).second) add_build(members, room, side);
    }
  if (engine) add_engine(members, room, runner);
  for (std::size_t i = 0; i < stories.size(); ++i)
    for (const Side& side : stories[i].sides)
      add_runs(members, side, fmt::format("results/{}/{}", i, side.name));
  return members;
}

std::vector<std::string> reproduce_steps(const Story& story, const std::string& archive) {
  if (measured_sides(story).empty() && story.job.text.empty()) return {};
  std::vector<std::string> steps;
  if (archive.contains("://")) steps.push_back("curl -fLO " + shell_quote(archive));
  const std::string file = archive.contains("://") ? os::Path(archive).filename().string() : archive;
  steps.push_back("mkdir -p materials && tar -xzf " + shell_quote(file) + " -C materials && cd materials");
  if (story.is_of_kernels()) steps.push_back("# on " + kernel_words(story, " and on ") + ":");
  if (!measured_sides(story).empty())
    steps.push_back(fmt::format("sh reproduce.sh {}    # without kilter", runs_measured(story)));
  if (!story.job.text.empty()) {
    steps.emplace_back("");
    story.head().build ? add_project_steps(steps, story) : add_suite_steps(steps, story);
  }
  return steps;
}

std::string build_text(const Story& story) {
  if (!story.head().build) return "";
  std::vector<std::string> steps;
  for (const project::Argv& step : story.head().build->steps) {
    std::vector<std::string> words;
    for (const std::string& word : step) words.push_back(replace_all(word, "{jobs}", "N"));
    steps.push_back(shell_join(words));
  }
  return join(steps, "; ");
}

}  // namespace kilter::robot
