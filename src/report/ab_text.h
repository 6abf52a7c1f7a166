#pragma once

#include "model/ab.h"

#include <string>

// The answer of `kilter ab`, for people and for programs. Pure.
namespace kilter::report {

struct AbStyle {
  bool utf8 = false;
  bool colour = false;
};

// "B is 0.79 % faster (99 % interval 0.4..1.2 %), n = 25+25; this could have shown 0.5 %", no newline.
[[nodiscard]] std::string ab_sentence(const model::AbReport& report);
// Of data that grow: "14+14 samples, B 0.8 % faster (-0.3..1.9 %)".
[[nodiscard]] std::string ab_state(const model::AbReport& report);
// The sentence, the samples of both sides on one axis, what an execution took, the notes. At most 80 columns
// but for the notes.
[[nodiscard]] std::string ab_text(const model::AbReport& report, const AbStyle& style);
// Two strips of the samples on one axis, a line each and one for the axis; "" without samples.
[[nodiscard]] std::string ab_picture(const model::AbReport& report, const AbStyle& style);
// All samples, and everything above.
[[nodiscard]] std::string ab_json(const model::AbReport& report);

}  // namespace kilter::report
