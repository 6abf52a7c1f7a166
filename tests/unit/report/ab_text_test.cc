#include "report/ab_text.h"

#include "base/text.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <limits>

using namespace kilter;
using namespace kilter::report;
using model::AbReport;
using model::AbSide;

namespace {

AbReport of_times() {
  return {.commands = {"./old", "./new"},
          .metric = "time",
          .unit = "s",
          .better = model::Direction::lower_better,
          .is_time = true,
          .answer = AbReport::Answer::changed,
          .significant = true,
          .tested = true,
          .effect = -0.0079,
          .low = -0.012,
          .high = -0.004,
          .p = 1e-5,
          .resolution = 0.005,
          .n = {25, 25},
          .delta = 0.01};
}

AbReport with_samples(std::size_t count) {
  AbReport report = of_times();
  for (std::size_t i = 0; i < count; ++i)
    for (const AbSide side : {AbSide::a, AbSide::b}) {
      const double value = (side == AbSide::a ? 1.0 : 1.2) + 0.01 * static_cast<double>(i % 7);
      report.samples.push_back({.side = side, .value = value, .wall = value});
    }
  return report;
}

}  // namespace

TEST_CASE("the answer is one sentence") {
  CHECK(ab_sentence(of_times()) ==
        "B is 0.79 % faster (99 % interval 0.4..1.2 %), n = 25+25; this could have shown 0.5 %");
  AbReport slower = of_times();
  slower.effect = 0.25;
  slower.low = 0.21;
  slower.high = 0.291;
  CHECK(ab_sentence(slower) ==
        "B is 25 % slower (99 % interval 21..29 %), n = 25+25; this could have shown 0.5 %");
}

TEST_CASE("other metrics are higher or lower, and better or worse where that is known") {
  AbReport report = of_times();
  report.is_time = false;
  report.better = model::Direction::unknown;
  CHECK(ab_sentence(report).starts_with("B is 0.79 % lower (99 % interval 0.4..1.2 %)"));
  report.better = model::Direction::higher_better;
  CHECK(ab_sentence(report).starts_with("B is 0.79 % lower, which is worse (99"));
  report.better = model::Direction::lower_better;
  CHECK(ab_sentence(report).starts_with("B is 0.79 % lower, which is better (99"));
}

TEST_CASE("the same and not enough data are two answers") {
  AbReport report = of_times();
  report.answer = AbReport::Answer::same;
  report.significant = false;
  report.effect = 0.0012;
  report.low = -0.003;
  report.high = 0.005;
  CHECK(ab_sentence(report) ==
        "A and B are the same within 1 % (B is 0.12 % slower, 99 % interval -0.3..0.5 %), n = 25+25; this "
        "could have shown 0.5 %");
  report.answer = AbReport::Answer::unknown;
  report.resolution = 0.026;
  report.more = 120;
  CHECK(ab_sentence(report) ==
        "not enough data: B is 0.12 % slower (99 % interval -0.3..0.5 %), n = 25+25; this could have shown "
        "2.6 %; about 120 more samples of each would show 1 %");
  report.end = AbReport::End::budget;
  report.budget = 300;
  CHECK(
      ab_sentence(report).starts_with("not enough data within the budget of 5m00s: B is 0.12 % slower (99"));
  report.effect = report.low = report.high = 0;
  report.answer = AbReport::Answer::same;
  CHECK(ab_sentence(report).starts_with("A and B are the same within 1 % (no difference, 99"));
  report.tested = false;
  report.budget = 1;
  CHECK(ab_sentence(report) == "not enough data: the budget of 1.0s ended before a sample of each was taken");
}

TEST_CASE("what is not known is not printed as a number") {
  AbReport report = of_times();
  report.answer = AbReport::Answer::unknown;
  report.significant = false;
  report.n = {1, 1};
  report.low = -1;
  report.high = report.resolution = std::numeric_limits<double>::infinity();
  const std::string text = ab_sentence(report);
  CHECK(text == "not enough data: B is 0.79 % faster (nothing is known of the scatter), n = 1+1");
  CHECK(ab_state(report) == "n = 1+1");
}

TEST_CASE("the picture has both sides on one axis within 80 columns") {
  const std::string picture = ab_picture(with_samples(20), {.utf8 = false});
  const std::vector<std::string_view> rows = lines(picture);
  REQUIRE(rows.size() == 3);
  for (const std::string_view row : rows) CHECK(display_width(row) <= 80);
  CHECK(rows[0].starts_with("A |"));
  CHECK(rows[1].starts_with("B |"));
  CHECK(rows[0][3] != ' ');  // A's least is the least of all, and B's largest the largest
  CHECK(rows[1][74] != ' ');
  CHECK(rows[0].substr(40).find_first_not_of(" |") == std::string_view::npos);
  CHECK(rows[2].find("1 s") != std::string_view::npos);
  CHECK(rows[2].find("1.26 s") != std::string_view::npos);
  CHECK(ab_picture(with_samples(20), {.utf8 = true}).find("▃") != std::string::npos);
  CHECK(ab_picture(with_samples(0), {}).empty());
}

TEST_CASE("a far outlier does not flatten the picture, and equal samples are one column") {
  AbReport report = with_samples(20);
  report.samples[6].value = 100;
  const std::string picture = ab_picture(report, {});
  CHECK(picture.find("1.26 s") != std::string::npos);
  for (model::AbSample& sample : report.samples) sample.value = 2;
  const std::string flat = ab_picture(report, {});
  CHECK(flat.find('@') != std::string::npos);
  CHECK(flat.find("2 s") != std::string::npos);
}

TEST_CASE("the text shows foreign command lines without their escapes, cut to the width") {
  AbReport report = with_samples(4);
  report.commands[0] = "printf '\x1b[31mred'\nnext";
  report.commands[1] = std::string(1000, 'x');
  const std::string text = ab_text(report, {});
  CHECK(text.find('\x1b') == std::string::npos);
  for (const std::string_view line : lines(text).size() > 2 ? lines(text) : std::vector<std::string_view>())
    if (!line.starts_with("B is")) CHECK(display_width(line) <= 100);
  CHECK(text.find("xxx...\n") != std::string::npos);
  report.commands[1].clear();
  for (int i = 0; i < 100; ++i) report.commands[1] += "ä";
  CHECK(ab_text(report, {}).find("ä\xef\xbf\xbd...\n") != std::string::npos);
}

TEST_CASE("json has the sentence, the effect, and every sample with its place and padding") {
  AbReport report = with_samples(3);
  report.samples[0].padding = 17;
  report.samples[1].value = std::numeric_limits<double>::quiet_NaN();
  report.resolution = std::numeric_limits<double>::infinity();
  const nlohmann::json json = nlohmann::json::parse(ab_json(report));
  CHECK(json["answer"] == "changed");
  CHECK(json["sentence"] == ab_sentence(report));
  CHECK(json["effect"]["relative"] == -0.0079);
  CHECK(json["effect"]["resolution"].is_null());
  CHECK(json["samples"].size() == 6);
  CHECK(json["samples"][0]["padding"] == 17);
  CHECK(json["samples"][1]["value"].is_null());
}

TEST_CASE("a sample comes back from its line of text") {
  const model::AbSample sample{.side = AbSide::b,
                               .block = 3,
                               .place = 2,
                               .ended = 1.5,
                               .padding = 4096,
                               .value = 0.1,
                               .wall = 0.2,
                               .user = 0.3,
                               .system = 0.4,
                               .max_rss_kb = 5,
                               .switches = 6,
                               .output_bytes = 7,
                               .executions = 8,
                               .failures = 1};
  const Result<model::AbSample> back = model::parse_ab_sample(model::ab_sample_text(sample));
  REQUIRE(back);
  CHECK(model::ab_sample_text(*back) == model::ab_sample_text(sample));
  CHECK(back->value == 0.1);
  CHECK_FALSE(model::parse_ab_sample("{}"));
  CHECK_FALSE(model::parse_ab_sample("no json"));
}
