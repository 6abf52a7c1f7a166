#include "execute/describe.h"

#include <iterator>
#include <limits>

// Family, model and stepping as /proc/cpuinfo prints them; from the vendors' published CPUID lists.
namespace kilter::execute {
namespace {

constexpr int kAny = std::numeric_limits<int>::max();

struct Entry {
  int family;
  int model_from;
  int model_to;
  std::string_view name;
  int stepping_to = kAny;  // rows of one model stand in order of their steppings
};

constexpr Entry kIntel[] = {
    {6, 0x0f, 0x0f, "Merom"},           {6, 0x17, 0x17, "Penryn"},
    {6, 0x1d, 0x1d, "Penryn"},          {6, 0x1a, 0x1a, "Nehalem"},
    {6, 0x1e, 0x1f, "Nehalem"},         {6, 0x2e, 0x2e, "Nehalem"},
    {6, 0x25, 0x25, "Westmere"},        {6, 0x2c, 0x2c, "Westmere"},
    {6, 0x2f, 0x2f, "Westmere"},        {6, 0x2a, 0x2a, "Sandy Bridge"},
    {6, 0x2d, 0x2d, "Sandy Bridge"},    {6, 0x3a, 0x3a, "Ivy Bridge"},
    {6, 0x3e, 0x3e, "Ivy Bridge"},      {6, 0x3c, 0x3c, "Haswell"},
    {6, 0x3f, 0x3f, "Haswell"},         {6, 0x45, 0x46, "Haswell"},
    {6, 0x3d, 0x3d, "Broadwell"},       {6, 0x47, 0x47, "Broadwell"},
    {6, 0x4f, 0x4f, "Broadwell"},       {6, 0x56, 0x56, "Broadwell"},
    {6, 0x4e, 0x4e, "Skylake"},         {6, 0x5e, 0x5e, "Skylake"},
    {6, 0x55, 0x55, "Skylake", 4},      {6, 0x55, 0x55, "Cascade Lake", 9},
    {6, 0x55, 0x55, "Cooper Lake"},     {6, 0x8e, 0x8e, "Kaby Lake", 9},
    {6, 0x8e, 0x8e, "Coffee Lake"},     {6, 0x9e, 0x9e, "Kaby Lake", 9},
    {6, 0x9e, 0x9e, "Coffee Lake"},     {6, 0xa5, 0xa6, "Comet Lake"},
    {6, 0x66, 0x66, "Cannon Lake"},     {6, 0x6a, 0x6a, "Ice Lake"},
    {6, 0x6c, 0x6c, "Ice Lake"},        {6, 0x7d, 0x7e, "Ice Lake"},
    {6, 0x8c, 0x8d, "Tiger Lake"},      {6, 0xa7, 0xa8, "Rocket Lake"},
    {6, 0x97, 0x97, "Alder Lake"},      {6, 0x9a, 0x9a, "Alder Lake"},
    {6, 0xbe, 0xbe, "Alder Lake-N"},    {6, 0xb7, 0xb7, "Raptor Lake"},
    {6, 0xba, 0xba, "Raptor Lake"},     {6, 0xbf, 0xbf, "Raptor Lake"},
    {6, 0xaa, 0xaa, "Meteor Lake"},     {6, 0xac, 0xac, "Meteor Lake"},
    {6, 0xb5, 0xb5, "Arrow Lake"},      {6, 0xc5, 0xc6, "Arrow Lake"},
    {6, 0xbd, 0xbd, "Lunar Lake"},      {6, 0xcc, 0xcc, "Panther Lake"},
    {6, 0x8f, 0x8f, "Sapphire Rapids"}, {6, 0xcf, 0xcf, "Emerald Rapids"},
    {6, 0xad, 0xae, "Granite Rapids"},  {6, 0xaf, 0xaf, "Sierra Forest"},
    {6, 0xb6, 0xb6, "Grand Ridge"},     {6, 0xdd, 0xdd, "Clearwater Forest"},
    {6, 0x57, 0x57, "Knights Landing"}, {6, 0x85, 0x85, "Knights Mill"},
    {6, 0x37, 0x37, "Silvermont"},      {6, 0x4d, 0x4d, "Silvermont"},
    {6, 0x4c, 0x4c, "Airmont"},         {6, 0x5c, 0x5c, "Goldmont"},
    {6, 0x5f, 0x5f, "Goldmont"},        {6, 0x7a, 0x7a, "Goldmont Plus"},
    {6, 0x86, 0x86, "Snow Ridge"},      {6, 0x96, 0x96, "Elkhart Lake"},
    {6, 0x9c, 0x9c, "Jasper Lake"},
};

constexpr Entry kAmd[] = {
    {0x10, 0x00, 0xff, "K10"},         {0x15, 0x00, 0x01, "Bulldozer"}, {0x15, 0x02, 0x1f, "Piledriver"},
    {0x15, 0x30, 0x3f, "Steamroller"}, {0x15, 0x60, 0x7f, "Excavator"}, {0x16, 0x00, 0x0f, "Jaguar"},
    {0x16, 0x30, 0x3f, "Puma"},        {0x17, 0x08, 0x08, "Zen+"},      {0x17, 0x18, 0x18, "Zen+"},
    {0x17, 0x00, 0x2f, "Zen"},         {0x17, 0x30, 0xaf, "Zen 2"},     {0x19, 0x00, 0x0f, "Zen 3"},
    {0x19, 0x10, 0x1f, "Zen 4"},       {0x19, 0x20, 0x3f, "Zen 3"},     {0x19, 0x40, 0x4f, "Zen 3+"},
    {0x19, 0x50, 0x5f, "Zen 3"},       {0x19, 0x60, 0x9f, "Zen 4"},     {0x19, 0xa0, 0xaf, "Zen 4c"},
    {0x1a, 0x00, 0x0f, "Zen 5"},       {0x1a, 0x10, 0x1f, "Zen 5c"},    {0x1a, 0x20, 0x4f, "Zen 5"},
};

template <std::size_t n>
std::string_view look_up(const Entry (&table)[n], int family, int model, int stepping) {
  for (const Entry& entry : table)
    if (entry.family == family && entry.model_from <= model && model <= entry.model_to &&
        stepping <= entry.stepping_to)
      return entry.name;
  return {};
}

}  // namespace

std::string_view microarchitecture(std::string_view vendor, int family, int model, int stepping) {
  if (vendor == "GenuineIntel") return look_up(kIntel, family, model, stepping);
  if (vendor == "AuthenticAMD") return look_up(kAmd, family, model, stepping);
  return {};
}

}  // namespace kilter::execute
