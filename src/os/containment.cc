#include "os/containment.h"

#include "base/text.h"
#include "os/spawn.h"

#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <set>
#include <time.h>
#include <unistd.h>

namespace kilter::os {
namespace {

constexpr int kRounds = 200;
constexpr long kPauseNs = 2'000'000;
constexpr std::uint64_t kEnvironLimit = 1 << 22;

struct Seen {
  pid_t parent = 0;
  char state = '?';
};

// The fields after the command name, which may itself hold blanks and parentheses.
std::optional<Seen> look_at(pid_t pid) {
  const Result<std::string> text = read_file("/proc/" + std::to_string(pid) + "/stat", 1 << 16);
  if (!text) return std::nullopt;
  const std::size_t close = text->rfind(')');
  if (close == std::string::npos) return std::nullopt;
  const std::vector<std::string_view> field = words(std::string_view(*text).substr(close + 1));
  if (field.size() < 2) return std::nullopt;
  return Seen{static_cast<pid_t>(parse_int(field[1]).value_or(0)), field[0][0]};
}

bool carries(pid_t pid, const std::string& marker) {
  const Result<std::string> text = read_file("/proc/" + std::to_string(pid) + "/environ", kEnvironLimit);
  if (!text) return false;
  for (const std::string_view entry : split(*text, '\0'))
    if (entry == marker) return true;
  return false;
}

bool alive(pid_t pid) {
  const std::optional<Seen> seen = look_at(pid);
  return seen && seen->state != 'Z' && seen->state != 'X';
}

// One look over /proc: who belongs to the run, dead or alive.
std::set<pid_t> members(const std::string& marker, const std::optional<Cgroup>& cgroup, bool with_orphans) {
  std::set<pid_t> found;
  if (cgroup)
    for (const pid_t pid : cgroup->processes()) found.insert(pid);
  const pid_t self = ::getpid();
  for (const Path& entry : list_directory("/proc")) {
    const std::optional<std::int64_t> number = parse_int(entry.filename().string());
    if (!number) continue;
    const pid_t pid = static_cast<pid_t>(*number);
    if (carries(pid, marker)) found.insert(pid);
    if (!with_orphans || is_spawned_child(pid)) continue;
    if (const std::optional<Seen> seen = look_at(pid); seen && seen->parent == self) found.insert(pid);
  }
  found.erase(self);
  return found;
}

// Buries `pid` if it is a dead orphan of ours.
void bury(pid_t pid, Usage& usage) {
  if (is_spawned_child(pid)) return;
  rusage raw{};
  if (::wait4(pid, nullptr, WNOHANG, &raw) != pid) return;
  usage += usage_of(raw);
}

void pause() {
  const timespec time{0, kPauseNs};
  ::nanosleep(&time, nullptr);
}

// The kernel lets go of a group a moment after its last process is gone.
void remove_soon(const Cgroup& group) {
  for (int round = 0; round < kRounds && !group.remove(); ++round) pause();
}

Containment::Swept sweep_members(const std::string& id, const std::optional<Cgroup>& cgroup,
                                 bool with_orphans) {
  Containment::Swept swept;
  std::set<pid_t> killed;
  const std::string marker = std::string(kRunMarker) + "=" + id;
  for (int round = 0; round < kRounds; ++round) {
    std::set<pid_t> left = members(marker, cgroup, with_orphans);
    for (const pid_t pid : left) bury(pid, swept.usage);
    std::erase_if(left, [](pid_t pid) { return !alive(pid); });
    swept.killed = static_cast<int>(killed.size());
    swept.clean = left.empty();
    if (left.empty()) break;
    if (cgroup) cgroup->kill_all();
    for (const pid_t pid : left) ::kill(pid, SIGKILL);
    killed.insert(left.begin(), left.end());
    pause();
  }
  return swept;
}

}  // namespace

Containment::Containment(const Root& root, std::string id)
    : id_(std::move(id)), cgroup_(Cgroup::create(root, "kilter-" + id_)) {
  ::prctl(PR_GET_CHILD_SUBREAPER, &was_subreaper_);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Containment::~Containment() {
  sweep();
  if (cgroup_) remove_soon(*cgroup_);
  ::prctl(PR_SET_CHILD_SUBREAPER, was_subreaper_);
}

void Containment::enclose(Command& command) const {
  command.env[kRunMarker] = id_;
  if (cgroup_) command.cgroups.push_back(cgroup_->path());
}

Containment::Swept Containment::sweep() {
  return sweep_members(id_, cgroup_, true);
}

void sweep_stale(const std::string& id, const Path& cgroup) {
  const std::optional<Cgroup> group = cgroup.empty() ? std::nullopt : std::optional<Cgroup>(Cgroup(cgroup));
  sweep_members(id, group, false);
  if (group) remove_soon(*group);
}

}  // namespace kilter::os
