#include "base/log.h"
#include "base/text.h"
#include "cli/comparison_flags.h"
#include "cli/verbs.h"
#include "report/mail_json.h"
#include "robot/report_builder.h"
#include "store/maildir.h"

#include <fmt/core.h>

namespace kilter::cli {
namespace {

class ReportVerb final : public Verb {
 public:
  void declare(Flags& flags) override {
    what_.declare(flags);
    flags.option("--metric", "KEY", metric_, "What the subject tells (default: the largest directed change)")
        .choice("--format", format_, {"text", "json"}, "Form of the output: where it is, or all that it says")
        .option("--print", print_, "Print the mail and write nothing: no outbox, no archive");
  }

  Result<int> run(World& world) override {
    TRY(what_.settle("report"));
    if (!print_) TRY(make_home(world.home));
    std::vector<std::string> notes;
    ASSIGN_OR_RETURN(const robot::Revisions revisions,
                     robot::Revisions::open(world.home, what_.project(), world.runner, notes));
    ASSIGN_OR_RETURN(const robot::ReadingRoom room, robot::open_reading_room(robot_world(world)));
    robot::ReportRequest request{.metric = metric_, .style = what_.style(), .archive = !print_};
    ASSIGN_OR_RETURN(request.comparison, what_.request(room, revisions));
    ASSIGN_OR_RETURN(const robot::Report report, robot::build_report(room, revisions, request));
    for (const std::string& note : report.notes) log::note(note);
    if (report.mail.recipients.to.empty()) log::note("To: nobody: set mail.to in the project file");
    if (report.mail.archive.starts_with('/') && !report.mail.recipients.to.empty())
      log::note(
          "the mail names a path of this machine: mail.materials in the project file says where readers find "
          "it");
    std::string where;
    if (!print_) {
      ASSIGN_OR_RETURN(where, deliver(world, report));
    }
    if (format_ == "json") where = report::mail_json(report.mail, report.tables) + "\n";
    TRY(world.print(print_ && format_ != "json" ? report.message : where));
    return 0;
  }

 private:
  static Result<std::string> deliver(const World& world, const robot::Report& report) {
    ASSIGN_OR_RETURN(const os::Path mail, store::deliver(world.home / "outbox", report.message));
    return fmt::format("subject: {}\nmail:    {}\nsend:    sendmail -t < {}\narchive: {}\n", report.subject,
                       mail.string(), shell_quote(mail.string()), report.archive.string());
  }

  ComparisonFlags what_;
  std::string metric_;
  std::string format_ = "text";
  bool print_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_report() {
  return std::make_unique<ReportVerb>();
}

}  // namespace kilter::cli
