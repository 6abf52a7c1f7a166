#include "execute/sysfs.h"

#include "base/text.h"

namespace kilter::execute {

std::string settable_value(std::string_view text) {
  text = trim(text);
  const std::vector<std::string_view> choices = words(text);
  if (choices.size() > 1)
    for (const std::string_view word : choices)
      if (word.size() > 2 && word.front() == '[' && word.back() == ']')
        return std::string(word.substr(1, word.size() - 2));
  return std::string(text);
}

}  // namespace kilter::execute
