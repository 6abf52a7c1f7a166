#include "base/log.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "store/reindex.h"

#include <fmt/core.h>

namespace kilter::cli {
namespace {

class Reindex final : public Verb {
 public:
  void declare(Flags&) override {}

  Result<int> run(World& world) override {
    Progress line(world);
    ASSIGN_OR_RETURN(const store::IndexReport report,
                     store::reindex(world.home, [&line](std::size_t done, std::size_t total) {
                       line.show(fmt::format("reindexing {} of {} runs", done, total));
                     }));
    line.clear();
    for (const std::string& note : report.notes) log::warn(note);
    for (const std::string& skipped : report.skipped) log::warn(skipped);
    TRY(world.print(fmt::format("{} runs indexed, {} skipped\n", report.runs, report.skipped.size())));
    return 0;
  }
};

}  // namespace

std::unique_ptr<Verb> make_reindex() {
  return std::make_unique<Reindex>();
}

}  // namespace kilter::cli
