/// Address traces: the accesses that a memory controller is to serve, one after the other, from a file or generated.
///
/// A file has one access a line, in any of these forms, which may be mixed; `#` begins a comment:
///
///   [R|W] ADDRESS [APPLICATION]                             ours; R where nothing is said
///   ADDRESS [R|W]                                           Ramulator, memory traces; R where nothing is said
///   LD|ST ADDRESS                                           Ramulator 2, LoadStoreTrace
///   CYCLE: [(LENGTH)] read|write ADDRESS [DATA|APPLICATION] DRAMSys, STL traces
///   ADDRESS READ|WRITE CYCLE                                DRAMsim3
///
/// Addresses are hexadecimal, with or without 0x, but those behind LD and ST, which without 0x are decimal. Cycles,
/// lengths (bytes) and applications (0 to 255) are decimal. CYCLE is the earliest at which the access may be issued; in a
/// file called *.rstl it counts from the issue of the access before it. The rows of the forms (address_trace.cpp) say who
/// says so.
/// The file may be compressed (xz, zstd, gzip); it is read as a stream. Its last line, too, must end with a line feed: a
/// trace that was cut off within a line would otherwise be taken for a whole one with another address.
///
/// Generated, so that nobody needs a file (always the same for the same seed, on every machine):
///
///   random:COUNT   reads at random places of 512 MiB
///   mix:COUNT      the same places; every access is a write with probability 1/2
///   stream:COUNT   reads one after the other, from address 0 on
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tlm/access.h"

namespace gputlm {

inline constexpr ApplicationId kMaxTraceApplication = 255;
/// Of a time stamp: whatever the clock, from 1 MHz on, simulated time (2^64 fs) holds it.
inline constexpr Cycle kMaxTraceCycle = 10'000'000'000;
/// Of an access, which becomes as many as it takes.
inline constexpr Bytes kMaxTraceLength = Bytes{1} << 20;

struct TraceAccess {
  Address address = 0;
  Cycle earliest = 0;  ///< cycle of the trace's clock before which it is not issued
  ApplicationId application = 0;
  bool write = false;
  bool relative = false;  ///< `earliest` counts from the issue of the access before it
};

class AddressTrace {
 public:
  virtual ~AddressTrace() = default;
  /// The next access; false at the end. Throws InputError with file and line.
  virtual bool next(TraceAccess& access) = 0;
  /// Throws InputError about the last access, with file and line.
  [[noreturn]] virtual void fail(const std::string& what) const = 0;
};

/// The trace that `name` means: a generated one or a file. `step`: bytes of an access, a power of two: generated ones lie
/// at its multiples, and one of a longer LENGTH becomes several. Throws InputError for a file that cannot be opened and for a COUNT that is no number above 0.
std::unique_ptr<AddressTrace> open_address_trace(const std::string& name, Bytes step, std::uint64_t seed);

}  // namespace gputlm
