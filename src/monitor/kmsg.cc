#include "base/text.h"
#include "monitor/all.h"
#include "monitor/error_id.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>

// kmsg: kernel messages that came during the run, in the form of `dmesg --follow --decode`.
namespace kilter::monitor {
namespace {

constexpr std::string_view kFacilities[] = {"kern", "user", "mail", "daemon", "auth",     "syslog",
                                            "lpr",  "news", "uucp", "cron",   "authpriv", "ftp"};

// A record of /dev/kmsg: "<priority>,<sequence>,<microseconds>,<flags>[,...];<text>".
void append_record(std::string_view record, std::string& out) {
  const std::size_t end = record.find(';');
  if (end == std::string_view::npos) return;
  const std::vector<std::string_view> head = split(record.substr(0, end), ',');
  if (head.size() < 3) return;
  const std::int64_t priority = parse_int(head[0]).value_or(6);
  const std::int64_t microseconds = parse_int(head[2]).value_or(0);
  const std::size_t facility = static_cast<std::size_t>(priority >> 3);
  fmt::format_to(std::back_inserter(out), "{:<6}:{:<6}: [{:5}.{:06}] {}\n",
                 facility < std::size(kFacilities) ? kFacilities[facility] : "?",
                 kLogLevels[static_cast<std::size_t>(priority & 7)], microseconds / 1000000,
                 microseconds % 1000000, record.substr(end + 1));
}

class KmsgWriter final : public Writer {
 public:
  void add(const Sample& sample, std::string& out) override {
    if (sample.data[0].data() == nullptr) return;
    // Lines that begin with a blank are properties of the device, not text.
    for (const std::string_view line : lines(sample.data[0]))
      if (!line.starts_with(' ')) append_record(line, out);
  }
};

constexpr int kWorstIgnored = 4;  // warnings and below are chatter
constexpr std::size_t kLeakFrames = 6;

// Messages of level err that tell of the machine, not of a fault.
constexpr std::string_view kDenied[] = {"Raw EDID", "nobody cared"};

bool is_hex_dump(std::string_view text) {
  const std::vector<std::string_view> bytes = words(text);
  return !bytes.empty() && std::ranges::all_of(bytes, [](std::string_view byte) {
    return byte.size() == 2 && byte.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  });
}

bool is_fault(const LogLine& line) {
  if (line.level < 0 || line.level >= kWorstIgnored) return false;
  if (!line.facility.empty() && line.facility != "kern") return false;
  return !is_hex_dump(line.text) &&
         std::ranges::none_of(kDenied, [&](std::string_view denied) { return line.text.contains(denied); });
}

// Error ids in the order in which they come up, each once.
class Faults {
 public:
  explicit Faults(std::string& out) : out_(out) {}

  void add(const std::string& id, std::string_view message, const std::string& pattern,
           std::string_view timestamp) {
    if (id.empty() || !seen_.insert(id).second) return;
    fmt::format_to(std::back_inserter(out_), "\n# {0}\n{1}: 1\nmessage:{1}: {2}\npattern:{1}: {0}\n", pattern,
                   id, message);
    if (!timestamp.empty()) stamps_.emplace_back(id, timestamp);
  }

  void finish(std::string_view last) {
    if (last.empty()) return;
    fmt::format_to(std::back_inserter(out_), "\ntimestamp:last: {}\n", last);
    for (const auto& [id, stamp] : stamps_)
      fmt::format_to(std::back_inserter(out_), "timestamp:{}: {}\n", id, stamp);
  }

 private:
  std::string& out_;
  std::unordered_set<std::string> seen_;
  std::vector<std::pair<std::string, std::string_view>> stamps_;
};

// Reports of address and undefined-behaviour sanitizers that programs print.
class Sanitizers {
 public:
  explicit Sanitizers(Faults& faults) : faults_(faults) {}

  void line(std::string_view text) {
    if (text.contains("runtime error: ")) {
      faults_.add("sanitizer." + error_id(text), "sanitizer." + std::string(text),
                  "sanitizer." + error_pattern(text), {});
    } else if (text.contains("irect leak of ")) {
      leaks_.push_back(text.starts_with("Indirect") ? "sanitizer.indirect_leak" : "sanitizer.direct_leak");
      frames_ = 0;
    } else if (text.starts_with('#') && !leaks_.empty() && frames_ < kLeakFrames) {
      frame(words(text));
    }
  }

  void finish() {
    for (const std::string& leak : leaks_) faults_.add(leak, leak, leak, {});
  }

 private:
  // "#0 0x7fbe2243e810 in strdup (/usr/lib/...)".
  void frame(const std::vector<std::string_view>& fields) {
    if (fields.size() < 4 || fields[2] != "in") return;
    leaks_.back().append("/").append(fields[3]);
    ++frames_;
  }

  Faults& faults_;
  std::vector<std::string> leaks_;
  std::size_t frames_ = 0;
};

// What the test machine itself says when it has come up.
constexpr std::string_view kBootOk = " Kernel tests: Boot OK!";

std::string boot_pattern(std::string_view text) {
  const bool from_stdout = text.starts_with("LKP: stdout:");
  return fmt::format("LKP: {}.*{}", from_stdout ? "stdout: " : "", kBootOk);
}

}  // namespace

void parse_kmsg(std::string_view raw, std::string& out) {
  Faults faults(out);
  Sanitizers sanitizers(faults);
  std::string_view last;
  for (const std::string_view line : lines(raw)) {
    const LogLine message = read_log_line(line);
    if (!message.timestamp.empty()) last = message.timestamp;
    if (message.text.starts_with("LKP: ") && message.text.ends_with(kBootOk)) {
      faults.add(error_id(message.text), line, boot_pattern(message.text), message.timestamp);
    } else if (is_fault(message)) {
      faults.add(error_id(message.text), line, error_pattern(message.text), message.timestamp);
    } else if (message.facility == "user") {
      sanitizers.line(message.text);
    }
  }
  sanitizers.finish();
  faults.finish(last);
}

Sources kmsg_sources(const os::Root& root) {
  return fixed_sources(root, {"/dev/kmsg"});
}

WriterPtr kmsg_writer(const WriterContext&) {
  return std::make_unique<KmsgWriter>();
}

}  // namespace kilter::monitor
