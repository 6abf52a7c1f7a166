#include "base/text.h"
#include "cli/verbs.h"
#include "execute/describe.h"
#include "model/json.h"
#include "robot/kernel.h"

#include <fmt/core.h>

namespace kilter::cli {
namespace {

class Machine final : public Verb {
 public:
  void declare(Flags& flags) override {
    flags.choice("--format", format_, {"text", "json"}, "Form of the output");
  }

  Result<int> run(World& world) override {
    ASSIGN_OR_RETURN(const model::Machine box, execute::describe_machine(world.root, &world.runner));
    const robot::Kernel kernel = robot::running_kernel(world.root, box.arch).kernel;
    TRY(world.print(format_ == "json" ? model::dump_json(box) + "\n" : text(box) + text(kernel)));
    return 0;
  }

 private:
  static std::string text(const model::Machine& box) {
    std::string out = fmt::format("{}: {}\n  group        {}\n", box.host, box.description(), box.tbox_group);
    for (const auto& [name, value] : box.fingerprint())
      if (!value.empty()) out += fmt::format("  {:<12} {}\n", name, value);
    return out + fmt::format("  fingerprint  {}\n", box.fingerprint_id());
  }

  static std::string text(const robot::Kernel& kernel) {
    return fmt::format("  {:<12} {} {} {}\n", "measured as", printable(kernel.commit), kernel.kconfig,
                       kernel.compiler);
  }

  std::string format_ = "text";
};

}  // namespace

std::unique_ptr<Verb> make_machine() {
  return std::make_unique<Machine>();
}

}  // namespace kilter::cli
