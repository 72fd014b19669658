/// The registers of the mailbox (mailbox_core.h), as the GPU's driver sees them: all are 8 bytes, little-endian, at
/// multiples of 8. They are read and written by 8 bytes, or by the lower 4, where the upper 4 are written as 0.
#pragma once

#include "tlm/time.h"

namespace gputlm::mailbox {

/// The mailbox's own registers, and those of each stream, take this many bytes: stream s begins at (s + 1) * kPage.
inline constexpr Bytes kPage = 0x100;
/// "gputlm", and the version of this map.
inline constexpr std::uint64_t kIdentityValue = 0x677075746c6d'0001;

/// Of the mailbox.
enum Register : Address {
  kIdentity = 0x00,         ///< r: kIdentityValue
  kStreams = 0x08,          ///< r: how many there are
  kKernels = 0x10,          ///< r: how many there are; their handles are 0, 1 ...
  kCycle = 0x18,            ///< r: core cycle
  kInFlight = 0x20,         ///< r: commands that have been taken and not ended
  kInterruptEnable = 0x28,  ///< rw: bit 0: the interrupt line is high as long as there are ends to be read in kEnded
  kEnds = 0x30,             ///< r: ends that have not been read
  kEnded = 0x38,  ///< r: the next of them, in order: stream << 32 | ticket, and it has been read; 0: there is none
};

/// Of a stream.
enum StreamRegister : Address {
  kKernel = 0x00,     ///< rw: handle of what is to be launched
  kPriority = 0x08,   ///< rw: of the launch: the lower 32 bits, signed; lower is more urgent
  kCopyKind = 0x10,   ///< rw: 0 host to device, 1 device to host, 2 device to device, 3 memset
  kFrom = 0x18,       ///< rw: address that is copied from
  kTo = 0x20,         ///< rw: and to
  kBytes = 0x28,      ///< rw: how many
  kDoorbell = 0x30,   ///< w: Command; the registers above are read then, and may be written again
  kError = 0x38,      ///< rw: Error of the last doorbell that was refused; a write, of anything, clears it
  kTaken = 0x40,      ///< r: commands taken: the ticket of the last one
  kCompleted = 0x48,  ///< r: commands that have ended: tickets up to this one, for a stream's commands run in order
  kStarted = 0x50,    ///< r: core cycle in which the last one that ended had begun: its first block, its first packet
  kFinished = 0x58,   ///< r: and ended
  kInstructions = 0x60,  ///< r: warp instructions of the stream's kernels that have ended
  kCopied = 0x68,        ///< r: bytes of its copies that have ended
  kApplication = 0x70,   ///< r: whose stream it is
};

enum Command : std::uint64_t { kLaunch = 1, kCopy = 2 };

enum Error : std::uint64_t {
  kNone,
  kNoSuchCommand,
  kNoSuchKernel,
  kNoSuchPriority,
  kNoSuchCopy,  ///< its kind, no bytes, addresses beyond 2^47, or a GPU that was made without copies
  kFull,        ///< as many commands as the stream holds have not ended
};

}  // namespace gputlm::mailbox
