/// The host as a register interface: an external CPU or DMA engine writes commands into registers, and the mailbox sends
/// kernels to the work distributor and copies to the copy engines. Each stream queues commands, which run in order;
/// different streams run concurrently. If several may go at once, the most urgent goes first. Plain C++; the module around
/// it is mailbox.h, the registers are in mailbox_registers.h.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/host/access_policies.h"
#include "models/host/mailbox_registers.h"
#include "models/host/workload.h"
#include "models/kernel/launch.h"
#include "tlm/copy.h"
#include "tlm/item_source.h"
#include "tlm/link.h"
#include "tlm/pending_work.h"
#include "tlm/tap.h"

namespace gputlm {

/// The setup of a mailbox by the author of a platform.
struct MailboxSetup {
  /// Kernels by handle. A trace (SassKernel) is read while it runs: one launch at a time.
  std::vector<std::shared_ptr<Kernel>> kernels;
  std::vector<StreamSpec> streams;  ///< their priorities are the registers' initial values
  bool copies = false;              ///< the GPU has copy engines
  unsigned commands = 64;           ///< maximum uncompleted commands of a stream
  unsigned register_latency = 50;   ///< core cycles of an access to the mailbox, and of its answer
};

/// A command of the mailbox has ended.
struct MailboxEnd {
  StreamId stream = 0;
  std::uint64_t ticket = 0;
  std::optional<KernelLaunch> kernel = std::nullopt;  ///< a copy of the launch, whose transaction is over
  std::optional<Copy> copy = std::nullopt;
  Cycle heard = 0;
};

class MailboxCore {
 public:
  /// Limits of the work distributor.
  struct Limits {
    unsigned kernels_in_flight;  ///< kernels in total,
    unsigned of_application;     ///< and for each application
    unsigned priorities;         ///< number of priorities, from 0 down
    TurnTaking turns = {};       ///< how contexts of applications take turns
    unsigned applications = 1;
  };
  /// Arguments given by reference must outlive the mailbox.
  MailboxCore(const MailboxSetup& setup, const Limits& limits, ItemSource<KernelLaunch>& launches,
              ItemSource<Copy>& copies, ItemSource<PendingWork>& words);

  Outbox<KernelLaunch>& launches() { return launches_; }
  Inbox<KernelLaunch>& completions() { return completions_; }
  Outbox<Copy>& copies() { return copies_; }
  Inbox<Copy>& copy_ends() { return copy_ends_; }
  Outbox<PendingWork>& pending_work() { return words_; }
  Inbox<PendingWork>& pending_work_heard() { return words_heard_; }

  /// Ended commands, in the order in which the mailbox is notified.
  Tap<MailboxEnd> ends;

  // Register accesses in cycle `now`, which may be one ahead of the computed cycles: an end becomes visible in the cycle
  // after its notification, and a command leaves no earlier than the cycle after its write.

  enum class Answer : std::uint8_t { kDone, kNowhere, kReadOnly, kWriteOnly };
  Answer read(Address offset, Cycle now, std::uint64_t& value);
  Answer write(Address offset, Cycle now, std::uint64_t value);
  /// read() without side effects.
  Answer peek(Address offset, Cycle now, std::uint64_t& value);
  Bytes register_bytes() const { return (streams_.size() + 1) * mailbox::kPage; }
  /// Level of the interrupt line.
  bool interrupt(Cycle now);
  /// First cycle in which a pending end becomes visible; kNever if there is none.
  Cycle next_to_show() const { return hidden_.empty() ? kNever : hidden_.front().heard + 1; }

  /// Computes everything strictly before `until` (core cycles); returns the next cycle with work, kNever if it depends on
  /// an arrival or a command.
  Cycle advance(Cycle until);

  /// Whether every command has ended.
  bool done() const;
  /// Streams that have not ended, for the report of a deadlock.
  std::vector<std::string> waiting() const;

 private:
  struct Command {
    mailbox::Command what;
    Cycle from;  ///< earliest cycle in which it may leave
    KernelLaunch launch;
    Copy copy;
  };
  struct Stream {
    StreamSpec spec;
    std::deque<Command> commands;  ///< uncompleted commands
    bool begun = false;            ///< the head has begun
    std::uint64_t heard = 0;       ///< commands that have ended
    // Registers.
    std::uint64_t kernel = 0, priority = 0, copy_kind = 0, from = 0, to = 0, bytes = 0, error = 0;
    std::uint64_t taken = 0, completed = 0, started = 0, finished = 0, instructions = 0, copied = 0;
  };
  /// The data of an end in the registers.
  struct Shown {
    Cycle heard;
    StreamId stream;
    Cycle started, finished;
    std::uint64_t instructions;
    Bytes copied;
  };
  struct Field {
    std::uint64_t* value;
    bool reads, writes;
  };

  void show(Cycle now);
  std::optional<Field> field(Stream& stream, Address offset);
  Answer own(Address offset, Cycle now, std::uint64_t& value);
  void ring(Stream& stream, StreamId id, std::uint64_t what, Cycle now);
  mailbox::Error refused(const Stream& stream, std::uint64_t what) const;
  bool ready(const Stream& stream, mailbox::Command what) const;
  std::optional<StreamId> first_ready(mailbox::Command what, Cycle now) const;
  void submit(StreamId id, Cycle now);
  /// Whether further launches are held, as in HostCore.
  bool holds_next(ApplicationId application, bool anew, Cycle now) const;
  bool holds_next(const Stream& stream, bool anew, Cycle now) const;
  void say_what_is_pending(Cycle now);
  void complete(MailboxEnd end, const Shown& shown);

  MailboxSetup setup_;
  AccessPolicies access_policies_;
  Limits limits_;
  ItemSource<KernelLaunch>& source_;
  ItemSource<Copy>& copy_source_;
  ItemSource<PendingWork>& word_source_;
  std::vector<Stream> streams_;
  std::vector<unsigned> of_application_;  ///< kernels in flight of each application
  std::vector<bool> said_;                ///< last PendingWork sent for each application
  Cycle in_doubt_ = kNever;               ///< cycle from which a new PendingWork may be due
  KernelId next_id_ = 0;
  std::uint64_t in_flight_ = 0;  ///< commands in flight, as visible in the registers
  std::uint64_t interrupt_enable_ = 0;
  std::deque<Shown> hidden_;          ///< ends not visible yet
  std::deque<std::uint64_t> unread_;  ///< values of kEnded for visible ends
  Outbox<KernelLaunch> launches_;
  Inbox<KernelLaunch> completions_;
  Outbox<Copy> copies_;
  Inbox<Copy> copy_ends_;
  Outbox<PendingWork> words_;
  Inbox<PendingWork> words_heard_;
};

}  // namespace gputlm
