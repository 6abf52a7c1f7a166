#include "robot/kernel.h"

#include "base/hash.h"
#include "base/text.h"
#include "model/json.h"
#include "monitor/gzip.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <vector>

namespace kilter::robot {
namespace {

constexpr std::uint64_t kMostConfig = std::uint64_t{16} << 20;
constexpr std::uint64_t kMostKernelJson = std::uint64_t{1} << 16;
constexpr const char* kUnknownKernel = "unknown";

bool is_version_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool is_android_build(std::string_view text) {
  return text.starts_with("-ab") && text.size() > 3 && std::ranges::all_of(text.substr(3), is_version_digit);
}

// What stands in the parentheses at `open`, nested ones included, or "" when they are never closed.
std::string_view version_group(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return text.substr(open + 1, i - open - 1);
  }
  return {};
}

// The groups of "Linux version R (builder@host) (compiler, linker) #1 SMP ...".
std::vector<std::string_view> version_groups(std::string_view text) {
  std::vector<std::string_view> groups;
  for (std::size_t open = text.find('('); open != std::string_view::npos; open = text.find('(', open)) {
    const std::string_view group = version_group(text, open);
    groups.push_back(group);
    open += group.size() + 2;
  }
  return groups;
}

// "gcc-12  12.2.0, GNU ld  2.40" of "gcc-12 (Debian 12.2.0-14) 12.2.0, GNU ld (GNU Binutils) 2.40".
std::string without_version_groups(std::string_view text) {
  std::string plain;
  int depth = 0;
  for (const char c : text) {
    if (c == ')' && depth > 0) --depth;
    if (c == '(') ++depth;
    if (depth == 0 && c != ')') plain += c;
  }
  return plain;
}

// "12" of "12.2.0", "4.9" of "4.9.2": as compilers are called.
std::string release_of_tool(const std::string& name, std::string_view version) {
  const std::vector<std::string_view> parts = split(version, '.');
  constexpr int kFirstOfOneNumber = 5;
  const std::optional<std::int64_t> major = parse_int(parts[0]);
  if (!major || *major <= 0) return kUnknownKernel;
  if (name == "gcc" && *major < kFirstOfOneNumber && parts.size() > 1)
    return fmt::format("{}-{}.{}", name, *major, parts[1]);
  return fmt::format("{}-{}", name, *major);
}

// The first word that is a version after one that names the compiler.
std::string compiler_of_group(std::string_view told) {
  const std::string plain = without_version_groups(told);
  std::string name;
  for (const std::string_view word : words(std::string_view(plain).substr(0, plain.find(',')))) {
    if (!name.empty() && is_version_digit(word.front())) return release_of_tool(name, word);
    if (word.contains("gcc")) name = "gcc";
    if (word == "clang") name = "clang";
  }
  return kUnknownKernel;
}

// Lines that tell who built the kernel and what it is called, not how it was configured.
bool names_tools(std::string_view key) {
  static constexpr std::array<std::string_view, 13> kKeys = {
      "CONFIG_CC_VERSION_TEXT",    "CONFIG_GCC_VERSION",          "CONFIG_CLANG_VERSION",
      "CONFIG_AS_VERSION",         "CONFIG_LD_VERSION",           "CONFIG_LLD_VERSION",
      "CONFIG_PAHOLE_VERSION",     "CONFIG_RUSTC_VERSION",        "CONFIG_RUSTC_VERSION_TEXT",
      "CONFIG_RUSTC_LLVM_VERSION", "CONFIG_BINDGEN_VERSION_TEXT", "CONFIG_LOCALVERSION",
      "CONFIG_BUILD_SALT"};
  return std::ranges::find(kKeys, key) != kKeys.end();
}

std::uint32_t note_word(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.substr(at, sizeof word).data(), sizeof word);
  return word;
}

std::string kernel_line(const os::Root& root, std::string_view path) {
  return std::string(trim(root.read(path).value_or("")));
}

}  // namespace

std::string commit_of_release(std::string_view release) {
  const std::size_t mark = release.rfind("-g");
  if (mark == std::string_view::npos) return std::string(release);
  const std::string_view rest = release.substr(mark + 2);
  const std::string_view sha = rest.substr(0, rest.find_first_not_of("0123456789abcdef"));
  const std::string_view behind = rest.substr(sha.size());
  if (!(is_short_sha(sha) || is_full_sha(sha)) || !(behind.empty() || is_android_build(behind)))
    return std::string(release);
  return std::string(sha);
}

bool is_short_sha(std::string_view commit) {
  constexpr std::size_t kFewest = 7;
  constexpr std::size_t kSha = 40;
  return commit.size() >= kFewest && commit.size() < kSha &&
         commit.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string running_commit(const os::Root& root) {
  return commit_of_release(kernel_line(root, "/proc/sys/kernel/osrelease"));
}

std::string compiler_of_version(std::string_view proc_version) {
  for (const std::string_view group : version_groups(proc_version))
    if (const std::string compiler = compiler_of_group(group); compiler != kUnknownKernel) return compiler;
  return kUnknownKernel;
}

std::string kconfig_name(std::string_view config, const std::string& arch) {
  constexpr std::size_t kDigits = 8;
  std::vector<std::string_view> kept;
  for (const std::string_view line : lines(config))
    if (line.starts_with("CONFIG_") && !names_tools(line.substr(0, line.find('=')))) kept.push_back(line);
  if (kept.empty()) return kUnknownKernel;
  std::ranges::sort(kept);
  Sha256 hash;
  for (const std::string_view line : kept) {
    hash.update(line);
    hash.update("\n");
  }
  return (arch.empty() ? "" : arch + "-") + hash.finish_hex().substr(0, kDigits);
}

std::string build_id_of_notes(std::string_view notes) {
  constexpr std::size_t kHead = 12;
  constexpr std::uint32_t kBuildId = 3;
  constexpr std::string_view kGnu("GNU\0", 4);
  const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
  for (std::size_t at = 0; at + kHead <= notes.size();) {
    const std::size_t name = note_word(notes, at);
    const std::size_t size = note_word(notes, at + 4);
    const std::size_t start = at + kHead + padded(name);
    if (start > notes.size() || size > notes.size() - start) return "";
    if (note_word(notes, at + 8) == kBuildId && notes.substr(at + kHead, name) == kGnu) {
      std::string hex;
      for (const char c : notes.substr(start, size))
        hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
      return hex;
    }
    at = start + padded(size);
  }
  return "";
}

std::optional<std::string> kernel_config(const os::Root& root, const std::string& release) {
  if (const Result<std::string> packed = root.read("/proc/config.gz"); packed)
    if (Result<std::string> text = monitor::gunzip(*packed, kMostConfig)) return std::move(*text);
  for (const std::string& path :
       {fmt::format("/boot/config-{}", release), fmt::format("/lib/modules/{}/config", release)})
    if (Result<std::string> text = root.read(path)) return std::move(*text);
  return std::nullopt;
}

RunningKernel running_kernel(const os::Root& root, const std::string& arch) {
  RunningKernel running;
  Kernel& kernel = running.kernel;
  kernel.release = kernel_line(root, "/proc/sys/kernel/osrelease");
  kernel.version = kernel_line(root, "/proc/sys/kernel/version");
  kernel.commit = kernel.release.empty() ? kUnknownKernel : commit_of_release(kernel.release);
  kernel.compiler = compiler_of_version(kernel_line(root, "/proc/version"));
  running.config = kernel_config(root, kernel.release).value_or("");
  kernel.kconfig = kconfig_name(running.config, arch);
  if (!running.config.empty()) kernel.config = sha256_hex(running.config);
  kernel.build_id = build_id_of_notes(root.read("/sys/kernel/notes").value_or(""));
  return running;
}

Status keep_kernel(const RunningKernel& running, const os::Path& home, const os::Path& run_directory) {
  const Kernel& kernel = running.kernel;
  const nlohmann::json json = {{"release", kernel.release},  {"version", kernel.version},
                               {"commit", kernel.commit},    {"compiler", kernel.compiler},
                               {"kconfig", kernel.kconfig},  {"config", kernel.config},
                               {"build_id", kernel.build_id}};
  TRY(os::write_file(run_directory / kKernelJson, model::dump_json(json)));
  if (kernel.config.empty() || kept_config(kernel, home)) return {};
  TRY(os::make_directories(home / "kernels"));
  return os::write_file(home / "kernels" / (kernel.config + ".config"), running.config);
}

std::optional<Kernel> kernel_of_run(const os::Path& run_directory) {
  const Result<std::string> text = os::read_file(run_directory / kKernelJson, kMostKernelJson);
  if (!text) return std::nullopt;
  const Result<nlohmann::json> json = model::parse_json(*text, "reading kernel.json");
  if (!json || !json->is_object()) return std::nullopt;
  const auto member = [&json](const char* name) { return model::member<std::string>(*json, name); };
  return Kernel{.release = member("release"),
                .version = member("version"),
                .commit = member("commit"),
                .compiler = member("compiler"),
                .kconfig = member("kconfig"),
                .config = member("config"),
                .build_id = member("build_id")};
}

std::optional<os::Path> kept_config(const Kernel& kernel, const os::Path& home) {
  constexpr std::size_t kDigits = 64;
  // An imported run's word is no path.
  if (kernel.config.size() != kDigits ||
      kernel.config.find_first_not_of("0123456789abcdef") != std::string::npos)
    return std::nullopt;
  os::Path file = home / "kernels" / (kernel.config + ".config");
  return os::size_of_file(file) > 0 ? std::optional(std::move(file)) : std::nullopt;
}

}  // namespace kilter::robot
