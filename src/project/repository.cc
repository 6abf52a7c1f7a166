#include "project/repository.h"

#include "base/hash.h"
#include "base/log.h"
#include "base/text.h"
#include "project/commit.h"
#include "project/revision_spec.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::project {
namespace {

constexpr double kFetchTimeout = 3600;
constexpr double kAskTimeout = 120;
constexpr double kLockTimeout = 3600;
constexpr std::uint64_t kPatchLimit = std::uint64_t{64} << 20;
constexpr std::size_t kDiffLimit = std::size_t{1} << 20;

// What a git that was killed left behind. Only for the holder of the mirror's lock.
void remove_stale_locks(const os::Path& mirror) {
  std::vector<os::Path> stale;
  for (const char* name : {"HEAD.lock", "packed-refs.lock", "config.lock"}) stale.push_back(mirror / name);
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator it(mirror / "refs", error);
       !error && it != std::filesystem::recursive_directory_iterator(); it.increment(error))
    if (it->path().extension() == ".lock") stale.push_back(it->path());
  for (const os::Path& path : stale)
    if (os::is_there(path)) (void)os::remove_tree(path);
}

// A patch's name may hold a plus sign too: the shortest run of parts that is a file.
Result<std::vector<std::string>> locate_patches(const std::vector<std::string>& parts, const os::Path& cwd) {
  std::vector<std::string> paths;
  for (std::size_t first = 0; first < parts.size();) {
    std::string name = parts[first];
    std::size_t next = first + 1;
    while (!std::filesystem::is_regular_file(cwd / name) && next < parts.size()) name += "+" + parts[next++];
    if (parts[first].empty() && !os::is_file(cwd / name))
      return usage_error("reading a patch: no file is named after a '+'", "e.g. --rev main+fix.patch");
    if (!std::filesystem::is_regular_file(cwd / name))
      return usage_error(fmt::format("reading patch '{}': no such file", printable(parts[first])));
    paths.push_back((cwd / name).lexically_normal().string());
    first = next;
  }
  return paths;
}

Result<std::string> patches_hash(const std::vector<std::string>& patches) {
  Sha256 hash;
  for (const std::string& path : patches) {
    ASSIGN_OR_RETURN(const std::string bytes, os::read_file(path, kPatchLimit));
    hash.update(std::to_string(bytes.size()) + "\n");
    hash.update(bytes);
  }
  return hash.finish_hex();
}

std::vector<std::string> to_lines(const std::string& text) {
  std::vector<std::string> all;
  for (const std::string_view line : lines(text)) all.emplace_back(line);
  return all;
}

// The candidates git lists: "hint:   a1b2c3d commit 2024-01-01 - subject".
std::string candidates_of(const std::string& err) {
  std::string list;
  for (const std::string_view line : lines(err)) {
    const std::vector<std::string_view> parts = words(line);
    if (parts.size() > 2 && parts[0] == "hint:" && parts[2] == "commit")
      list += (list.empty() ? "" : ", ") + std::string(parts[1]);
  }
  return list;
}

}  // namespace

std::string without_password(const std::string& url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string::npos) return printable(url);
  const std::size_t begin = scheme + 3;
  const std::size_t at = url.find('@', begin);
  if (at == std::string::npos || at > url.find('/', begin)) return printable(url);
  return printable(url.substr(0, begin) + url.substr(at + 1));
}

Result<Repository> Repository::open(const Project& project, const os::Path& home, os::ProcessRunner& runner,
                                    Refresh refresh) {
  const os::Path mirror = home / "git" / project.name;
  Repository repository(project, Git(runner, home, mirror));
  if (refresh == Refresh::offline && os::is_there(mirror / "HEAD")) return repository;
  TRY(os::make_directories(home / "git"));
  ASSIGN_OR_RETURN(const os::FileLock lock, os::FileLock::acquire(mirror.string() + ".lock", kLockTimeout));
  if (!os::is_there(mirror / "HEAD")) {
    TRY(repository.clone(runner, home));
    repository.fresh_ = true;
    return repository;
  }
  remove_stale_locks(mirror);
  const Status fetched = repository.fetch(repository.git_);
  repository.fresh_ = fetched.has_value();
  if (!fetched && fetched.error().code == ErrorCode::interrupted) return fail(fetched.error());
  if (!fetched) log::warn(fetched.error().message + "; going on with what the mirror has");
  return repository;
}

Status Repository::clone(os::ProcessRunner& runner, const os::Path& home) const {
  const os::Path fresh = git_.directory().string() + ".new";
  TRY(os::remove_tree(fresh));
  TRY(os::remove_tree(git_.directory()));
  const Git git(runner, home, fresh);
  TRY(git.output({"init", "--quiet", "--bare", "--template=", fresh.string()}));
  Status fetched = fetch(git);
  if (!fetched) {
    (void)os::remove_tree(fresh);
    return fetched;
  }
  return os::rename_path(fresh, git_.directory());
}

Status Repository::fetch(const Git& git) const {
  const auto in_context = [&](const Error& error) {
    const bool foreign = error.message.contains("dubious ownership");
    const Error named =
        error.in(fmt::format("project '{}': fetching '{}'", project_.name, without_password(project_.url)));
    return fail(foreign ? named.with_hint("trust it in <home>/gitconfig: [safe] directory = ...") : named);
  };
  const Result<std::string> remote =
      git.output({.args = {"ls-remote", "--symref", "--", project_.url, "HEAD"}, .timeout = kAskTimeout});
  if (!remote) return in_context(remote.error());
  std::vector<std::string> args = {"fetch",
                                   "--quiet",
                                   "--force",
                                   "--prune",
                                   "--no-tags",
                                   "--no-recurse-submodules",
                                   "--refmap",
                                   "",
                                   "--no-write-fetch-head",
                                   "--",
                                   project_.url,
                                   "+refs/heads/*:refs/heads/*",
                                   "+refs/tags/*:refs/tags/*"};
  if (!remote->empty()) args.emplace_back("+HEAD:refs/kilter/HEAD");
  const Result<std::string> fetched =
      git.output({.args = args,
                  .env = {{"GIT_HTTP_LOW_SPEED_LIMIT", "1000"}, {"GIT_HTTP_LOW_SPEED_TIME", "60"}},
                  .timeout = kFetchTimeout});
  if (!fetched) return in_context(fetched.error());
  return set_head(git, *remote);
}

// `remote`: "ref: refs/heads/main\tHEAD\n<sha>\tHEAD\n"; without the first line upstream's HEAD is detached.
Status Repository::set_head(const Git& git, const std::string& remote) const {
  std::string branch;
  for (const std::string_view line : lines(remote))
    if (line.starts_with("ref: refs/heads/")) branch = words(line)[1];
  if (!branch.empty()) return git.output({"symbolic-ref", "HEAD", branch}).map([](const std::string&) {});
  if (remote.empty()) return {};
  return git.output({"update-ref", "--no-deref", "HEAD", "refs/kilter/HEAD"}).map([](const std::string&) {});
}

std::vector<std::string> Repository::names() const {
  const Result<std::string> refs =
      git_.output({"for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags"});
  return refs ? to_lines(*refs) : std::vector<std::string>{};
}

Error Repository::unknown(const std::string& revision) const {
  const std::vector<std::string> known = names();
  const std::string base = revision.substr(0, revision.find_first_of("~^"));
  std::string hint = did_you_mean(base, known);
  if (hint.starts_with(", ")) hint.erase(0, 2);
  if (hint.empty() && known.empty()) hint = "the repository has no commits yet";
  if (hint.empty()) hint = "give a sha, a tag, a branch, or e.g. HEAD~3";
  if (std::ranges::find(known, base) != known.end())
    hint = fmt::format("'{}' does not go back that far", base);
  return {ErrorCode::usage,
          fmt::format("project '{}': unknown revision '{}'", project_.name, printable(revision)), hint};
}

// git takes the tag when a branch has the same name, and only warns.
Status Repository::refuse_ambiguous(const std::string& revision) const {
  const std::string base = revision.substr(0, revision.find_first_of("~^"));
  const auto sha = [&](const char* folder) {
    const std::string ref = folder + base + "^{commit}";
    return git_.output({"rev-parse", "--verify", "--quiet", "--end-of-options", ref}).value_or("");
  };
  const std::string tag = sha("refs/tags/");
  const std::string branch = sha("refs/heads/");
  if (tag.empty() || branch.empty() || tag == branch) return {};
  return usage_error(fmt::format("project '{}': revision '{}' is ambiguous: a tag and a branch",
                                 project_.name, printable(base)),
                     fmt::format("say tags/{} or heads/{}", printable(base), printable(base)));
}

Result<std::string> Repository::sha_of(const std::string& revision) const {
  TRY(check_revision(revision));
  ASSIGN_OR_RETURN(const os::ProcessResult result,
                   git_.run({.args = {"rev-parse", "--verify", "--end-of-options", revision + "^{commit}"}}));
  if (result.err.contains("short object ID") && result.err.contains("is ambiguous"))
    return usage_error(
        fmt::format("project '{}': short sha '{}' is ambiguous", project_.name, printable(revision)),
        "candidates: " + printable(candidates_of(result.err)));
  if (!result.ok()) return fail(unknown(revision));
  if (result.err.contains("is ambiguous")) TRY(refuse_ambiguous(revision));
  return std::string(trim(result.out));
}

// A commit of nobody's branch, such as one of a pull request; most servers give it to whoever knows its name.
bool Repository::fetch_commit(const std::string& sha) const {
  if (!fresh_ || !is_full_sha(sha)) return false;
  return git_
      .output({.args = {"fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
                        "--", project_.url, "+" + sha + ":refs/kilter/" + sha},
               .timeout = kFetchTimeout})
      .has_value();
}

Result<model::Revision> Repository::resolve(const std::string& spec, const os::Path& cwd) const {
  Error reason;
  for (const RevisionSpec& reading : readings(spec)) {
    Result<std::string> sha = sha_of(reading.revision);
    if (!sha && fetch_commit(reading.revision)) sha = sha_of(reading.revision);
    if (!sha) {
      reason = sha.error();
      if (reason.code != ErrorCode::usage) break;
      continue;
    }
    std::error_code ignored;
    const os::Path base = cwd.empty() ? std::filesystem::current_path(ignored) : cwd;
    Result<std::vector<std::string>> patches = locate_patches(reading.patches, base);
    if (!patches) return fail(patches.error());
    ASSIGN_OR_RETURN(model::Commit commit, this->commit(*sha));
    model::Revision revision = {spec, *sha, std::move(commit), std::move(*patches)};
    if (revision.patches.empty()) return revision;
    ASSIGN_OR_RETURN(const std::string hash, patches_hash(revision.patches));
    revision.label += "+" + hash.substr(0, 10);
    return revision;
  }
  return fail(reason);
}

Result<model::Commit> Repository::commit(const std::string& revision) const {
  ASSIGN_OR_RETURN(const std::string sha, sha_of(revision));
  ASSIGN_OR_RETURN(const std::string text, git_.output({"log", "-z", "-1", "--no-show-signature",
                                                        "--encoding=UTF-8", kCommitFormat, sha, "--"}));
  std::vector<model::Commit> commits = parse_commits(text);
  if (commits.size() != 1) return failure(fmt::format("reading commit {}: git printed none", sha));
  ASSIGN_OR_RETURN(const std::vector<std::string> branches, branches_containing(sha));
  if (!branches.empty()) commits[0].branch = branches[0];
  return std::move(commits[0]);
}

Result<std::vector<model::Commit>> Repository::range(const std::string& good, const std::string& bad,
                                                     Walk walk) const {
  ASSIGN_OR_RETURN(const std::string from, sha_of(good));
  ASSIGN_OR_RETURN(const std::string to, sha_of(bad));
  ASSIGN_OR_RETURN(const os::ProcessResult ancestor,
                   git_.run({.args = {"merge-base", "--is-ancestor", from, to}}));
  if (!ancestor.ok())
    return usage_error(fmt::format("project '{}': '{}' is no ancestor of '{}'", project_.name,
                                   printable(good), printable(bad)),
                       "are they the wrong way round, or on different branches?");
  std::vector<std::string> args = {"log",       "-z",           "--no-show-signature", "--encoding=UTF-8",
                                   "--reverse", "--topo-order", kCommitFormat};
  if (walk == Walk::first_parent) args.emplace_back("--first-parent");
  args.insert(args.end(), {to, "^" + from, "--"});
  ASSIGN_OR_RETURN(const std::string text, git_.output(args));
  return parse_commits(text);
}

std::string Repository::tag_of(const std::string& sha) const {
  const Result<std::string> id = sha_of(sha);
  if (!id) return "";
  const Result<std::string> tags =
      git_.output({"for-each-ref", "--sort=-version:refname", "--count=1", "--format=%(refname:strip=2)",
                   "--points-at", *id, "refs/tags"});
  return tags ? std::string(trim(*tags)) : "";
}

Result<std::vector<std::string>> Repository::branches_containing(const std::string& sha) const {
  ASSIGN_OR_RETURN(const std::string id, sha_of(sha));
  ASSIGN_OR_RETURN(const std::string text, git_.output({"for-each-ref", "--format=%(refname:strip=2)",
                                                        "--contains", id, "refs/heads"}));
  std::vector<std::string> branches = to_lines(text);
  std::vector<std::string> first = project_.branches;
  const Result<std::string> head = git_.output({"symbolic-ref", "--short", "HEAD"});
  if (head) first.emplace_back(trim(*head));
  first.insert(first.end(), {"main", "master"});
  std::ranges::stable_sort(branches, {}, [&first](const std::string& name) {
    return std::ranges::find(first, name) - first.begin();
  });
  return branches;
}

Result<std::string> Repository::tree_of(const std::string& sha) const {
  ASSIGN_OR_RETURN(const std::string id, sha_of(sha));
  ASSIGN_OR_RETURN(const std::string tree, git_.output({"rev-parse", "--verify", id + "^{tree}"}));
  return std::string(trim(tree));
}

Result<std::string> Repository::diff_of(const std::string& sha) const {
  ASSIGN_OR_RETURN(const std::string id, sha_of(sha));
  ASSIGN_OR_RETURN(std::string diff, git_.output({"show", "--format=", "--no-color", "--no-ext-diff",
                                                  "--no-textconv", "-p", id, "--"}));
  if (diff.size() > kDiffLimit) diff.resize(kDiffLimit);
  return diff;
}

}  // namespace kilter::project
