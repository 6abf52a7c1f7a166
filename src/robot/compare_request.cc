#include "robot/compare_request.h"

#include "analyse/key_lists.h"
#include "robot/kernel.h"
#include "suite/metric_info.h"

namespace kilter::robot {

ComparisonRequest comparison_request(const ReadingRoom& room, const Revisions& revisions,
                                     const std::vector<std::string>& operands) {
  ComparisonRequest request;
  request.operands = operands;
  request.context.store = room.store.get();
  request.context.store_error = room.store_error;
  request.context.project = revisions.project();
  request.context.running = running_commit(room.world.root);
  request.context.resolve = [&revisions](const std::string& spec) { return revisions.resolve(spec); };
  request.context.names = [&revisions] { return revisions.names(); };
  request.options.metric_info = [&room](const std::string& key) {
    return suite::metric_info(room.catalogue, key);
  };
  // Suites of the user and of projects; the built-in ones are listed.
  for (const std::string& name : room.catalogue.names()) {
    if (analyse::is_test_program(name)) continue;
    const suite::Suite* const suite = room.catalogue.find(name);
    request.options.rule.benchmarks.insert(suite == nullptr ? name : suite->program);
  }
  request.options.judged_by = analyse::ChangeRule::kilter;
  request.in_order = [&revisions](const std::vector<std::string>& commits) {
    return revisions.in_order(commits);
  };
  request.subject_of = [&revisions](const std::string& label) { return revisions.subject_of(label); };
  return request;
}

}  // namespace kilter::robot
