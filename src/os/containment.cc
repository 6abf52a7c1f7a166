#include "os/containment.h"

#include "base/text.h"
#include "os/spawn.h"

#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <iterator>
#include <set>
#include <string>
#include <time.h>
#include <unistd.h>
#include <utility>

namespace kilter::os {
namespace {

constexpr int kRounds = 200;
constexpr long kPauseNs = 2'000'000;
constexpr std::size_t kEnvironLimit = 1 << 22;

// A file of /proc/PID, read without more ado: this is done for every process of the machine.
std::optional<std::string> read_proc(pid_t pid, const char* name) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
  const Fd fd(::open(path, O_RDONLY | O_CLOEXEC));
  if (!fd) return std::nullopt;
  char buffer[4096];
  std::string text;
  while (text.size() < kEnvironLimit) {
    const ssize_t got = ::read(fd.get(), buffer, sizeof buffer);
    if (got < 0) return std::nullopt;
    text.append(buffer, static_cast<std::size_t>(got));
    if (got < static_cast<ssize_t>(sizeof buffer)) break;
  }
  return text;
}

// A tick early: the kernel cuts the time a process started.
std::uint64_t ticks_since_boot() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  const double seconds = static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
  const double ticks = seconds * static_cast<double>(::sysconf(_SC_CLK_TCK)) - 1;
  return static_cast<std::uint64_t>(std::max(0.0, ticks));
}

// What /proc/PID/stat says.
struct Seen {
  pid_t parent = 0;
  char state = '?';
  std::uint64_t started = 0;  // clock ticks since boot
};

// The fields after the command name, which may itself hold blanks and parentheses.
std::optional<Seen> look_at(pid_t pid) {
  constexpr std::size_t kStarted = 19;
  const std::optional<std::string> text = read_proc(pid, "stat");
  const std::size_t close = text ? text->rfind(')') : std::string::npos;
  if (close == std::string::npos) return std::nullopt;
  const std::vector<std::string_view> field = words(std::string_view(*text).substr(close + 1));
  if (field.size() <= kStarted) return std::nullopt;
  return Seen{static_cast<pid_t>(parse_int(field[1]).value_or(0)), field[0][0],
              static_cast<std::uint64_t>(parse_int(field[kStarted]).value_or(0))};
}

bool carries(pid_t pid, const std::string& marker) {
  const std::optional<std::string> text = read_proc(pid, "environ");
  const std::string entry = marker + '\0';
  return text && (text->starts_with(entry) || text->contains('\0' + entry));
}

bool alive(pid_t pid) {
  const std::optional<Seen> seen = look_at(pid);
  return seen && seen->state != 'Z' && seen->state != 'X';
}

// The numbered entries of a directory.
std::vector<pid_t> numbers_in(const std::string& path) {
  std::vector<pid_t> pids;
  DIR* directory = ::opendir(path.c_str());
  if (directory == nullptr) return pids;
  while (const dirent* entry = ::readdir(directory))
    if (const std::optional<std::int64_t> pid = parse_int(entry->d_name))
      pids.push_back(static_cast<pid_t>(*pid));
  ::closedir(directory);
  return pids;
}

// How to know the processes of a run. A machine has thousands of processes (kernel threads), nearly all of
// them older than the run: those cost one read.
struct Search {
  std::string marker;  // NAME=VALUE
  const std::optional<Cgroup>& cgroup;
  bool with_orphans = false;
  std::uint64_t since = 0;  // clock ticks since boot
};

// /proc/PID/task/TID/children of all threads; nullopt where the kernel has no such file
// (CONFIG_PROC_CHILDREN).
std::optional<std::vector<pid_t>> children_of(pid_t pid) {
  std::vector<pid_t> children;
  for (const pid_t thread : numbers_in("/proc/" + std::to_string(pid) + "/task")) {
    const std::optional<std::string> text =
        read_proc(pid, ("task/" + std::to_string(thread) + "/children").c_str());
    if (!text) return std::nullopt;
    for (const std::string_view word : words(*text))
      if (const std::optional<std::int64_t> child = parse_int(word))
        children.push_back(static_cast<pid_t>(*child));
  }
  return children;
}

// All below us but what os/process.h looks after: as subreaper we are the ancestor of whatever a run started.
std::optional<std::set<pid_t>> orphan_trees() {
  const std::optional<std::vector<pid_t>> own = children_of(::getpid());
  if (!own) return std::nullopt;
  std::vector<pid_t> open = *own;
  std::erase_if(open, is_spawned_child);
  std::set<pid_t> found;
  while (!open.empty()) {
    const pid_t pid = open.back();
    open.pop_back();
    if (!found.insert(pid).second) continue;
    const std::optional<std::vector<pid_t>> children = children_of(pid);
    if (children) open.insert(open.end(), children->begin(), children->end());
  }
  return found;
}

// One look: who belongs to the run, dead or alive.
std::set<pid_t> members(const Search& search) {
  std::set<pid_t> found;
  if (search.cgroup)
    for (const pid_t pid : search.cgroup->processes()) found.insert(pid);
  const std::optional<std::set<pid_t>> trees = search.with_orphans ? orphan_trees() : std::nullopt;
  if (trees) {
    found.insert(trees->begin(), trees->end());
    return found;
  }
  const pid_t self = ::getpid();
  for (const pid_t pid : numbers_in("/proc")) {
    const std::optional<Seen> seen = look_at(pid);
    if (!seen || seen->started < search.since) continue;
    const bool orphan = search.with_orphans && seen->parent == self && !is_spawned_child(pid);
    if (orphan || carries(pid, search.marker)) found.insert(pid);
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

std::string marker_of(const std::string& id) {
  return std::string(kRunMarker) + "=" + id;
}

Containment::Swept sweep_members(const Search& search) {
  Containment::Swept swept;
  std::set<pid_t> killed;
  bool was_empty = false;
  for (int round = 0; round < kRounds; ++round) {
    const std::set<pid_t> left = members(search);
    // Only an empty list is an answer: a process that was listed and is dead by now may have handed itself on
    // after the list was made. And lists of children read while one of them ends may be short of another, so
    // it takes two.
    swept.clean = left.empty();
    if (left.empty() && std::exchange(was_empty, true)) break;
    if (left.empty()) continue;
    was_empty = false;
    std::ranges::copy_if(left, std::inserter(killed, killed.end()), alive);  // before the group is killed
    if (search.cgroup) search.cgroup->kill_all();
    for (const pid_t pid : left) {
      ::kill(pid, SIGKILL);
      bury(pid, swept.usage);
    }
    pause();
  }
  swept.killed = static_cast<int>(killed.size());
  return swept;
}

}  // namespace

Containment::Containment(const Root& root, std::string id)
    : id_(std::move(id)), cgroup_(Cgroup::create(root, "kilter-" + id_)), since_(ticks_since_boot()) {
  ::prctl(PR_GET_CHILD_SUBREAPER, &was_subreaper_);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Containment::~Containment() {
  if (in_use_) sweep();
  if (cgroup_) remove_soon(*cgroup_);
  ::prctl(PR_SET_CHILD_SUBREAPER, was_subreaper_);
}

void Containment::enclose(Command& command) {
  in_use_ = true;
  command.env[kRunMarker] = id_;
  if (cgroup_) command.cgroups.push_back(cgroup_->path());
}

Containment::Swept Containment::sweep() {
  in_use_ = false;
  return sweep_members({.marker = marker_of(id_), .cgroup = cgroup_, .with_orphans = true, .since = since_});
}

void sweep_stale(const std::string& id, const Path& cgroup) {
  const std::optional<Cgroup> group = cgroup.empty() ? std::nullopt : std::optional<Cgroup>(Cgroup(cgroup));
  sweep_members({.marker = marker_of(id), .cgroup = group});
  if (group) remove_soon(*group);
}

}  // namespace kilter::os
