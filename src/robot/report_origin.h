#pragma once

#include "report/mail.h"
#include "robot/report_story.h"
#include "robot/revisions.h"

// Who and what a report is about: a commit with its author, a patch with its author, or a range of which
// nobody is to blame; and who reports it.
namespace kilter::robot {

// Sets commit, range, patch, tree, recipients, and the heads on which a failure persists:
//   the head is a child of the base: the commit, to its author;
//   the head is the base with patches: the patches, to their authors as their mails name them;
//   base and head are of one commit: a pair of settings, to the project's lists alone;
//   else: a range, to the project's lists alone.
[[nodiscard]] Status add_origin(report::MailInput& mail, const Story& story, const ReadingRoom& room,
                                const Revisions& revisions);

// `configured` ("Robot <robot@host>") where it is an address; else the user's name in git's configuration;
// else kilter <user@host>.
[[nodiscard]] report::Mailbox reporter(const std::string& configured, os::ProcessRunner& runner);

}  // namespace kilter::robot
