/// Address traces: the accesses that a memory controller serves, one after the other, from a file or generated.
///
/// A file has one access per line, in any of these forms, which may be mixed; `#` begins a comment:
///
///   [R|W] ADDRESS [APPLICATION]                             ours; R by default
///   ADDRESS [R|W]                                           Ramulator, memory traces; R by default
///   LD|ST ADDRESS                                           Ramulator 2, LoadStoreTrace
///   CYCLE: [(LENGTH)] read|write ADDRESS [DATA|APPLICATION] DRAMSys, STL traces
///   ADDRESS READ|WRITE CYCLE                                DRAMsim3
///
/// Addresses are hexadecimal, with or without 0x; those behind LD and ST are decimal unless they have 0x. Cycles, lengths
/// (bytes) and applications (0 to 255) are decimal. CYCLE is the earliest cycle at which the access may be issued; in a file
/// called *.rstl it counts from the issue of the access before it. The rows of the forms (address_trace.cpp) cite the
/// sources.
/// The file may be compressed (xz, zstd, gzip); it is read as a stream. The last line must end with a line feed: otherwise a
/// trace that was cut within a line could pass for a complete one with another address.
///
/// Generated traces need no file and are the same for the same seed on every machine:
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
/// Largest time stamp: simulated time (2^64 fs) holds it at any clock from 1 MHz on.
inline constexpr Cycle kMaxTraceCycle = 10'000'000'000;
/// Maximum length of an access, which is split into several of the access size.
inline constexpr Bytes kMaxTraceLength = Bytes{1} << 20;

struct TraceAccess {
  Address address = 0;
  Cycle earliest = 0;  ///< first cycle of the trace's clock at which it may be issued
  ApplicationId application = 0;
  bool write = false;
  bool relative = false;  ///< `earliest` counts from the issue of the access before it
};

class AddressTrace {
 public:
  virtual ~AddressTrace() = default;
  /// Reads the next access; false at the end. Throws InputError with file and line.
  virtual bool next(TraceAccess& access) = 0;
  /// Throws InputError about the last access, with file and line.
  [[noreturn]] virtual void fail(const std::string& what) const = 0;
};

/// Opens the trace called `name`: a generated one or a file. `step`: bytes per access, a power of two. Generated accesses are
/// aligned to it; one with a longer LENGTH becomes several. Throws InputError for a file that cannot be opened and for a
/// COUNT that is no number above 0.
std::unique_ptr<AddressTrace> open_address_trace(const std::string& name, Bytes step, std::uint64_t seed);

}  // namespace gputlm
