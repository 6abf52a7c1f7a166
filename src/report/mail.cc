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

// The commit's subject up to its first colon: "x86/bugs".
std::string subject_prefix(const model::Commit& commit) {
  const std::string subject = one_line(commit.subject);
  const std::size_t colon = subject.find(':');
  return colon == std::string::npos ? "" : subject.substr(0, colon);
}

std::string percent_text(double percent) {
  return fmt::format("{:.1f}%", std::abs(percent));
}

bool is_bad_news(const MailInput& input) {
  return !input.failure.empty() || input.word != "improvement";
}

void write_headline(Body& body, const MailInput& input) {
  body.line("Hello,");
  body.blank();
  const std::string robot = one_line(input.robot);
  if (input.failure.empty())
    body.line(robot, " noticed a ", percent_text(input.percent), " ", one_line(input.word), " of ",
              one_line(input.metric), " on:");
  else
    body.line(robot, " noticed \"", one_line(input.failure), "\" on:");
  body.blank(2);
}

void write_origin(Body& body, const MailInput& input) {
  body.line("commit: ", one_line(input.commit.sha), " (\"", one_line(input.commit.subject), "\")");
  if (input.patch) {
    body.line("url: ", one_line(input.patch->url));
    body.line("base: ", one_line(input.patch->base));
    body.line("patch link: ", one_line(input.patch->link));
    body.line("patch subject: ", one_line(input.patch->subject));
  } else if (!input.tree_url.empty()) {
    body.line(one_line(input.tree_url + " " + input.branch));
  }
  body.blank();
  std::size_t widest = 0;
  for (const auto& [head, sha] : input.still_there) widest = std::max(widest, one_line(head).size());
  for (const auto& [head, sha] : input.still_there)
    body.line(fmt::format("[test failed on {:<{}} {}]", one_line(head), widest, one_line(sha)));
  body.blank();
}

void write_test(Body& body, const MailInput& input) {
  const std::pair<const char*, std::string> lines[] = {{"testcase", input.testcase},
                                                       {"config", input.kconfig},
                                                       {"compiler", input.compiler},
                                                       {"test machine", input.machine}};
  for (const auto& [label, value] : lines)
    if (!value.empty()) body.line(label, ": ", one_line(value));
  body.line("parameters:");
  body.blank();
  for (const auto& [key, value] : input.parameters) body.line("\t", one_line(key), ": ", one_line(value));
  if (!input.test_description.empty() || !input.test_url.empty()) body.blank();
  if (!input.test_description.empty()) body.line("test-description: ", one_line(input.test_description));
  if (!input.test_url.empty()) body.line("test-url: ", one_line(input.test_url));
  body.blank(2);
}

void write_box(Body& body, const MailInput& input) {
  if (input.further.empty()) return;
  body.line("In addition to that, the commit also has significant impact on the following tests:");
  body.blank();
  body.raw(box_frame(input.further));
  body.blank(2);
}

void write_tags(Body& body, const MailInput& input) {
  if (!is_bad_news(input)) return;
  body.line("If you fix the issue in a separate patch/commit (i.e. not just a new version of");
  body.line("the same patch/commit), kindly add following tags");
  body.line("| Reported-by: ", one_line(input.from.name), " <", one_line(input.from.email), ">");
  if (!input.closes.empty()) body.line("| Closes: ", one_line(input.closes));
  body.blank(2);
}

void write_materials(Body& body, const MailInput& input) {
  body.line("Details are as below:");
  body.line(std::string(98, '-'), ">");
  body.blank(2);
  if (!input.archive.empty()) {
    body.line("The build config and materials to reproduce are available at:");
    body.line(one_line(input.archive));
    body.blank();
  }
  if (input.reproduce.empty()) return;
  body.line("To reproduce:");
  body.blank();
  for (const std::string& step : input.reproduce) body.line("        ", one_line(step));
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
}

// Empty lines between and after the tables, each table's own last one included.
void write_sections(Body& body, const MailInput& input) {
  const std::string legend = input.plot_legend.empty() ? plot_legend() : input.plot_legend;
  for (std::size_t i = 0; i < input.sections.size(); ++i) {
    if (i > 0) {
      body.blank(i == 1 ? 2 : 3);
      body.line(std::string(99, '*'));
      body.line(one_line(input.sections[i].machine));
    }
    write_section(body, input.sections[i], legend);
  }
  body.blank(input.sections.size() > 1 ? 5 : 4);
}

}  // namespace

std::vector<std::string> default_reproduce_steps(const std::string& job_file) {
  const std::string job = shell_quote(job_file);
  return {"kilter install                " + job,
          "kilter split-job --compatible " + job + "  # names the file to run",
          "kilter run                    compatible-job.yaml"};
}

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
  const std::string tree = one_line(input.tree);
  const std::string branch = one_line(input.branch);
  if (!tree.empty()) subject += "[" + tree + (branch.empty() ? "" : ":" + branch) + "] ";
  const std::string prefix = subject_prefix(input.commit);
  if (!prefix.empty()) subject += "[" + prefix + "]";
  if (!subject.empty()) subject += subject.ends_with(' ') ? " " : "  ";
  subject += one_line(input.commit.sha).substr(0, 10) + ":  ";
  if (!input.failure.empty()) return subject + one_line(input.failure);
  return subject + one_line(input.metric) + " " + percent_text(input.percent) + " " + one_line(input.word);
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
