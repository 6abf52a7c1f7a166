#include "base/log.h"
#include "base/text.h"
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
    flags
        .positional("REVISION", operands_, "The base, then the changed revision; more become further columns")
        .option("-p,--project", "P", project_, "The project they belong to (default: those measured here)")
        .option("-s,--axes", "AXES", axes_, "Only cells with these axes: testcase=hackbench/nr_threads=50%")
        .option("--metric", "KEY", metric_, "What the subject tells (default: the largest directed change)")
        .choice("--style", style_, {"kilter", "lkp"}, "Layout of the tables")
        .choice("--format", format_, {"text", "json"}, "Form of the output: where it is, or all that it says")
        .option("--print", print_, "Print the mail and write nothing: no outbox, no archive")
        .option("--force", force_, "Report unlike machines and identical programs, too; the table says so");
  }

  Result<int> run(World& world) override {
    if (operands_.size() < 2)
      return usage_error("report: two revisions are needed", "kilter report BASE HEAD");
    if (!print_) TRY(make_home(world.home));
    std::vector<std::string> notes;
    ASSIGN_OR_RETURN(const robot::Revisions revisions,
                     robot::Revisions::open(world.home, project_, world.runner, notes));
    ASSIGN_OR_RETURN(const robot::ReadingRoom room, robot::open_reading_room(robot_world(world)));
    robot::ReportRequest request{.operands = operands_, .metric = metric_, .force = force_};
    request.archive = !print_;
    if (style_ == "lkp") request.style = report::TableStyle::lkp;
    if (!axes_.empty()) {
      ASSIGN_OR_RETURN(request.restrict, model::parse_axes(axes_));
    }
    ASSIGN_OR_RETURN(const robot::Report report, robot::build_report(room, revisions, request));
    if (report.mail.recipients.to.empty()) log::note("To: nobody: set mail.to in the project file");
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

  std::vector<std::string> operands_;
  std::string project_;
  std::string axes_;
  std::string metric_;
  std::string style_ = "kilter";
  std::string format_ = "text";
  bool print_ = false;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_report() {
  return std::make_unique<ReportVerb>();
}

}  // namespace kilter::cli
