#include "base/log.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "robot/lkp_axes.h"
#include "store/import.h"

#include <fmt/core.h>

namespace kilter::cli {
namespace {

class Import final : public Verb {
 public:
  void declare(Flags& flags) override {
    flags
        .positional("DIR", source_,
                    "LKP's /lkp/result or a part of it, another kilter's results, or a matrix.json")
        .option("-s,--axes", "AXES", axes_,
                "Axes that the files do not tell, or tell wrong: testcase=x/commit=y")
        .option("--missing-is-zero", missing_is_zero_,
                "Short rows of a matrix.json end in zeros, as LKP reads them")
        .option("--skip-bad", skip_bad_, "Leave out what cannot be read, instead of importing nothing");
  }

  Result<int> run(World& world) override {
    store::ImportOptions options{.missing_is_zero = missing_is_zero_, .skip_bad = skip_bad_};
    options.describe = [](const os::Path& directory) {
      robot::LkpIdentity identity = robot::lkp_identity(directory);
      return store::Described{.axes = std::move(identity.axes),
                              .path_params = std::move(identity.path_params)};
    };
    if (!axes_.empty()) {
      ASSIGN_OR_RETURN(options.axes, model::parse_axes(axes_));
    }
    TRY(make_home(world.home));
    ASSIGN_OR_RETURN(const std::unique_ptr<store::Store> store,
                     store::open_store(robot::database_path(world.home)));
    Progress line(world);
    options.progress = [&line](std::size_t done, std::size_t total) {
      line.show(fmt::format("importing {} of {} runs", done, total));
    };
    ASSIGN_OR_RETURN(const store::ImportReport report,
                     store::import_tree(source_, world.home, *store, options));
    line.clear();
    return tell(world, report);
  }

 private:
  static Result<int> tell(World& world, const store::ImportReport& report) {
    for (const std::string& skipped : report.skipped) log::warn(skipped);
    std::string text = fmt::format("{} runs imported", report.runs);
    if (report.already > 0) text += fmt::format(", {} were here already", report.already);
    if (!report.skipped.empty()) text += fmt::format(", {} skipped", report.skipped.size());
    if (report.files_left > 0) text += fmt::format(", {} files left out", report.files_left);
    TRY(world.print(text + "\n"));
    return 0;
  }

  std::string source_;
  std::string axes_;
  bool missing_is_zero_ = false;
  bool skip_bad_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_import() {
  return std::make_unique<Import>();
}

}  // namespace kilter::cli
