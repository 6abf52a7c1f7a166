#include "base/text.h"
#include "monitor/all.h"

#include <fmt/core.h>

#include <iterator>

// kmsg: kernel messages that came during the run, in the form of `dmesg --follow --decode`.
namespace kilter::monitor {
namespace {

constexpr std::string_view kLevels[] = {"emerg", "alert", "crit", "err", "warn", "notice", "info", "debug"};
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
                 kLevels[static_cast<std::size_t>(priority & 7)], microseconds / 1000000,
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

}  // namespace

Sources kmsg_sources(const os::Root& root) {
  return fixed_sources(root, {"/dev/kmsg"});
}

WriterPtr kmsg_writer(const WriterContext&) {
  return std::make_unique<KmsgWriter>();
}

}  // namespace kilter::monitor
