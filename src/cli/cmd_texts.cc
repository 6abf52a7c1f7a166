#include "cli/completion.h"
#include "cli/help.h"
#include "cli/verbs.h"

#include <fmt/core.h>

namespace kilter::cli {
namespace {

class Completion final : public Verb {
 public:
  void declare(Flags& flags) override {
    flags.add({.kind = Flag::Kind::positional,
               .names = "SHELL",
               .help = "bash, zsh or fish",
               .target = &shell_,
               .required = true,
               .choices = {"bash", "zsh", "fish"}});
  }
  Result<int> run(World& world) override {
    TRY(world.print(completion(shell_)));
    return 0;
  }

 private:
  std::string shell_;
};

class Man final : public Verb {
 public:
  void declare(Flags&) override {}
  Result<int> run(World& world) override {
    TRY(world.print(man_page()));
    return 0;
  }
};

}  // namespace

std::unique_ptr<Verb> make_completion() {
  return std::make_unique<Completion>();
}
std::unique_ptr<Verb> make_man() {
  return std::make_unique<Man>();
}

}  // namespace kilter::cli
