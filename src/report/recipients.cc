#include "report/recipients.h"

#include <algorithm>
#include <set>
#include <utility>

namespace kilter::report {
namespace {

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

Recipients recipients(const model::Commit& commit, std::span<const std::string> project_list) {
  Recipients found;
  std::set<std::string> known;
  const auto add = [&known](std::vector<Mailbox>& mailboxes, Mailbox mailbox) {
    if (is_address(mailbox.email) && known.insert(lower(mailbox.email)).second)
      mailboxes.push_back(std::move(mailbox));
  };
  add(found.to, {header_text(commit.author_name), commit.author_email});
  for (const std::string& address : project_list) add(found.cc, parse_mailbox(address));
  for (const auto& [tag, value] : commit.tags) {
    const std::string kind = lower(tag);
    if (kind.ends_with("-by") || kind == "cc") add(found.cc, parse_mailbox(value));
  }
  // A commit without a usable author is still reported to the list.
  if (found.to.empty()) found.to = std::exchange(found.cc, {});
  return found;
}

}  // namespace kilter::report
