#include "report/mail.h"

#include "base/hash.h"
#include "base/text.h"
#include "report/plot.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace kilter::report {
namespace {

const std::vector<std::string> kDisclaimer = {
    "Disclaimer:", "These results were measured on the machine named above and are given for information",
    "only. Other hardware, software or settings may show another effect, or none."};
const std::vector<std::string> kFooter = {"-- ", "Kilter, a performance test robot"};

// A mail as lines; foreign text is put in by line(), which keeps it on one.
class Body {
 public:
  void blank(int lines = 1) { text_.append(static_cast<std::size_t>(lines), '\n'); }
  void raw(std::string_view text) { text_ += text; }
  template <class... Parts>
  void line(const Parts&... parts) {
    (text_.append(parts), ...);
    text_ += '\n';
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// The commit's subject up to its first colon: "x86/bugs"; a "[PATCH v2 1/3]" before it does not count.
std::string subject_prefix(const model::Commit& commit) {
  std::string subject = header_text(commit.subject);
  const std::size_t close = subject.starts_with('[') ? subject.find("] ") : std::string::npos;
  if (close != std::string::npos) subject.erase(0, close + 2);
  const std::size_t colon = subject.find(':');
  return colon == std::string::npos ? "" : subject.substr(0, colon);
}

std::string size_text(const MailInput& input) {
  return fmt::format("{:.1f}{}", std::abs(input.percent), input.points ? " points" : "%");
}

// A setting is not fixed by a commit.
bool asks_for_tags(const MailInput& input) {
  if (!input.pair.empty()) return false;
  return !input.failure.empty() || input.word == "regression" || !input.opposite.empty();
}

bool begins_with_sha(const std::string& line) {
  constexpr std::size_t kSha = 40;
  return is_full_sha(line.substr(0, kSha));
}

// A sha cut as subjects cut it; what is no sha ("6.1.0-18-amd64") stays whole.
std::string short_sha(const std::string& label) {
  constexpr std::size_t kDigits = 10;
  std::string line = header_text(label);
  if (!begins_with_sha(line)) return line;
  const std::size_t digits = line.find_first_not_of("0123456789abcdef");
  const std::string patch = digits == std::string::npos ? "" : line.substr(digits, kDigits + 1);
  return line.substr(0, kDigits) + patch;
}

std::string name_of(const MailRange::End& end) {
  return end.name.empty() ? short_sha(end.sha) : header_text(end.name);
}

std::string quoted(const std::string& subject) {
  return subject.empty() ? "" : " (\"" + header_text(subject) + "\")";
}

std::string value_text(const std::string& value) {
  return value.empty() ? "none" : header_text(value);
}

std::string named_value(const std::string& name, const std::string& value) {
  return (name.empty() ? "" : header_text(name) + "=") + value_text(value);
}

// "nr_task=1/mode=thread", as axes are typed.
std::string side_text(const std::vector<MailAxis>& pair, std::string MailAxis::* side) {
  std::vector<std::string> parts;
  for (const MailAxis& axis : pair) parts.push_back(named_value(axis.name, axis.*side));
  return join(parts, "/");
}

std::string pair_subject(const std::vector<MailAxis>& pair) {
  const bool single = pair.size() == 1;
  return side_text(pair, &MailAxis::base) + ".." +
         (single ? value_text(pair.front().head) : side_text(pair, &MailAxis::head));
}

// " between nr_task=1 and nr_task=100%, on the same commit:".
std::string place_text(const MailInput& input) {
  if (input.pair.empty()) return input.range ? " between:" : " on:";
  std::string text =
      " between " + side_text(input.pair, &MailAxis::base) + " and " + side_text(input.pair, &MailAxis::head);
  if (!input.commit.sha.empty())
    text += begins_with_sha(input.commit.sha) ? ", on the same commit" : ", on the same kernel";
  return text + ":";
}

void write_headline(Body& body, const MailInput& input) {
  body.line("Hello,");
  body.blank();
  const std::string robot = header_text(input.robot);
  const std::string where = place_text(input);
  if (input.failure.empty())
    body.line(robot, " noticed a ", size_text(input), " ", header_text(input.word), " of ",
              header_text(input.metric), where);
  else
    body.line(robot, " noticed \"", header_text(input.failure), "\"", where);
  body.blank(2);
}

void write_range(Body& body, const MailRange& range) {
  for (const auto& [label, end] : {std::pair("base: ", &range.base), std::pair("head: ", &range.head)})
    body.line(label, end->name.empty() ? "" : header_text(end->name) + " ", header_text(end->sha),
              quoted(end->subject));
}

// Who reads it must not take the head for the culprit.
void write_range_commits(Body& body, const MailRange& range) {
  const std::string base = name_of(range.base);
  const std::string head = name_of(range.head);
  if (range.commits <= 0) {
    if (!range.why.empty()) body.line(header_text(range.why));
    return;
  }
  const std::string commits = fmt::format("{} commit{}", range.commits, range.commits == 1 ? "" : "s");
  body.line(commits, " lead", range.commits == 1 ? "s" : "", " from ", base, " to ", head,
            "; bisect to find the one that did it:");
  if (!range.bisect.empty()) {
    body.line("  ", header_text(range.bisect));
    body.blank();
  }
  for (const model::Commit& commit : range.listed)
    body.line("  ", short_sha(commit.sha), quoted(commit.subject));
  const int more = range.commits - static_cast<int>(range.listed.size());
  if (more > 0) body.line(fmt::format("  ... and {} more", more));
}

void write_origin(Body& body, const MailInput& input) {
  if (input.range)
    write_range(body, *input.range);
  else if (!input.commit.sha.empty())
    body.line(begins_with_sha(input.commit.sha) ? "commit: " : "kernel: ", header_text(input.commit.sha),
              quoted(input.commit.subject));
  if (input.patch)
    for (const auto& [label, value] :
         {std::pair("url: ", &input.patch->url), std::pair("base: ", &input.patch->base),
          std::pair("patch link: ", &input.patch->link), std::pair("patch subject: ", &input.patch->subject)})
      if (!value->empty()) body.line(label, header_text(*value));
  if (!input.patch && !input.tree_url.empty()) body.line(header_text(input.tree_url + " " + input.branch));
  body.blank();
  if (input.range && (input.range->commits > 0 || !input.range->why.empty())) {
    write_range_commits(body, *input.range);
    body.blank();
  }
  for (const MailAxis& axis : input.also_differs)
    body.line("Not alike, too: ", named_value(axis.name, axis.base), " and ", value_text(axis.head), ".");
  if (!input.also_differs.empty()) body.blank();
  if (!input.evidence.empty()) {
    body.line(header_text(input.evidence));
    body.blank();
  }
  if (!input.opposite.empty()) {
    body.line("At the same time: ", header_text(join(input.opposite, ", ")), ".");
    body.blank();
  }
  std::size_t widest = 0;
  for (const auto& [head, sha] : input.still_there) widest = std::max(widest, header_text(head).size());
  for (const auto& [head, sha] : input.still_there)
    body.line(fmt::format("[test failed on {:<{}} {}]", header_text(head), widest, header_text(sha)));
  body.blank();
}

void write_test(Body& body, const MailInput& input) {
  const std::pair<const char*, std::string> lines[] = {
      {"testcase", input.testcase}, {"config", input.kconfig},       {"build", input.build},
      {"compiler", input.compiler}, {"test machine", input.machine}, {"kernel", input.kernel}};
  for (const auto& [label, value] : lines)
    if (!value.empty()) body.line(label, ": ", header_text(value));
  if (!input.parameters.empty()) {
    body.line("parameters:");
    body.blank();
  }
  for (const auto& [key, value] : input.parameters)
    body.line("\t", header_text(key), ": ", header_text(value));
  if (!input.caveats.empty()) body.blank();
  for (const std::string& caveat : input.caveats) body.line("note: ", header_text(caveat));
  if (!input.test_description.empty() || !input.test_url.empty()) body.blank();
  if (!input.test_description.empty()) body.line("test-description: ", header_text(input.test_description));
  if (!input.test_url.empty()) body.line("test-url: ", header_text(input.test_url));
  body.blank(2);
}

void write_box(Body& body, const MailInput& input) {
  if (input.further.empty()) return;
  body.line("In addition to that, ", input.range || !input.pair.empty() ? "the change" : "the commit",
            " also has significant impact on the following tests:");
  body.blank();
  body.raw(box_frame(input.further));
  body.blank(2);
}

void write_tags(Body& body, const MailInput& input) {
  if (!asks_for_tags(input)) return;
  body.line("If you fix the issue in a separate patch/commit (i.e. not just a new version of");
  body.line("the same patch/commit), kindly add following tags");
  body.line("| Reported-by: ", header_text(input.from.name), " <", header_text(input.from.email), ">");
  if (!input.closes.empty()) body.line("| Closes: ", header_text(input.closes));
  body.blank(2);
}

void write_materials(Body& body, const MailInput& input) {
  body.line("Details are as below:");
  body.line(std::string(98, '-'), ">");
  body.blank(2);
  if (!input.archive.empty()) {
    body.line("The ", header_text(input.materials), " to reproduce are available at:");
    body.line(header_text(input.archive));
    body.blank();
  }
  if (input.reproduce.empty()) return;
  body.line("To reproduce:");
  body.blank();
  for (const std::string& step : input.reproduce)
    step.empty() ? body.blank() : body.line("        ", header_text(step));
  body.blank();
}

void write_section(Body& body, const MailSection& section, const std::string& legend) {
  std::string_view table = section.table;
  while (table.ends_with('\n')) table.remove_suffix(1);
  body.raw(table);
  body.blank();
  for (const std::string& plot : section.plots) {
    body.blank();
    body.line(plot);
  }
  if (!section.plots.empty()) body.raw("\n" + legend);
  if (section.log.empty()) return;
  body.blank();
  body.line(header_text(section.log_title));
  body.blank();
  for (const std::string& line : section.log) body.line("  ", header_text(line));
}

// Empty lines between and after the tables, each table's own last one included.
void write_sections(Body& body, const MailInput& input) {
  const std::string legend = input.plot_legend.empty() ? plot_legend() : input.plot_legend;
  for (std::size_t i = 0; i < input.sections.size(); ++i) {
    if (i > 0) {
      body.blank(i == 1 ? 2 : 3);
      body.line(std::string(99, '*'));
      body.line(header_text(input.sections[i].machine));
    }
    write_section(body, input.sections[i], legend);
  }
  body.blank(input.sections.size() > 1 ? 5 : 4);
}

std::string compared_text(const MailInput& input) {
  if (!input.pair.empty()) return pair_subject(input.pair);
  if (input.range) return name_of(input.range->base) + ".." + name_of(input.range->head);
  return short_sha(input.commit.sha);
}

}  // namespace

std::string make_message_id(std::int64_t date, std::string_view about, std::string_view host) {
  // "Mon, 21 Apr 2025 05:48:27 +0000" has all parts; its month is a name.
  const std::string text = date_text(date);
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const std::size_t month = kMonths.find(text.substr(8, 3)) / 3 + 1;
  std::string domain;
  for (const char c : host)
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.')
      domain += c;
  const std::string id = fmt::format("{}{:02}{}{}{}.{}-kilter", text.substr(12, 4), month, text.substr(5, 2),
                                     text.substr(17, 2), text.substr(20, 2), hash_hex(about).substr(0, 8));
  return is_address(id + "@" + domain) ? id + "@" + domain : id + "@localhost";
}

std::string mail_subject(const MailInput& input) {
  std::string subject;
  const std::string tree = header_text(input.tree);
  const std::string branch = header_text(input.branch);
  if (!tree.empty()) subject += "[" + tree + (branch.empty() ? "" : ":" + branch) + "] ";
  std::string prefix = input.range ? "" : subject_prefix(input.commit);
  if (!input.pair.empty()) prefix = header_text(input.testcase);
  if (!prefix.empty()) subject += "[" + prefix + "]";
  if (!subject.empty()) subject += subject.ends_with(' ') ? " " : "  ";
  if (!input.subject_prefix.empty()) subject = header_text(input.subject_prefix) + " " + subject;
  subject += compared_text(input) + ":  ";
  if (!input.failure.empty()) return subject + header_text(input.failure);
  return subject + header_text(input.metric) + " " + size_text(input) + " " + header_text(input.word);
}

std::string mail_body(const MailInput& input) {
  Body body;
  body.blank(2);
  write_headline(body, input);
  write_origin(body, input);
  write_test(body, input);
  write_box(body, input);
  body.blank(2);
  write_tags(body, input);
  write_materials(body, input);
  write_sections(body, input);
  for (const std::string& line : input.disclaimer.empty() ? kDisclaimer : input.disclaimer) body.line(line);
  body.blank(2);
  for (const std::string& line : input.footer.empty() ? kFooter : input.footer) body.line(line);
  body.blank(2);
  return body.take();
}

std::string mail_message(const MailInput& input) {
  std::string message = address_header("From", std::span(&input.from, 1));
  message += address_header("To", input.recipients.to);
  message += address_header("Cc", input.recipients.cc);
  message += text_header("Subject", mail_subject(input));
  if (is_address(input.message_id)) message += "Message-ID: <" + input.message_id + ">\n";
  message += "Date: " + date_text(input.date) + "\n";
  return message + text_part(mail_body(input));
}

}  // namespace kilter::report
