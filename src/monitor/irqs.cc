#include "base/saturate.h"
#include "base/text.h"
#include "monitor/all.h"

#include <algorithm>

// interrupts and softirqs: a table with a column a CPU.
namespace kilter::monitor {
namespace {

using Words = std::vector<std::string_view>;

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string join_words(std::span<const std::string_view> parts, char separator) {
  std::string joined;
  for (const std::string_view part : parts) {
    if (!joined.empty()) joined += separator;
    joined += part;
  }
  return joined;
}

// "24:" and {"IR-PCI-MSI", "524288-edge", "eth0,", "eth1"} -> "24:IR-PCI-MSI.524288-edge.eth0,eth1"; what is
// not a line number joins its words by '_': "NMI:Non-maskable_interrupts".
std::string interrupt_key(std::string_view first, std::span<const std::string_view> words) {
  const bool numbered = is_number(first.substr(0, first.size() - 1));
  return std::string(first) + replace_all(join_words(words, numbered ? '.' : '_'), ",.", ",");
}

struct Row {
  std::string key;
  std::span<const std::string_view> counts;  // one a CPU
};

void append_row(const Row& row, const Words& cpus, std::string& out) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < row.counts.size(); ++i) {
    append_line(std::string(cpus[i]) + "." + row.key, row.counts[i], out);
    sum = saturating_add(sum, parse_int(row.counts[i]).value_or(0));
  }
  append_line(row.key, sum, out);
}

void parse_table(std::string_view raw, std::string& out, std::string (*row_key)(const Words&, std::size_t)) {
  Words cpus;
  for (const std::string_view line : lines(raw)) {
    const Words fields = words(line);
    if (fields.empty()) continue;
    if (fields[0] == "time:" && fields.size() == 2) {
      append_line("time", fields[1], out);
    } else if (fields[0].starts_with("CPU")) {
      cpus = fields;
    } else if (!fields[0].ends_with(':') || fields.size() < 2) {
      continue;
    } else if (fields.size() == 2 && cpus.size() != 1) {
      append_line(fields[0].substr(0, fields[0].size() - 1), fields[1], out);
    } else {
      const std::size_t count = static_cast<std::size_t>(
          std::find_if_not(fields.begin() + 1, fields.end(), is_number) - fields.begin() - 1);
      const std::size_t shown = std::min(count, cpus.size());
      append_row({.key = row_key(fields, 1 + shown), .counts = std::span(fields).subspan(1, shown)}, cpus,
                 out);
    }
  }
}

std::string interrupts_row_key(const Words& fields, std::size_t description) {
  if (fields.size() == 2) return std::string(fields[0].substr(0, fields[0].size() - 1));
  return interrupt_key(fields[0], std::span(fields).subspan(description));
}

std::string softirqs_row_key(const Words& fields, std::size_t) {
  return std::string(fields[0].substr(0, fields[0].size() - 1));
}

}  // namespace

Sources interrupts_sources(const os::Root& root) {
  return fixed_sources(root, {"/proc/interrupts"});
}
Sources softirqs_sources(const os::Root& root) {
  return fixed_sources(root, {"/proc/softirqs"});
}

void parse_interrupts(std::string_view raw, std::string& out) {
  parse_table(raw, out, interrupts_row_key);
}
void parse_softirqs(std::string_view raw, std::string& out) {
  parse_table(raw, out, softirqs_row_key);
}

}  // namespace kilter::monitor
