#include "base/result.h"

namespace kilter {

Error Error::in(const std::string& outer) const {
  return {code, outer + ": " + message, hint};
}

Error Error::with_hint(std::string text) const {
  return {code, message, std::move(text)};
}

tl::unexpected<Error> failure(std::string message, std::string hint) {
  return fail({ErrorCode::failure, std::move(message), std::move(hint)});
}

tl::unexpected<Error> usage_error(std::string message, std::string hint) {
  return fail({ErrorCode::usage, std::move(message), std::move(hint)});
}

tl::unexpected<Error> interrupted(std::string message) {
  return fail({ErrorCode::interrupted, std::move(message), {}});
}

tl::unexpected<Error> fail(Error error) {
  return tl::make_unexpected(std::move(error));
}

}  // namespace kilter
