#include "robot/report_origin.h"

#include "base/text.h"
#include "os/host.h"
#include "project/commit.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace kilter::robot {
namespace {

constexpr std::size_t kListedCommits = 10;
constexpr std::size_t kMostHeads = 3;
constexpr double kGitSeconds = 20;

// A kernel's release may have a "+", too.
bool is_patched(const std::string& label) {
  const std::size_t plus = label.find('+');
  return plus != std::string::npos && is_full_sha(label.substr(0, plus));
}

std::string sha_of(const std::string& label) {
  return label.substr(0, label.find('+'));
}

// What `git mailinfo` reads out of a patch that is a mail.
struct PatchMail {
  report::Mailbox author;
  std::string subject;
  std::vector<std::pair<std::string, std::string>> tags;
};

std::string field_of(std::string_view text, std::string_view name) {
  for (const std::string_view line : lines(text))
    if (line.starts_with(name)) return std::string(trim(line.substr(name.size())));
  return "";
}

// The mails of an mbox: each begins with "From <sha> <date>"; a patch of another form is one.
std::vector<std::string> mails_of(const std::string& text) {
  constexpr std::string_view kFrom = "From ";
  constexpr std::size_t kSha = 40;
  std::vector<std::string> mails(1);
  for (const std::string_view line : lines(text)) {
    const std::string_view sha = line.starts_with(kFrom) ? line.substr(kFrom.size(), kSha) : "";
    if (is_full_sha(sha) && !mails.back().empty()) mails.emplace_back();
    mails.back().append(line).append("\n");
  }
  return mails;
}

Result<PatchMail> read_mail(const std::string& text, const World& world) {
  ASSIGN_OR_RETURN(const os::TempDir scratch, os::TempDir::create(world.home, "patch"));
  const os::Path body = scratch.path() / "body";
  ASSIGN_OR_RETURN(const os::ProcessResult result,
                   world.runner.run({.argv = {"git", "mailinfo", "-k", "--encoding=UTF-8", body.string(),
                                              (scratch.path() / "diff").string()},
                                     .stdin_text = text,
                                     .timeout = kGitSeconds}));
  PatchMail mail;
  if (!result.ok()) return mail;
  mail.author = {field_of(result.out, "Author:"), field_of(result.out, "Email:")};
  mail.subject = field_of(result.out, "Subject:");
  mail.tags = project::commit_tags(os::read_file(body).value_or(""));
  return mail;
}

// Of a series: to the last author, the others as if they had signed it.
void join_mail(PatchMail& all, const PatchMail& next) {
  if (!next.author.email.empty()) {
    if (!all.author.email.empty())
      all.tags.emplace_back("Co-developed-by", fmt::format("{} <{}>", all.author.name, all.author.email));
    all.author = next.author;
  }
  if (!next.subject.empty()) all.subject = next.subject;
  all.tags.insert(all.tags.end(), next.tags.begin(), next.tags.end());
}

void add_tree(report::MailInput& mail, const project::Repository& repository, const std::string& sha) {
  const project::Project& project = repository.project();
  mail.subject_prefix = project.mail.subject_prefix;
  mail.tree = project.name;
  mail.tree_url = project::without_password(project.url);
  const Result<std::vector<std::string>> branches = repository.branches_containing(sha);
  if (branches && !branches->empty()) mail.branch = branches->front();
}

std::vector<std::string> lists_of(const project::Project& project) {
  std::vector<std::string> lists = project.mail.to;
  lists.insert(lists.end(), project.mail.cc.begin(), project.mail.cc.end());
  return lists;
}

// A kernel of which no commit is known has its release.
report::MailRange::End end_of(const Side& side, const std::optional<FoundCommit>& found) {
  report::MailRange::End end{.sha = side.label};
  if (!found) {
    if (side.kernel && side.kernel->release != side.label) end.subject = side.kernel->release;
    return end;
  }
  end.subject = found->commit.subject;
  if (is_patched(side.label)) return end;
  end.sha = found->commit.sha;
  end.name = found->repository->tag_of(found->commit.sha);
  return end;
}

// Fills in how far the ends lie apart, where that can be known.
void measure_range(report::MailRange& range, const project::Repository& repository, const std::string& base,
                   const std::string& head) {
  if (base == head) return;
  Result<std::vector<model::Commit>> between = repository.range(base, head);
  if (between) {
    range.commits = static_cast<int>(between->size());
    between->resize(std::min(between->size(), kListedCommits));
    range.listed = std::move(*between);
    return;
  }
  range.why = repository.range(head, base)
                  ? "The head is older than the base: what changed came with one of the commits between them."
                  : "Neither was made from the other, so that no commit can be named.";
}

// A patched revision beside something else than what it was made from.
std::string patch_subject(const Side& side) {
  std::vector<std::string> names;
  if (side.build)
    for (const project::PatchFile& patch : side.build->patches) names.push_back(patch.name);
  return "patched with " + join(names, ", ");
}

void add_lists(report::MailInput& mail, const project::MailRouting& routing) {
  for (const std::string& address : routing.to) mail.recipients.to.push_back(report::parse_mailbox(address));
  for (const std::string& address : routing.cc) mail.recipients.cc.push_back(report::parse_mailbox(address));
  if (mail.recipients.to.empty()) mail.recipients.to.swap(mail.recipients.cc);
}

// "" where the project's revisions are not built here.
std::string bisect_command(const project::Project& project, const report::MailRange& range,
                           const Story& story) {
  if (project.artefacts.empty()) return "";
  const auto word = [](const report::MailRange::End& end) {
    return shell_quote(end.name.empty() ? model::short_commit(end.sha) : end.name);
  };
  std::string command = fmt::format("kilter bisect -p {} --good {} --bad {}", shell_quote(project.name),
                                    word(range.base), word(range.head));
  if (story.headline) command += " --metric " + shell_quote(story.headline->key);
  return command;
}

void add_range(report::MailInput& mail, const Story& story, const std::optional<FoundCommit>& base,
               const std::optional<FoundCommit>& head) {
  report::MailRange range{.base = end_of(story.base(), base), .head = end_of(story.head(), head)};
  for (const auto& [end, side] :
       {std::pair(&range.base, &story.base()), std::pair(&range.head, &story.head())})
    if (is_patched(side->label)) end->subject += ", " + patch_subject(*side);
  if (base && head && base->repository == head->repository)
    measure_range(range, *head->repository, base->commit.sha, head->commit.sha);
  if (range.commits > 0) range.bisect = bisect_command(head->repository->project(), range, story);
  mail.range = std::move(range);
  if (head) add_lists(mail, head->repository->project().mail);
}

// Beside commits, what else is not alike; without them it is what is compared.
void add_differences(report::MailInput& mail, const Story& story) {
  mail.also_differs = story.also;
  if (story.is_pair())
    mail.pair = story.differs;
  else
    std::ranges::copy_if(story.differs, std::back_inserter(mail.also_differs),
                         [](const report::MailAxis& axis) { return axis.name != "commit"; });
}

Status add_patch(report::MailInput& mail, const Story& story, const FoundCommit& base, const World& world) {
  PatchMail all;
  std::vector<std::string> names;
  if (story.head().build)
    for (const project::PatchFile& file : story.head().build->patches) {
      names.push_back(file.name);
      for (const std::string& text : mails_of(file.text)) {
        ASSIGN_OR_RETURN(const PatchMail next, read_mail(text, world));
        join_mail(all, next);
      }
    }
  mail.commit = {.sha = story.head().label, .subject = all.subject.empty() ? join(names, ", ") : all.subject};
  report::MailPatch patch{.subject = all.subject};
  patch.base =
      fmt::format("{} {} {} (\"{}\")", mail.tree_url, mail.branch, base.commit.sha, base.commit.subject);
  for (const auto& [tag, value] : all.tags)
    if (tag == "Link") patch.link = value;
  mail.patch = std::move(patch);
  const model::Commit author{
      .author_name = all.author.name, .author_email = all.author.email, .tags = all.tags};
  mail.recipients = report::recipients(author, lists_of(base.repository->project()));
  return {};
}

bool fails_alike(const model::RunRecord& run, const Story& story) {
  return run.outcome != model::Outcome::ok && story.example && run.outcome == story.example->outcome;
}

std::optional<double> average_of(const Cell& cell, const std::string& key) {
  const model::MatrixRow* row = cell.matrix.find(key);
  if (row == nullptr) return std::nullopt;
  double sum = 0;
  int count = 0;
  for (const std::optional<model::Number>& value : row->values)
    if (value) {
      sum += value->value();
      ++count;
    }
  return count == 0 ? std::nullopt : std::optional(sum / count);
}

// At least half of the change from the base is still there.
bool regressed_alike(store::Store& store, const model::Axes& axes, const Story& story) {
  const std::string& key = story.headline->key;
  const std::vector<std::string> operand = {model::axes_key(axes)};
  const Result<LoadedCells> loaded = load_operands(operand, {.store = &store});
  if (!loaded) return false;
  const std::optional<double> base = average_of((*story.columns)[0], key);
  const std::optional<double> head = average_of((*story.columns)[kHeadColumn], key);
  return std::ranges::any_of(loaded->cells, [&](const Cell& cell) {
    const std::optional<double> now = average_of(cell, key);
    return cell.axes == axes && now && base && head && (*now - *base) / (*head - *base) >= 0.5;
  });
}

bool persists(store::Store& store, const model::Axes& axes, const Story& story) {
  if (story.headline) return regressed_alike(store, axes, story);
  const Result<std::vector<store::StoredRun>> runs = store.runs({.axes = axes});
  return runs && std::ranges::any_of(*runs, [&](const store::StoredRun& run) {
           return run.record.axes == axes && fails_alike(run.record, story);
         });
}

bool is_problem(const Story& story) {
  return !story.headline || story.headline->verdict == analyse::Verdict::regression;
}

// Heads of the watched branches that have moved on and have the problem still.
void add_heads(report::MailInput& mail, const Story& story, const ReadingRoom& room,
               const project::Repository& repository) {
  std::vector<std::string> branches = repository.project().branches;
  if (branches.empty() && !mail.branch.empty()) branches = {mail.branch};
  const std::string& own = story.head().label;
  for (const std::string& branch : branches) {
    const Result<model::Revision> head = repository.resolve("heads/" + branch);
    if (!head || mail.still_there.size() == kMostHeads) continue;
    model::Axes axes = (*story.columns)[kHeadColumn].axes;
    axes["commit"] = is_short_sha(own) ? head->label.substr(0, own.size()) : head->label;
    if (axes["commit"] == own) continue;
    if (persists(*room.store, axes, story))
      mail.still_there.emplace_back(mail.tree + "/" + branch, head->label);
  }
}

std::string git_setting(const char* name, os::ProcessRunner& runner) {
  const Result<os::ProcessResult> result =
      runner.run({.argv = {"git", "config", "--get", name}, .timeout = kGitSeconds});
  return result && result->ok() ? report::header_text(result->out) : "";
}

std::string user_name() {
  for (const char* variable : {"USER", "LOGNAME"})
    if (const char* name = std::getenv(variable); name != nullptr && *name != '\0') return name;
  return "kilter";
}

}  // namespace

Status add_origin(report::MailInput& mail, const Story& story, const ReadingRoom& room,
                  const Revisions& revisions) {
  const std::string& base_label = story.base().label;
  const std::string& head_label = story.head().label;
  const std::optional<FoundCommit> base = revisions.find(base_label, story.project());
  const std::optional<FoundCommit> head = revisions.find(head_label, story.project());
  mail.commit.sha = head_label;
  add_differences(mail, story);
  if (head) {
    mail.commit = head->commit;
    add_tree(mail, *head->repository, head->commit.sha);
    mail.closes = head->repository->project().mail.archive;
    mail.archive = head->repository->project().mail.materials;
  }
  if (story.is_pair()) {
    mail.commit.sha = story.axis("commit");
    if (head) add_lists(mail, head->repository->project().mail);
    return {};
  }
  const bool patches_on_base = head && is_patched(head_label) && base_label == sha_of(head_label);
  const std::string& parent = base ? base->commit.sha : base_label;
  const bool child = head && !is_patched(head_label) && !is_patched(base_label) &&
                     std::ranges::find(head->commit.parents, parent) != head->commit.parents.end();
  if (child)
    mail.recipients = report::recipients(head->commit, lists_of(head->repository->project()));
  else if (patches_on_base)
    TRY(add_patch(mail, story, *head, room.world));
  else
    add_range(mail, story, base, head);
  if (head && is_problem(story) && room.store != nullptr) add_heads(mail, story, room, *head->repository);
  return {};
}

report::Mailbox reporter(const std::string& configured, os::ProcessRunner& runner) {
  report::Mailbox named = report::parse_mailbox(configured);
  if (!named.email.empty()) return named;
  report::Mailbox user{git_setting("user.name", runner), git_setting("user.email", runner)};
  if (report::is_address(user.email)) return user;
  const std::string made = user_name() + "@" + os::host_name();
  return {"kilter", report::is_address(made) ? made : "kilter@localhost"};
}

}  // namespace kilter::robot
