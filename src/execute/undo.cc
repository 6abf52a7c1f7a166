#include "execute/undo.h"

#include "base/text.h"
#include "model/json.h"
#include "os/clock.h"
#include "os/containment.h"

#include <fmt/core.h>

#include <array>
#include <optional>
#include <ranges>
#include <utility>

namespace kilter::execute {
namespace {

using Json = nlohmann::json;

constexpr double kUndoSeconds = 60;  // limit of one undoing command

constexpr std::array<std::pair<Undo::Kind, std::string_view>, 4> kKinds = {
    {{Undo::Kind::write, "write"},
     {Undo::Kind::run, "run"},
     {Undo::Kind::processes, "processes"},
     {Undo::Kind::remove, "remove"}}};

std::string kind_name(Undo::Kind kind) {
  for (const auto& [value, name] : kKinds)
    if (value == kind) return std::string(name);
  return {};
}

std::optional<Undo> undo_of(const Json& json) {
  const std::string kind = model::member<std::string>(json, "kind");
  for (const auto& [value, name] : kKinds)
    if (kind == name)
      return Undo{.kind = value,
                  .name = model::member<std::string>(json, "name"),
                  .path = model::member<std::string>(json, "path"),
                  .value = model::member<std::string>(json, "value"),
                  .argv = model::member<std::vector<std::string>>(json, "argv")};
  return std::nullopt;
}

// A power cut undoes these by itself, so they need not be on the disk before the change; a killed kilter
// leaves what it has written to the kernel.
bool reset_by_boot(const Undo& undo) {
  return undo.kind == Undo::Kind::processes ||
         (undo.kind == Undo::Kind::write &&
          (undo.path.starts_with("/sys/") || undo.path.starts_with("/proc/")));
}

// Worth the wait for the disk; a scratch directory is not.
bool survives_boot(const Undo& undo) {
  return !reset_by_boot(undo) && undo.kind != Undo::Kind::remove;
}

std::string line_of(const Undo& undo) {
  const Json json = {{"kind", kind_name(undo.kind)},
                     {"name", undo.name},
                     {"path", undo.path},
                     {"value", undo.value},
                     {"argv", undo.argv}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string boot_id(const os::Root& root) {
  const Result<std::string> text = root.read("/proc/sys/kernel/random/boot_id");
  return text ? std::string(trim(*text)) : std::string();
}

Status run_undo(const Undo& undo, os::ProcessRunner& runner) {
  const os::Command command{
      .argv = undo.argv, .cwd = "/", .timeout = kUndoSeconds, .survive_interrupt = true};
  const Result<std::string> done = run_checked(runner, command);
  if (!done) return fail(done.error());
  return {};
}

Status put_back(const Undo& undo, os::ProcessRunner& runner, const os::Root& root) {
  switch (undo.kind) {
    case Undo::Kind::write:
      return os::write_into(root.at(undo.path), undo.value);
    case Undo::Kind::run:
      return run_undo(undo, runner);
    case Undo::Kind::processes:
      os::sweep_stale(undo.value, undo.path);
      return {};
    case Undo::Kind::remove:
      return os::remove_tree(undo.path);
  }
  return {};
}

// What of a left-behind journal still has to be put back, in the order it was written.
std::vector<Undo> entries_left(std::string_view text, const std::string& boot) {
  std::vector<Undo> entries;
  bool rebooted = false;
  for (const std::string_view line : lines(text)) {
    const Result<Json> json = model::parse_json(line, "reading a journal");
    if (!json) continue;
    if (json->contains("boot")) rebooted = model::member<std::string>(*json, "boot") != boot;
    const std::optional<Undo> undo = undo_of(*json);
    if (undo && !(rebooted && reset_by_boot(*undo))) entries.push_back(*undo);
  }
  return entries;
}

std::string told(const Undo& undo) {
  if (undo.kind == Undo::Kind::write)
    return fmt::format("{}: '{}' is '{}' again", undo.name, undo.path, undo.value);
  if (undo.kind == Undo::Kind::run) return fmt::format("{}: ran '{}'", undo.name, shell_join(undo.argv));
  return {};
}

}  // namespace

Result<Journal> Journal::open(const os::Path& home, const std::string& id, const os::Root& root) {
  const Status made = os::make_directories(home / "journal");
  if (!made) return fail(made.error().with_hint("use another --home"));
  ASSIGN_OR_RETURN(os::JournalFile file, os::JournalFile::create(home / "journal" / (id + ".journal")));
  const Json header = {
      {"boot", boot_id(root)}, {"id", id}, {"started", os::utc_timestamp(os::system_clock().wall())}};
  TRY(file.append(header.dump(), os::Durability::lazy));
  return Journal(std::move(file));
}

Status Journal::add(const Undo& undo) {
  TRY(file_.append(line_of(undo), survives_boot(undo) ? os::Durability::synced : os::Durability::lazy));
  entries_.push_back(undo);
  return {};
}

std::vector<std::string> Journal::undo_all(os::ProcessRunner& runner, const os::Root& root) {
  std::vector<std::string> problems;
  for (const Undo& undo : std::views::reverse(entries_))
    if (const Status done = put_back(undo, runner, root); !done)
      problems.push_back(fmt::format("undoing {}: {}", undo.name, done.error().message));
  entries_.clear();
  if (const Status removed = file_.remove(); !removed) problems.push_back(removed.error().message);
  return problems;
}

std::vector<std::string> repair(const os::Path& home, os::ProcessRunner& runner, const os::Root& root) {
  std::vector<std::string> notes;
  const std::string boot = boot_id(root);
  for (const os::Path& path : os::list_directory(home / "journal")) {
    if (path.extension() != ".journal") continue;
    std::optional<os::JournalFile> file = os::JournalFile::take_over(path);
    if (!file) continue;
    const Result<std::string> text = file->read();
    if (!text) {
      notes.push_back(text.error().message);
      continue;
    }
    const std::vector<Undo> entries = entries_left(*text, boot);
    for (const Undo& undo : std::views::reverse(entries)) {
      const Status done = put_back(undo, runner, root);
      const std::string line = done ? told(undo) : fmt::format("{}: {}", undo.name, done.error().message);
      if (!line.empty()) notes.push_back("put back after a run that was killed: " + line);
    }
    if (const Status removed = file->remove(); !removed) notes.push_back(removed.error().message);
  }
  return notes;
}

bool other_run_lives(const os::Path& home, const std::string& id) {
  for (const os::Path& path : os::list_directory(home / "journal"))
    if (path.extension() == ".journal" && path.stem() != id && os::JournalFile::in_use(path)) return true;
  return false;
}

}  // namespace kilter::execute
