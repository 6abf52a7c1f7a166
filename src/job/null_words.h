#pragma once

#include "model/node.h"

namespace kilter::job {

// `test: null` of stress-ng means the stressor of that name, not "no test": a value that was written `null`
// becomes the word where lists/programs.yaml says that the option has such a choice.
void keep_null_words(model::Node& job);

}  // namespace kilter::job
