#pragma once

#include "model/unit_job.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// need_kernel_version and need_kconfig of a job.
namespace kilter::job {

// Whether kernel `release` ("6.18.44-fc") is what `wish` asks for: ">= v5.10", "< 6.8-rc1", "5.10" (at
// least). nullopt when one of the two is no version.
[[nodiscard]] std::optional<bool> version_fits(std::string_view release, std::string_view wish);

// An option of the kernel's configuration that a job needs.
struct KconfigWish {
  std::string name;   // without CONFIG_
  std::string value;  // "y", "m"; "" is either
};
// Those that must be on: what is wanted off (`n`), EXPERT, and the drivers of disks are left out.
[[nodiscard]] std::vector<KconfigWish> kconfig_wishes(const model::Node& job);
[[nodiscard]] bool kconfig_fits(std::string_view config, const KconfigWish& wish);

}  // namespace kilter::job
