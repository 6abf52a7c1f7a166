#include "project/construction.h"

#include "base/quantity.h"
#include "base/text.h"
#include "os/clock.h"
#include "project/source_tree.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

namespace kilter::project {
namespace {

constexpr std::size_t kTailLines = 15;
constexpr std::uint64_t kLogLimit = std::uint64_t{256} << 20;
constexpr std::uint64_t kTailBytes = std::uint64_t{64} << 10;
constexpr double kExtraWait = 120;

std::string tail_of(const os::Path& log) {
  const Result<std::string> text = os::read_tail(log, kTailBytes);
  if (!text) return "";
  const std::vector<std::string_view> all = lines(*text);
  std::string tail;
  for (std::size_t i = all.size() - std::min(kTailLines, all.size()); i < all.size(); ++i)
    tail += printable(all[i].substr(0, 400)) + "\n";
  return tail;
}

// Debian's masquerade directory: gcc and the like by way of ccache, for every build system.
std::string path_with_ccache() {
  const char* path = std::getenv("PATH");
  const std::string plain = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  const bool there = os::is_directory("/usr/lib/ccache") && !os::find_program("ccache").empty();
  return there ? "/usr/lib/ccache:" + plain : plain;
}

std::map<std::string, std::string> build_environment(const BuildSite& site) {
  const os::Path cache = site.places.cache();
  return {{"LC_ALL", "C"},
          {"TZ", "UTC"},
          {"SOURCE_DATE_EPOCH", kSourceDate},
          {"PATH", path_with_ccache()},
          {"CCACHE_DIR", (cache / "ccache").string()},
          {"CCACHE_MAXSIZE", "2G"},
          {"CARGO_HOME", (cache / "cargo").string()},
          {"GOCACHE", (cache / "go").string()},
          {"GOPATH", (cache / "gopath").string()},
          {"XDG_CACHE_HOME", (cache / "xdg").string()}};
}

}  // namespace

Construction::Construction(const BuildSite& site, BuildOrder order)
    : site_(site), order_(std::move(order)), began_(os::system_clock().monotonic()) {
  result_.build.key = order_.key;
}

bool Construction::sandboxed() const {
  return site_.sandbox->usable() && site_.repository->project().build.sandbox;
}

void Construction::tell(const std::string& text) const {
  if (order_.progress) order_.progress({order_.revision.label, step_, order_.inputs.steps.size(), text});
}

Result<bool> Construction::poll() {
  if (!slot_) return enter();
  return watch_step();
}

Result<bool> Construction::enter() {
  ASSIGN_OR_RETURN(const bool locked, enter_lock());
  if (!locked) return false;
  const os::Path entry = site_.places.root / order_.key;
  if (std::optional<model::Build> cached = load_build(entry)) {
    result_.build = std::move(*cached);
    return true;
  }
  ASSIGN_OR_RETURN(std::optional<Slot> slot,
                   Slot::take(site_.places, sandboxed() ? Slot::Kind::sandboxed : Slot::Kind::plain));
  if (!slot) return false;
  TRY(os::remove_tree(entry));
  slot_.emplace(std::move(*slot));
  began_ = os::system_clock().monotonic();
  TRY(prepare());
  return start_step();
}

// Another kilter may be building the same key: then its result is ours.
Result<bool> Construction::enter_lock() {
  if (lock_) return true;
  Result<os::FileLock> lock = os::FileLock::acquire(site_.places.locks() / order_.key, 0);
  if (lock) {
    lock_.emplace(std::move(*lock));
    return true;
  }
  if (os::system_clock().monotonic() > began_ + order_.timeout + kExtraWait) return fail(lock.error());
  if (!std::exchange(told_waiting_, true)) tell("waiting for another kilter that builds the same");
  return false;
}

Status Construction::prepare() {
  tell("exporting the sources");
  return export_tree(site_.repository->git(), order_.inputs.tree, slot_->source(), slot_->tmp());
}

os::Command Construction::command_of(const Argv& step) const {
  os::Command command = {.argv = step, .env = build_environment(site_), .clear_env = true};
  command.cwd = slot_->source();
  for (const auto& [name, value] : order_.inputs.env) command.env[name] = value;
  command.out = {.kind = os::Stream::Kind::append, .file = slot_->log()};
  command.err = {.kind = os::Stream::Kind::same_as_out};
  command.env.emplace("TMPDIR", sandboxed() ? "/tmp" : slot_->tmp().string());
  if (!sandboxed()) return command;
  command.argv = site_.sandbox->wrap(step, {.source = slot_->source(),
                                            .mount = site_.places.source(),
                                            .tmp = slot_->tmp(),
                                            .cache = site_.places.cache(),
                                            .network = site_.repository->project().build.network});
  return command;
}

Result<bool> Construction::start_step() {
  if (step_ == order_.inputs.steps.size()) return finish();
  const Argv step = with_jobs(order_.inputs.steps[step_], order_.jobs);
  ++step_;
  const std::string text = printable(shell_join(step));
  tell(text);
  TRY(os::append_file(slot_->log(), "$ " + text + "\n"));
  const bool of_sources = step[0].contains('/') || order_.inputs.env.contains("PATH");
  if (!of_sources && os::find_program(step[0]).empty())
    return failure(fmt::format("building '{}': '{}' is not installed", site_.repository->project().name,
                               printable(step[0])),
                   "kilter install, or your package manager, can put it there");
  Result<std::unique_ptr<os::Process>> process = site_.runner->start(command_of(step));
  if (!process) return end_failed(process.error().message);
  process_ = std::move(*process);
  return false;
}

Result<bool> Construction::watch_step() {
  const double elapsed = os::system_clock().monotonic() - began_;
  std::error_code ignored;
  if (elapsed > order_.timeout) {
    process_->stop();
    return end_failed(fmt::format("'{}' was stopped after {}, the build's time limit",
                                  printable(order_.inputs.steps[step_ - 1][0]), format_duration(elapsed)));
  }
  if (std::filesystem::file_size(slot_->log(), ignored) > kLogLimit && !ignored) {
    process_->stop();
    return end_failed(fmt::format("its log grew over {}", format_bytes(static_cast<double>(kLogLimit))));
  }
  if (!process_->ended()) return false;
  const os::ProcessResult result = process_->wait();
  process_.reset();
  if (result.interrupted) return interrupted("building was interrupted");
  if (!result.ok())
    return end_failed(
        fmt::format("'{}' {}", printable(shell_join(with_jobs(order_.inputs.steps[step_ - 1], order_.jobs))),
                    result.how()));
  return start_step();
}

Result<bool> Construction::finish() {
  tell("keeping the artefacts");
  for (const auto& [name, path] : order_.inputs.artefacts)
    if (std::error_code missing; !std::filesystem::exists(slot_->source() / path, missing))
      return end_without(name);
  const Result<Collected> collected =
      collect_artefacts(order_.inputs.artefacts, slot_->source(), slot_->staging());
  if (!collected && collected.error().code == ErrorCode::usage) return end_failed(collected.error().message);
  if (!collected) return fail(collected.error());
  model::Build& build = result_.build;
  build.id = collected->id;
  build.seconds = os::system_clock().monotonic() - began_;
  const os::Path entry = site_.places.root / order_.key;
  TRY(os::write_file(slot_->staging() / "meta.json",
                     build_meta(order_.revision, order_.inputs, *collected, build)));
  TRY(os::append_file(slot_->log(), ""));
  TRY(os::rename_path(slot_->log(), slot_->staging() / "build.log"));
  TRY(os::rename_path(slot_->staging(), entry));
  build.directory = entry.string();
  build.log = (entry / "build.log").string();
  for (const auto& [name, hash] : collected->hashes) build.artefacts[name] = (entry / name).string();
  return true;
}

Result<bool> Construction::end_failed(std::string reason) {
  process_.reset();
  result_.outcome = model::Outcome::build_failed;
  result_.reason = std::move(reason);
  result_.build.seconds = os::system_clock().monotonic() - began_;
  result_.tail = tail_of(slot_->log());
  const os::Path log = site_.places.failed() / (order_.key + ".log");
  TRY(os::rename_path(slot_->log(), log));
  result_.build.log = log.string();
  return true;
}

Result<bool> Construction::end_without(const std::string& artefact) {
  result_.lacks_artefact = true;
  return end_failed(fmt::format("artefact '{}': the build made no '{}'", artefact,
                                printable(order_.inputs.artefacts.at(artefact))));
}

}  // namespace kilter::project
