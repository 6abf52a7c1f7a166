#include "report/canvas.h"

#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <utility>

namespace kilter::report {
namespace {

// Bits of a Braille character, [column][row].
constexpr std::array<std::array<std::uint8_t, 4>, 2> kDots = {
    {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}};

std::string braille(std::uint8_t dots) {
  const unsigned code = 0x2800U + dots;
  return {static_cast<char>(0xe0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3f)),
          static_cast<char>(0x80 | (code & 0x3f))};
}

}  // namespace

std::string_view ink_code(Ink ink) {
  switch (ink) {
    case Ink::dim:
      return "\033[2m";
    case Ink::line:
      return "\033[36m";
    case Ink::better:
      return "\033[32m";
    case Ink::worse:
      return "\033[31m";
    case Ink::doubt:
      return "\033[33m";
    case Ink::plain:
      break;
  }
  return "\033[0m";
}

std::string inked(std::string_view text, Ink ink, bool colour) {
  if (!colour || ink == Ink::plain) return std::string(text);
  return std::string(ink_code(ink)) + std::string(text) + "\033[0m";
}

Canvas::Canvas(int columns, int rows)
    : columns_(std::max(columns, 1)),
      rows_(std::max(rows, 1)),
      cells_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

const Canvas::Cell* Canvas::at(int column, int row) const {
  if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return nullptr;
  return &cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                 static_cast<std::size_t>(column)];
}

Canvas::Cell* Canvas::at(int column, int row) {
  return const_cast<Cell*>(std::as_const(*this).at(column, row));
}

void Canvas::put(int column, int row, std::string_view sign, Ink ink) {
  if (Cell* const cell = at(column, row)) {
    cell->sign = sign;
    cell->ink = ink;
  }
}

void Canvas::text(int column, int row, std::string_view text, Ink ink) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = std::max<std::size_t>(utf8_length(text, i), 1);
    put(column++, row, text.substr(i, length), ink);
    i += length;
  }
}

void Canvas::dot(int x, int y) {
  if (x < 0 || y < 0) return;
  if (Cell* const cell = at(x / 2, y / 4))
    cell->dots |= kDots[static_cast<std::size_t>(x % 2)][static_cast<std::size_t>(y % 4)];
}

bool Canvas::is_free(int column, int row) const {
  const Cell* const cell = at(column, row);
  return cell != nullptr && cell->sign.empty() && cell->dots == 0;
}

std::string Canvas::print_row(int row, bool colour) const {
  std::string text;
  std::string blanks;
  Ink ink = Ink::plain;
  for (int column = 0; column < columns_; ++column) {
    const Cell& cell = *at(column, row);
    const std::string sign = !cell.sign.empty() ? cell.sign : cell.dots != 0 ? braille(cell.dots) : " ";
    if (sign == " ") {
      blanks += ' ';
      continue;
    }
    const Ink wanted = cell.sign.empty() ? Ink::plain : cell.ink;
    if (colour && wanted != ink) {
      if (ink != Ink::plain) text += ink_code(Ink::plain);
      text += blanks;
      if (wanted != Ink::plain) text += ink_code(wanted);
    } else {
      text += blanks;
    }
    ink = wanted;
    blanks.clear();
    text += sign;
  }
  if (colour && ink != Ink::plain) text += ink_code(Ink::plain);
  return text;
}

std::string Canvas::print(bool colour) const {
  std::string text;
  for (int row = 0; row < rows_; ++row) text += print_row(row, colour) + "\n";
  return text;
}

}  // namespace kilter::report
