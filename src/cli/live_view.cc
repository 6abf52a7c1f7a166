#include "cli/live_view.h"

#include "base/text.h"

#include <fmt/core.h>

#include <cstdio>

namespace kilter::cli {
namespace {

void write_to_terminal(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

void LiveView::show(const std::vector<std::string>& lines) {
  if (!live_ || lines == shown_) return;
  std::string text = shown_.empty() ? "" : fmt::format("\x1b[{}A", shown_.size());
  for (const std::string& line : lines) text += "\r\x1b[K" + line + "\n";
  if (lines.size() < shown_.size()) text += "\x1b[J";
  write_to_terminal(text);
  shown_ = lines;
}

void LiveView::keep(const std::string& text) {
  clear();
  write_to_terminal(message_text(text) + "\n");
}

void LiveView::leave() {
  shown_.clear();
}

void LiveView::clear() {
  if (!shown_.empty()) write_to_terminal(fmt::format("\x1b[{}A\r\x1b[J", shown_.size()));
  shown_.clear();
}

}  // namespace kilter::cli
