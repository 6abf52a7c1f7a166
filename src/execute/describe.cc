#include "execute/describe.h"

#include "base/cpu_list.h"
#include "base/text.h"
#include "execute/sysfs.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

namespace kilter::execute {
namespace {

using Fields = std::map<std::string, std::string, std::less<>>;

constexpr std::string_view kCpus = "/sys/devices/system/cpu";

// One line of a file, trimmed; "" when it is not there.
std::string line_of(const os::Root& root, const std::string& path) {
  const Result<std::string> text = root.read(path);
  return text ? std::string(trim(*text)) : std::string();
}

// "key : value" lines of the first processor.
Fields first_processor(std::string_view cpuinfo) {
  Fields fields;
  for (const std::string_view line : lines(cpuinfo)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    fields.emplace(trim(line.substr(0, colon)), trim(line.substr(colon + 1)));
  }
  return fields;
}

std::string field(const Fields& fields, std::string_view name) {
  const Fields::const_iterator it = fields.find(name);
  return it == fields.end() ? std::string() : it->second;
}

int number(const Fields& fields, std::string_view name) {
  return static_cast<int>(parse_int(field(fields, name)).value_or(0));
}

int count_processors(std::string_view cpuinfo) {
  int count = 0;
  for (const std::string_view line : lines(cpuinfo)) count += line.starts_with("processor") ? 1 : 0;
  return count;
}

bool is_numbered(std::string_view name, std::string_view stem) {
  return name.starts_with(stem) && parse_int(name.substr(stem.size())).has_value();
}

int count_online(const os::Root& root, std::string_view cpuinfo) {
  const Result<std::vector<int>> online = parse_cpu_list(line_of(root, std::string(kCpus) + "/online"));
  return online ? static_cast<int>(online->size()) : count_processors(cpuinfo);
}

void describe_topology(const os::Root& root, std::string_view cpuinfo, model::Machine& machine) {
  std::set<std::string> packages;
  std::set<std::pair<std::string, std::string>> cores;
  for (const std::string& name : root.list(kCpus)) {
    if (!is_numbered(name, "cpu")) continue;
    const std::string topology = std::string(kCpus) + "/" + name + "/topology/";
    const std::string package = line_of(root, topology + "physical_package_id");
    if (package.empty()) continue;
    packages.insert(package);
    cores.insert({package, line_of(root, topology + "core_id")});
  }
  const Fields fields = first_processor(cpuinfo);
  const int siblings = std::max(1, number(fields, "siblings"));
  machine.nr_socket =
      packages.empty() ? std::max(1, machine.nr_cpu / siblings) : static_cast<int>(packages.size());
  const int per_socket = number(fields, "cpu cores");
  const int told = per_socket > 0 ? per_socket * machine.nr_socket : machine.nr_cpu;
  machine.nr_core = cores.empty() ? told : static_cast<int>(cores.size());
  const std::string smt = line_of(root, std::string(kCpus) + "/smt/active");
  machine.smt = smt.empty() ? machine.nr_core < machine.nr_cpu : smt == "1";
}

void describe_nodes(const os::Root& root, model::Machine& machine) {
  const std::vector<std::string> names = root.list("/sys/devices/system/node");
  machine.nr_node = std::max(1, static_cast<int>(std::ranges::count_if(names, [](const std::string& name) {
                               return is_numbered(name, "node");
                             })));
}

std::int64_t memory_kb(const os::Root& root) {
  const Result<std::string> text = root.read("/proc/meminfo");
  if (!text) return 0;
  for (const std::string_view line : lines(*text))
    if (const std::vector<std::string_view> part = words(line); part.size() > 1 && part[0] == "MemTotal:")
      return parse_int(part[1]).value_or(0);
  return 0;
}

// One governor, or all of them when the CPUs differ: "performance,powersave".
std::string governors(const os::Root& root) {
  std::set<std::string> found;
  for (const std::string& name : root.list(kCpus))
    if (is_numbered(name, "cpu")) {
      const std::string governor =
          line_of(root, std::string(kCpus) + "/" + name + "/cpufreq/scaling_governor");
      if (!governor.empty()) found.insert(governor);
    }
  return join(std::vector<std::string>(found.begin(), found.end()), ",");
}

// The guest's view; the products are the names that the firmware tables give.
std::string hypervisor(const os::Root& root, const Fields& cpu) {
  if (const std::string xen = line_of(root, "/sys/hypervisor/type"); !xen.empty()) return xen;
  const std::string flags = field(cpu, "flags");
  const std::vector<std::string_view> flag_list = words(flags);
  if (std::ranges::find(flag_list, "hypervisor") == flag_list.end()) return {};
  const std::string vendor =
      line_of(root, "/sys/class/dmi/id/sys_vendor") + " " + line_of(root, "/sys/class/dmi/id/product_name");
  constexpr std::pair<std::string_view, std::string_view> kVendors[] = {
      {"QEMU", "qemu"},         {"KVM", "kvm"},       {"VMware", "vmware"}, {"VirtualBox", "virtualbox"},
      {"Microsoft", "hyper-v"}, {"Amazon", "amazon"}, {"Google", "google"}};
  for (const auto& [text, name] : kVendors)
    if (vendor.contains(text)) return std::string(name);
  return "unknown";
}

void describe_system(const os::Root& root, model::Machine& machine) {
  machine.kernel = line_of(root, "/proc/sys/kernel/osrelease");
  machine.kernel_version = line_of(root, "/proc/sys/kernel/version");
  machine.cmdline = line_of(root, "/proc/cmdline");
  machine.boot_id = line_of(root, "/proc/sys/kernel/random/boot_id");
  machine.aslr = line_of(root, "/proc/sys/kernel/randomize_va_space");
  machine.thp = settable_value(line_of(root, "/sys/kernel/mm/transparent_hugepage/enabled"));
  for (const std::string path : {"/etc/os-release", "/usr/lib/os-release"})
    for (const std::string text = line_of(root, path); const std::string_view line : lines(text)) {
      const std::string value = replace_all(std::string(line.substr(line.find('=') + 1)), "\"", "");
      if (line.starts_with("ID=") && machine.os.empty()) machine.os = value;
      if (line.starts_with("VERSION_ID=") && machine.os_version.empty()) machine.os_version = value;
    }
}

void describe_cpu(const os::Root& root, const Fields& cpu, model::Machine& machine) {
  machine.cpu_model = field(cpu, "model name");
  if (machine.cpu_model.empty()) machine.cpu_model = field(cpu, "cpu");
  machine.microcode = field(cpu, "microcode");
  machine.hypervisor = hypervisor(root, cpu);
}

std::string architecture(const os::Root& root, const Fields& cpu) {
  if (std::string told = line_of(root, "/proc/sys/kernel/arch"); !told.empty()) return told;
  if (cpu.contains("vendor_id")) return "x86_64";
  return cpu.contains("CPU implementer") ? "aarch64" : "";
}

model::Machine identify(const os::Root& root, std::string_view cpuinfo, const Fields& cpu) {
  model::Machine machine;
  machine.host = line_of(root, "/proc/sys/kernel/hostname");
  machine.tbox_group = tbox_group_of_host(machine.host);
  machine.arch = architecture(root, cpu);
  machine.microarchitecture = microarchitecture(field(cpu, "vendor_id"), number(cpu, "cpu family"),
                                                number(cpu, "model"), number(cpu, "stepping"));
  machine.nr_cpu = count_online(root, cpuinfo);
  describe_nodes(root, machine);
  machine.memory_kb = memory_kb(root);
  return machine;
}

Result<std::string> read_cpuinfo(const os::Root& root) {
  Result<std::string> text = root.read("/proc/cpuinfo");
  if (!text) return fail(text.error().in("describing this machine").with_hint("is /proc mounted?"));
  return text;
}

void describe_lists(const os::Root& root, model::Machine& machine) {
  const std::string vulnerabilities = std::string(kCpus) + "/vulnerabilities";
  for (const std::string& name : root.list(vulnerabilities))
    machine.mitigations[name] = line_of(root, vulnerabilities + "/" + name);
  for (const std::string& name : root.list("/sys/block"))
    if (const std::string disk = line_of(root, "/sys/block/" + name + "/device/model"); !disk.empty())
      machine.disks[name] = disk;
}

// "gcc-12" of "gcc-12" or "x86_64-linux-gnu-gcc-12".
std::string compiler(const os::Root& root, os::ProcessRunner* runner) {
  std::error_code error;
  const std::string target =
      std::filesystem::read_symlink(root.at("/usr/bin/gcc"), error).filename().string();
  const std::size_t start = error ? std::string::npos : target.rfind("gcc-");
  if (start != std::string::npos) return target.substr(start);
  if (runner == nullptr) return {};
  const Result<os::ProcessResult> told = runner->run({.argv = {"gcc", "-dumpversion"}, .timeout = 5});
  if (!told || !told->ok()) return {};
  return "gcc-" + std::string(split(trim(told->out), '.')[0]);
}

}  // namespace

Result<model::Machine> identify_machine(const os::Root& root) {
  ASSIGN_OR_RETURN(const std::string cpuinfo, read_cpuinfo(root));
  return identify(root, cpuinfo, first_processor(cpuinfo));
}

Result<model::Machine> describe_machine(const os::Root& root, os::ProcessRunner* runner) {
  ASSIGN_OR_RETURN(const std::string cpuinfo, read_cpuinfo(root));
  const Fields cpu = first_processor(cpuinfo);
  model::Machine machine = identify(root, cpuinfo, cpu);
  describe_system(root, machine);
  describe_cpu(root, cpu, machine);
  describe_topology(root, cpuinfo, machine);
  describe_lists(root, machine);
  machine.governor = governors(root);
  machine.compiler = compiler(root, runner);
  return machine;
}

std::string tbox_group_of_host(std::string_view host) {
  const std::size_t last = host.rfind('-');
  if (last == std::string_view::npos || last == 0) return std::string(host);
  const std::string_view digits = host.substr(last + 1);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos)
    return std::string(host);
  std::string group(host.substr(0, last));
  for (std::size_t dash = group.find('-'); dash != std::string::npos; dash = group.find('-', dash + 1)) {
    const std::size_t end = group.find_first_not_of("0123456789", dash + 1);
    if (end != dash + 1 && end != std::string::npos && group[end] == '-')
      return group.substr(0, dash) + group.substr(end);
  }
  return group;
}

}  // namespace kilter::execute
