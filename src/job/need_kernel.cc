#include "job/need_kernel.h"

#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace kilter::job {
namespace {

using model::Node;

constexpr std::int64_t kReleased = 1 << 20;   // more than any -rc
using Version = std::array<std::int64_t, 4>;  // major, minor, patch, -rc

// "v6.8-rc1" -> {6, 8, 0, 1}; what follows the numbers is passed over.
std::optional<Version> version_of(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  Version version = {0, 0, 0, kReleased};
  for (std::size_t part = 0; part < 3; ++part) {
    const std::string_view digits = leading_digits(text);
    const std::optional<std::int64_t> number = parse_int(digits);
    if (!number) return std::nullopt;
    version[part] = *number;
    text.remove_prefix(digits.size());
    if (!text.starts_with('.') || leading_digits(text.substr(1)).empty()) break;
    text.remove_prefix(1);
  }
  constexpr std::string_view kCandidate = "-rc";
  if (text.starts_with(kCandidate))
    version[3] = parse_int(leading_digits(text.substr(kCandidate.size()))).value_or(kReleased);
  return version;
}

// "CONFIG_NET: m" or "NET=m" -> the same wish.
KconfigWish wish_of(std::string_view name, std::string_view value) {
  constexpr std::string_view kPrefix = "CONFIG_";
  if (const std::size_t equals = name.find('='); equals != std::string_view::npos) {
    value = name.substr(equals + 1);
    name = name.substr(0, equals);
  }
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  value = trim(value.substr(0, value.find(',')));  // "y, v5.10": a kernel that has the option
  if (value == "true" || value == "on") value = "y";
  return {std::string(trim(name)), std::string(value)};
}

// A switch of the configuration's menus, and what the include files of disks ask for: no disk is prepared
// here, so a run needs none of it.
constexpr std::array<std::string_view, 15> kNotHeeded = {
    "EXPERT", "BLK_DEV",      "BLK_DEV_RAM", "BLK_DEV_SD",   "SCSI",   "BLOCK", "SATA_AHCI", "ATA",
    "PCI",    "BLK_DEV_NVME", "LIBNVDIMM",   "BLK_DEV_PMEM", "ND_BLK", "MD",    "BLK_DEV_MD"};

bool must_be_on(const KconfigWish& wish) {
  const bool on = wish.value.empty() || wish.value == "y" || wish.value == "m";
  return on && !wish.name.empty() && std::ranges::find(kNotHeeded, wish.name) == kNotHeeded.end();
}

}  // namespace

std::optional<bool> version_fits(std::string_view release, std::string_view wish) {
  wish = trim(wish);
  const std::string_view sign = wish.substr(0, std::min(wish.find_first_not_of("<>="), wish.size()));
  const std::optional<Version> have = version_of(release);
  const std::optional<Version> want = version_of(trim(wish.substr(sign.size())));
  if (!have || !want) return std::nullopt;
  if (sign.empty() || sign == ">=") return *have >= *want;
  if (sign == ">") return *have > *want;
  if (sign == "<") return *have < *want;
  if (sign == "<=") return *have <= *want;
  if (sign == "=" || sign == "==") return *have == *want;
  return std::nullopt;
}

std::vector<KconfigWish> kconfig_wishes(const Node& job) {
  const Node* need = job.find("need_kconfig");
  if (need == nullptr) return {};
  std::vector<KconfigWish> wishes;
  const auto add_map = [&wishes](const Node& map) {
    for (const auto& [name, value] : map.entries()) wishes.push_back(wish_of(name, value.text()));
  };
  add_map(*need);
  if (need->is_scalar()) wishes.push_back(wish_of(need->text(), ""));
  for (const Node& item : need->items()) {
    add_map(item);
    if (item.is_scalar()) wishes.push_back(wish_of(item.text(), ""));
  }
  std::erase_if(wishes, [](const KconfigWish& wish) { return !must_be_on(wish); });
  return wishes;
}

bool kconfig_fits(std::string_view config, const KconfigWish& wish) {
  const std::string line = fmt::format("\nCONFIG_{}=", wish.name);
  const std::string text = "\n" + std::string(config);
  const std::size_t at = text.find(line);
  if (at == std::string::npos) return false;
  const char value = at + line.size() < text.size() ? text[at + line.size()] : 'n';
  return value == 'y' || (value == 'm' && wish.value != "y");
}

}  // namespace kilter::job
