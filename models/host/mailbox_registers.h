/// The registers of the mailbox (mailbox_core.h), as the GPU's driver sees them: all are 8 bytes, little-endian, at
/// multiples of 8. Accesses are 8 bytes, or the lower 4; writing those sets the upper 4 to 0.
#pragma once

#include "tlm/base/time.h"

namespace gputlm::mailbox {

/// The mailbox's own registers, and those of each stream, take this many bytes: stream s begins at (s + 1) * kPage.
inline constexpr Bytes kPage = 0x100;
/// "gputlm", and the version of this map.
inline constexpr std::uint64_t kIdentityValue = 0x677075746c6d'0001;

/// Registers of the mailbox.
enum Register : Address {
  kIdentity = 0x00,         ///< r: kIdentityValue
  kStreams = 0x08,          ///< r: number of streams
  kKernels = 0x10,          ///< r: number of kernels; their handles are 0, 1 ...
  kCycle = 0x18,            ///< r: core cycle
  kInFlight = 0x20,         ///< r: commands taken and not ended
  kInterruptEnable = 0x28,  ///< rw: bit 0: the interrupt line is high while kEnded has unread ends
  kEnds = 0x30,             ///< r: number of unread ends
  kEnded = 0x38,            ///< r: the next unread end: stream << 32 | ticket; reading removes it; 0: none
};

/// Registers of a stream.
enum StreamRegister : Address {
  kKernel = 0x00,        ///< rw: handle of the kernel to launch
  kPriority = 0x08,      ///< rw: priority of the launch: the lower 32 bits, signed; lower is more urgent
  kCopyKind = 0x10,      ///< rw: 0 host to device, 1 device to host, 2 device to device, 3 memset
  kFrom = 0x18,          ///< rw: source address
  kTo = 0x20,            ///< rw: destination address
  kBytes = 0x28,         ///< rw: number of bytes
  kDoorbell = 0x30,      ///< w: Command; the registers above are read then, and may be written again
  kError = 0x38,         ///< rw: Error of the last rejected doorbell; any write clears it
  kTaken = 0x40,         ///< r: commands taken: the ticket of the last one
  kCompleted = 0x48,     ///< r: commands ended: tickets up to this one, since a stream's commands run in order
  kStarted = 0x50,       ///< r: core cycle in which the last ended command had begun: its first block or packet
  kFinished = 0x58,      ///< r: core cycle in which it ended
  kInstructions = 0x60,  ///< r: warp instructions of the stream's ended kernels
  kCopied = 0x68,        ///< r: bytes of its ended copies
  kApplication = 0x70,   ///< r: application of the stream
};

enum Command : std::uint64_t { kLaunch = 1, kCopy = 2 };

enum Error : std::uint64_t {
  kNone,
  kNoSuchCommand,
  kNoSuchKernel,
  kNoSuchPriority,
  kNoSuchCopy,  ///< invalid kind, no bytes, addresses beyond 2^47, or a GPU without copy engines
  kFull,        ///< the stream holds the maximum of uncompleted commands
};

}  // namespace gputlm::mailbox
