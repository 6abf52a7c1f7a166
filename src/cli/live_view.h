#pragma once

#include "cli/world.h"

#include <string>
#include <vector>

namespace kilter::cli {

struct TerminalSize {
  std::size_t columns = 80;
  std::size_t lines = 24;
};
// Of stderr's terminal; 80x24 where there is none.
[[nodiscard]] TerminalSize terminal_size();
// Whether the locale can show more than ASCII.
[[nodiscard]] bool locale_is_unicode();

// A block of lines on stderr that is redrawn in place while work goes on. Without a terminal nothing is
// drawn: only what is kept is printed.
class LiveView {
 public:
  explicit LiveView(const World& world) : live_(world.progress) {}
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;
  ~LiveView() = default;

  [[nodiscard]] bool live() const { return live_; }
  // No longer than the terminal is wide; drawn only where they differ from what stands there.
  void show(const std::vector<std::string>& lines);
  void keep(const std::string& text);  // a line that stays, above the block
  void leave();                        // what is shown stays
  void clear();

 private:
  bool live_;
  std::vector<std::string> shown_;
};

}  // namespace kilter::cli
