#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kilter::report {

enum class Ink { plain, dim, line, better, worse, doubt };
// The escape sequence that switches to it; "\033[0m" ends it.
[[nodiscard]] std::string_view ink_code(Ink ink);
// `text` in this ink, where `colour` is set.
[[nodiscard]] std::string inked(std::string_view text, Ink ink, bool colour);

// A terminal's screen: characters, and dots finer than these (Braille, 2 by 4 a character).
class Canvas {
 public:
  Canvas(int columns, int rows);
  // What lies outside is dropped. `sign` is one character, in UTF-8.
  void put(int column, int row, std::string_view sign, Ink ink = Ink::plain);
  void text(int column, int row, std::string_view text, Ink ink = Ink::plain);
  // `x` < 2 * columns, `y` < 4 * rows. Characters that are put on it hide it.
  void dot(int x, int y);
  [[nodiscard]] bool is_free(int column, int row) const;
  // Lines without blanks at their ends, each with a newline.
  [[nodiscard]] std::string print(bool colour) const;

 private:
  struct Cell {
    std::string sign;
    std::uint8_t dots = 0;
    Ink ink = Ink::plain;
  };
  [[nodiscard]] const Cell* at(int column, int row) const;
  [[nodiscard]] Cell* at(int column, int row);
  [[nodiscard]] std::string print_row(int row, bool colour) const;

  int columns_;
  int rows_;
  std::vector<Cell> cells_;
};

}  // namespace kilter::report
