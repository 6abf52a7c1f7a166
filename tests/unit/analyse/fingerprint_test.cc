#include "analyse/fingerprint.h"

#include <doctest/doctest.h>

namespace kilter::analyse {
namespace {

const Fingerprint kBox = {{"cpu_model", "A"},      {"governor", "performance"},
                          {"kernel", "6.1"},       {"memory", "8G"},
                          {"mitigations", "m=1;"}, {"cmdline", "root=/dev/sda quiet isolcpus=1"}};

Fingerprint with(Fingerprint box, const std::string& part, const std::string& value) {
  box[part] = value;
  return box;
}

TEST_CASE("machines that differ in nothing that matters are alike") {
  CHECK(unlike(kBox, kBox).empty());
  CHECK(unlike(kBox, with(kBox, "cmdline", "BOOT_IMAGE=/b isolcpus=1 quiet root=/dev/sdb")).empty());
  CHECK(unlike(kBox, with(kBox, "governor", "")).empty());
  CHECK(describe_unlike(kBox, kBox).empty());
}

TEST_CASE("what differs is named with both values") {
  const Fingerprint other = with(with(kBox, "memory", "16G"), "governor", "powersave");
  CHECK(unlike(kBox, other) == std::vector<std::string>{"governor", "memory"});
  CHECK(describe_unlike(kBox, other) ==
        "machines differ: governor (performance, powersave), memory (8G, 16G)");
  CHECK(unlike(kBox, with(kBox, "cmdline", "quiet isolcpus=2")) == std::vector<std::string>{"cmdline"});
}

TEST_CASE("kernels may differ where kernels are compared") {
  const Fingerprint other = with(with(kBox, "kernel", "6.2"), "mitigations", "m=2;");
  CHECK(unlike(kBox, other) == std::vector<std::string>{"kernel", "mitigations"});
  CHECK(unlike(kBox, other, {.kernel_is_compared = true}).empty());
}

}  // namespace
}  // namespace kilter::analyse
