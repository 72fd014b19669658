/// Puts a measured timeline together from what a capture has, whatever its format: checks each kernel and copy, numbers
/// the streams, gives labels.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "platform/measured/timeline.h"

namespace gputlm {

inline constexpr std::uint32_t kMaxRegisters = 255;  ///< of a thread

/// Where in the capture something stands: "CUPTI_ACTIVITY_KIND_KERNEL, row 3".
struct CapturePlace {
  const char* list = "";
  const char* item = "";
  std::size_t number = 0;
};

class TimelineBuilder {
 public:
  explicit TimelineBuilder(std::string path) { timeline_.path = std::move(path); }

  const std::string& path() const { return timeline_.path; }
  void set_gpu(MeasuredGpu gpu) { timeline_.gpu = std::move(gpu); }
  void warn(const std::string& what) { timeline_.warnings.push_back(timeline_.path + ": " + what); }
  [[noreturn]] void fail(const CapturePlace& place, const std::string& what) const;

  /// `value` if it is between the two, else throws InputError: "found gridX 0, allowed: 1 to 2147483647".
  std::uint32_t checked(const CapturePlace& place, const char* what, std::int64_t value, std::int64_t least,
                        std::int64_t most) const;

  /// In any order. The kernel's name may be mangled, or empty. Throw InputError if it cannot have been.
  void add(MeasuredKernel kernel, const MeasuredStream& stream, const CapturePlace& place);
  /// A copy of 0 bytes is left out.
  void add(MeasuredCopy copy, const MeasuredStream& stream, const CapturePlace& place);
  void warn_of_graph_nodes(std::size_t kernels);

  bool has_kernels() const { return !timeline_.kernels.empty(); }
  /// The stream as it is in the timeline, to be changed; null if nothing was added to it.
  MeasuredStream* find_stream(std::uint64_t process, std::uint64_t context, std::uint64_t id);

  /// `process_names`: of processes, as far as they are known. Throws InputError if the timeline is too long.
  MeasuredTimeline finish(const std::map<std::uint64_t, std::string>& process_names);

 private:
  void add_common(MeasuredCommand& command, const MeasuredStream& stream, const CapturePlace& place);
  void order_commands();
  void order_streams();
  void label();
  void check_length() const;

  MeasuredTimeline timeline_;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::size_t> places_;  ///< of streams
};

/// The device to take: `wanted`, or else the one with the most kernels; 0 if there are none. `kernels`: of each device; a
/// warning tells of several. Throws InputError that names the devices if `wanted` is none of them.
std::uint64_t choose_device(const std::map<std::uint64_t, std::size_t>& kernels, std::optional<std::uint64_t> wanted,
                            TimelineBuilder& builder);

}  // namespace gputlm
