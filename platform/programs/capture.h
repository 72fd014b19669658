/// Captures of profilers, from which a measured timeline is read. A format of captures is a file that registers itself; every
/// command that reads a capture accepts all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "platform/programs/program.h"
#include "tlm/base/registry.h"

namespace gputlm {

struct CaptureFormat : Registered {
  std::string description;  ///< the file and how to make it
  /// Decides by the name or the beginning of the file; must not throw.
  std::function<bool(const std::string& path)> takes;
  /// Reads the kernels and copies of one device: `device`, or else the one with the most kernels. Throws InputError.
  std::function<Program(const std::string& path, std::optional<std::uint64_t> device)> read;
};

Registry<CaptureFormat>& capture_formats();

/// The first format that takes the file; null if there is none. Does not throw.
const CaptureFormat* capture_format(const std::string& path);

/// The descriptions of all formats, one after the other.
std::string capture_descriptions();

}  // namespace gputlm
