/// The commands and calls of a workload file, what a host thread does one after the other: their keys, by kind.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "platform/input/map_form.h"

namespace gputlm {

/// A place where commands stand. In a thread they name their streams; those of a job or a loop are no jobs and no loops,
/// and have no deadlines of their own.
struct CallPlace {
  enum class Within : std::uint8_t { kNothing, kJob, kLoop };
  bool thread = false;
  Within within = Within::kNothing;
  /// In the schema: "call of a job".
  std::string name() const;
};
/// All there are.
std::vector<CallPlace> call_places();

/// Which call it is, by the key that only it has.
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

/// The kind of a call, of the first of the keys that it has. Throws InputError if it has none.
CallKind call_kind(const YamlNode& call);
const MapForm& call_form(CallKind kind, const CallPlace& place);
/// Of every kind of call, as a thread makes it.
std::vector<const MapForm*> call_forms();
/// A call of any kind.
schema::Json call_schema(const CallPlace& place);
/// Of a stream, one after the other.
schema::Json launch_schema();

/// An address, or the name of an allocation; only the former.
schema::Json address_or_name();
schema::Json address_alone();

inline constexpr std::uint64_t kMaxBarrier = 65535;
inline constexpr std::uint64_t kMaxPosition = 0xffffffff;

}  // namespace gputlm
