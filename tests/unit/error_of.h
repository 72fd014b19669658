#pragma once

#include <string>

#include "tlm/base/error.h"

namespace gputlm {

/// The message of the thrown InputError; empty if none is thrown.
template <class Function>
std::string error_of(Function function) {
  try {
    function();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace gputlm
