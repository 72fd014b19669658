/// The commands and calls of a workload file, which a host thread executes one after the other: their keys, by kind.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "platform/input/map_form.h"

namespace gputlm {

/// A place where commands are allowed. In a thread they name their streams. Inside a job or a loop there are no further jobs
/// or loops, and commands have no deadlines of their own.
struct CallPlace {
  enum class Within : std::uint8_t { kNothing, kJob, kLoop };
  bool thread = false;
  Within within = Within::kNothing;
  /// The name in the schema: "call of a job".
  std::string name() const;
};
/// All places.
std::vector<CallPlace> call_places();

/// The kind of a call, told by the key that only this kind has.
enum class CallKind : std::uint8_t {
  kKernel,
  kRecord,
  kWait,
  kHost,
  kSynchronize,
  kMalloc,
  kFree,
  kCopy,
  kMemset,
  kJob,
  kWaitUntil,
  kBarrier,
  kLoop,
};
inline constexpr std::array<const char*, 13> kCallKeys{"kernel",        "record",  "wait", "host_us", "synchronize",
                                                       "malloc",        "free",    "copy", "memset",  "job",
                                                       "wait_until_us", "barrier", "loop"};

/// The kind of a call, by the first key that decides it. Throws InputError if there is none.
CallKind call_kind(const YamlNode& call);
const MapForm& call_form(CallKind kind, const CallPlace& place);
/// The form of every kind of call in a thread.
std::vector<const MapForm*> call_forms();
/// The schema of a call of any kind.
schema::Json call_schema(const CallPlace& place);
/// The schema of a launch in the command list of a stream.
schema::Json launch_schema();

/// An address, or the name of an allocation. address_alone(): an address only.
schema::Json address_or_name();
schema::Json address_alone();

inline constexpr std::uint64_t kMaxBarrier = 65535;
inline constexpr std::uint64_t kMaxPosition = 0xffffffff;

}  // namespace gputlm
