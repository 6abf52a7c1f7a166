#pragma once

#include "cli/terminal.h"
#include "cli/world.h"

#include <string>
#include <vector>

namespace kilter::cli {

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
