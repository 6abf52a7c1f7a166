#include "cli/verbs.h"
#include "monitor/sampler.h"

namespace kilter::cli {
namespace {

// Started by kilter itself, as the recorder of a run.
class Sample final : public Verb {
 public:
  void declare(Flags& flags) override {
    flags.positional("SPEC", spec_, "The sampler's specification, JSON");
  }
  Result<int> run(World&) override {
    TRY(monitor::sample_program(spec_));
    return 0;
  }

 private:
  std::string spec_;
};

}  // namespace

std::unique_ptr<Verb> make_sample() {
  return std::make_unique<Sample>();
}

}  // namespace kilter::cli
