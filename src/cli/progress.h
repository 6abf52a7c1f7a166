#pragma once

#include "cli/world.h"

#include <string>

namespace kilter::cli {

// One line on stderr that is rewritten in place while work goes on. Without a terminal nothing is rewritten:
// only what is kept is printed.
class Progress {
 public:
  explicit Progress(const World& world) : live_(world.progress) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  void show(const std::string& text);  // replaces the line; cut to the terminal's width
  void keep(const std::string& text);  // a line that stays
  void clear();

 private:
  bool live_;
  bool shown_ = false;
};

}  // namespace kilter::cli
