#include "base/quantity.h"
#include "base/text.h"
#include "model/axes.h"
#include "model/report_types.h"
#include "robot/bisect_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace kilter::robot {
namespace {

constexpr std::size_t kStrip = 22;  // columns of a commit's dots
constexpr std::size_t kBar = 8;     // columns of a probability
constexpr std::size_t kFrameLines = 3;
constexpr std::size_t kShaDigits = 10;
constexpr double kShownMass = 5e-4;

constexpr std::array<const char*, 4> kDots = {" ", "∙", "•", "●"};
constexpr std::array<const char*, 4> kAsciiDots = {" ", ".", "o", "O"};
constexpr std::array<const char*, 8> kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};

// Where the dots of all commits lie.
struct StripScale {
  double low = 0;
  double high = 0;

  [[nodiscard]] std::size_t column(double value) const {
    if (!(high > low)) return kStrip / 2;
    const double share = (value - low) / (high - low);
    return static_cast<std::size_t>(std::lround(std::clamp(share, 0., 1.) * double(kStrip - 1)));
  }
};

StripScale strip_scale(const BisectScene& scene) {
  std::vector<double> all;
  for (std::size_t i = 0; i <= scene.range.last(); ++i)
    all.insert(all.end(), scene.evidence.values(i).begin(), scene.evidence.values(i).end());
  if (all.empty()) return {};
  const auto [low, high] = std::ranges::minmax(all);
  return {low, high};
}

std::string strip_text(const std::vector<double>& values, const StripScale& scale, bool unicode) {
  std::array<std::size_t, kStrip> counts{};
  for (const double value : values) ++counts[scale.column(value)];
  std::string text;
  for (const std::size_t count : counts) {
    const std::size_t dot = count == 0 ? 0 : count == 1 ? 1 : count <= 3 ? 2 : 3;
    text += (unicode ? kDots : kAsciiDots)[dot];
  }
  return text;
}

std::string bar_text(double mass, bool unicode) {
  const double cells = std::clamp(mass, 0., 1.) * double(kBar);
  const std::size_t full = static_cast<std::size_t>(cells);
  std::string bar;
  for (std::size_t i = 0; i < full; ++i) bar += unicode ? "█" : "#";
  std::size_t width = full;
  if (const std::size_t eighth = static_cast<std::size_t>((cells - double(full)) * 8);
      eighth > 0 && full < kBar) {
    bar += unicode ? kEighths[eighth] : eighth > 3 ? "-" : " ";
    ++width;
  }
  return bar + std::string(kBar - width, ' ');
}

std::string percent_text(double mass) {
  if (mass < kShownMass) return "      ";
  return fmt::format("{:5.1f}%", 100 * mass);
}

const char* state_mark(const BisectScene& scene, std::size_t commit, bool unicode) {
  const BookPage& page = scene.book.page(scene.range.sha(commit));
  if (scene.busy == commit) return unicode ? "▶" : ">";
  if (page.given_up()) return unicode ? "✗" : "x";
  return page.built ? "+" : " ";
}

// Columns cut at `width` code points.
std::string cut(const std::string& text, std::size_t width) {
  std::string shown;
  std::size_t columns = 0;
  for (const char c : text) {
    const bool begins = (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (begins && ++columns > width) break;
    shown += c;
  }
  return shown;
}

std::string end_word(const BisectScene& scene, std::size_t commit) {
  if (commit == 0) return "good: ";
  return commit == scene.range.last() ? "bad: " : "";
}

std::string commit_row(const BisectScene& scene, std::size_t commit, const StripScale& scale,
                       const BisectLayout& layout) {
  const double mass = commit == 0 || scene.posterior.gaps.empty()
                          ? 0
                          : analyse::probability_of(scene.evidence.state(), scene.posterior, commit);
  const BookPage& page = scene.book.page(scene.range.sha(commit));
  const std::string row = fmt::format(
      "{:>5} {} {:<10} {} {:>3} {} {} {}{}", commit, state_mark(scene, commit, layout.unicode),
      model::short_commit(scene.range.sha(commit), kShaDigits),
      strip_text(scene.evidence.values(commit), scale, layout.unicode), page.runs.size(),
      bar_text(mass, layout.unicode), percent_text(mass), end_word(scene, commit),
      printable(page.given_up() ? page.last_failure : scene.range.commits[commit].commit.subject));
  return cut(row, layout.width);
}

// The commits after `from` and before `to`.
std::string gap_row(const BisectScene& scene, std::size_t from, std::size_t to, const BisectLayout& layout) {
  double mass = 0;
  if (!scene.posterior.gaps.empty())
    mass = analyse::probability_by(scene.evidence.state(), scene.posterior, to - 1) -
           analyse::probability_by(scene.evidence.state(), scene.posterior, from);
  const std::string count =
      fmt::format("{} {} commit{}", layout.unicode ? "…" : "..", to - from - 1, to - from == 2 ? "" : "s");
  const std::string pad(38 - std::min<std::size_t>(37, display_width(count)), ' ');
  return cut(fmt::format("        {}{}{} {}", count, pad, bar_text(mass, layout.unicode), percent_text(mass)),
             layout.width);
}

// Both ends, the busy one, and of the tested and skipped ones those next to the likeliest.
std::vector<std::size_t> shown_commits(const BisectScene& scene, std::size_t rows) {
  std::vector<std::pair<double, std::size_t>> known;
  for (std::size_t i = 1; i < scene.range.last(); ++i) {
    const BookPage& page = scene.book.page(scene.range.sha(i));
    if (page.runs.empty() && !page.given_up() && scene.busy != i) continue;
    double mass = scene.busy == i ? 2 : page.given_up() ? -1 : 0;
    for (const analyse::BisectGap& gap : scene.posterior.gaps)
      if (gap.after == i || gap.upto == i) mass = std::max(mass, gap.mass);
    known.emplace_back(-mass, i);
  }
  std::ranges::sort(known);
  known.resize(std::min(known.size(), rows / 2));
  std::set<std::size_t> shown = {0, scene.range.last()};
  for (const auto& [mass, commit] : known) shown.insert(commit);
  return {shown.begin(), shown.end()};
}

std::string head_line(const BisectScene& scene) {
  const Measurand& what = scene.book.measurand();
  std::string text =
      fmt::format("{}{}: {} commits, {} runs, {} builds, {}", what.is_outcome() ? what.outcome : what.metric,
                  scene.part.empty() ? "" : " in " + scene.part, scene.range.last(), scene.book.runs(),
                  scene.book.builds(), format_duration(scene.seconds));
  if (scene.left && *scene.left >= 1) text += fmt::format(", about {} left", format_duration(*scene.left));
  return text;
}

std::string foot_line(const BisectScene& scene) {
  if (!scene.busy) return "";
  const std::size_t commit = *scene.busy;
  return fmt::format("{}: {}", model::short_commit(scene.range.sha(commit), kShaDigits),
                     printable(scene.doing));
}

std::string dimmed(const std::string& text, bool colour) {
  return colour ? "\x1b[2m" + text + "\x1b[0m" : text;
}

std::string emphasised(const std::string& text, double mass, bool colour) {
  return colour && mass >= .5 ? "\x1b[1m" + text + "\x1b[0m" : text;
}

}  // namespace

std::vector<std::string> bisect_lines(const BisectScene& scene, const BisectLayout& layout) {
  const StripScale scale = strip_scale(scene);
  std::vector<std::string> lines = {cut(head_line(scene), layout.width)};
  const std::size_t rows = layout.height > 8 ? layout.height - kFrameLines - 2 : 5;
  std::optional<std::size_t> before;
  for (const std::size_t commit : shown_commits(scene, rows)) {
    if (before && commit > *before + 1)
      lines.push_back(dimmed(gap_row(scene, *before, commit, layout), layout.colour));
    const double mass = commit == 0 || scene.posterior.gaps.empty()
                            ? 0
                            : analyse::probability_of(scene.evidence.state(), scene.posterior, commit);
    lines.push_back(emphasised(commit_row(scene, commit, scale, layout), mass, layout.colour));
    before = commit;
  }
  const std::size_t most = std::max<std::size_t>(layout.height, 3) - 1;
  if (lines.size() > most) lines.resize(most);
  if (const std::string foot = foot_line(scene); !foot.empty()) lines.push_back(cut(foot, layout.width));
  return lines;
}

std::string bisect_line(const BisectScene& scene) {
  std::string text = foot_line(scene) + fmt::format(" ({} runs so far", scene.book.runs());
  if (!scene.posterior.gaps.empty()) {
    if (scene.posterior.none >= .5) {
      text += fmt::format("; nothing differs with {:.0f} %", 100 * scene.posterior.none);
    } else {
      const analyse::CommitSet set =
          analyse::smallest_set(scene.evidence.state(), scene.posterior, .5 * (1 - scene.posterior.none));
      text += fmt::format("; {:.0f} % in {}..{}", 100 * set.mass,
                          model::short_commit(scene.range.sha(set.first - 1), kShaDigits),
                          model::short_commit(scene.range.sha(set.last), kShaDigits));
    }
  }
  return text + ")";
}

}  // namespace kilter::robot
