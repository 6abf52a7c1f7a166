#pragma once

#include "base/result.h"
#include "model/ab.h"
#include "model/machine.h"
#include "os/clock.h"
#include "robot/ab_request.h"
#include "robot/ab_sampler.h"
#include "store/store.h"

#include <functional>
#include <string>

// The campaign of `kilter ab`: warm-up, samples in shuffled ABBA blocks, each kept in the database as soon as
// it is taken, looks at the data until something is decided, the answer.
namespace kilter::robot {

struct AbProgress {
  const model::AbReport& report;  // judged as of the last whole pair
  std::string doing;              // "warming up", "" when sampling
  double seconds_left = 0;        // at most; 0: not known yet
};

struct AbHooks {
  std::function<void(const AbProgress&)> progress;  // before each sample
  std::function<void(const std::string&)> note;     // "resuming: ..."
};

struct AbCampaign {
  store::Store& store;
  os::Clock& clock;
  AbSampler& sampler;
  AbHooks hooks;
  std::string key;     // campaign_key
  bool fresh = false;  // never take up an earlier one
};

// An earlier campaign of this key that did not end and is less than a day old goes on where it was. Errors
// leave the campaign open, so that the next call goes on; an interrupt is one of them.
[[nodiscard]] Result<model::AbReport> run_ab(const AbCampaign& campaign, AbRequest request);

}  // namespace kilter::robot
