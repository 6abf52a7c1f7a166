#include "base/text.h"
#include "monitor/all.h"

// uptime: seconds since boot and seconds idle (over all CPUs), once, when the workload has ended.
namespace kilter::monitor {
namespace {

class UptimeWriter final : public Writer {
 public:
  void add(const Sample& sample, std::string& out) override {
    const std::vector<std::string_view> fields = words(sample.data.front());
    if (fields.size() != 2) return;
    append_time(sample.time, out);
    append_line("boot", fields[0], out);
    append_line("idle", fields[1], out);
  }
};

}  // namespace

Sources uptime_sources(const os::Root& root) {
  return fixed_sources(root, {"/proc/uptime"});
}

WriterPtr uptime_writer(const WriterContext&) {
  return std::make_unique<UptimeWriter>();
}

void parse_uptime(std::string_view raw, std::string& out) {
  for (const std::string_view line : lines(raw)) {
    const std::vector<std::string_view> fields = words(line);
    if (fields.size() == 2 && fields[0].ends_with(':'))
      append_line(fields[0].substr(0, fields[0].size() - 1), fields[1], out);
  }
}

}  // namespace kilter::monitor
