/// The host as a register interface: somebody else's CPU or DMA engine writes commands into registers, and the mailbox
/// sends the kernels to the work distributor, the copies to the copy engines. Each stream takes commands into a queue;
/// they run one after the other, those of different streams side by side. Where several may go at once, the more urgent
/// goes first. Plain C++; the module around it is mailbox.h, the registers are in mailbox_registers.h.
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

/// What the author of a platform registers with the mailbox.
struct MailboxSetup {
  /// By handle. Those of a trace (SassKernel) are read while they run: one launch at a time.
  std::vector<std::shared_ptr<Kernel>> kernels;
  std::vector<StreamSpec> streams;  ///< the priority is what the register begins with
  bool copies = false;              ///< the GPU has copy engines
  unsigned commands = 64;           ///< that a stream holds: those that have not ended
  unsigned register_latency = 50;   ///< core cycles of an access on its way to the mailbox, and back
};

/// A command of the mailbox has ended.
struct MailboxEnd {
  StreamId stream = 0;
  std::uint64_t ticket = 0;
  std::optional<KernelLaunch> kernel = std::nullopt;  ///< a copy; its transaction is over
  std::optional<Copy> copy = std::nullopt;
  Cycle heard = 0;
};

class MailboxCore {
 public:
  /// Of the work distributor.
  struct Limits {
    unsigned kernels_in_flight;  ///< kernels that it takes,
    unsigned of_application;     ///< and of an application
    unsigned priorities;         ///< 0 down
    TurnTaking turns = {};       ///< of the contexts of applications
    unsigned applications = 1;
  };
  /// What is given by reference must outlive the mailbox.
  MailboxCore(const MailboxSetup& setup, const Limits& limits, ItemSource<KernelLaunch>& launches,
              ItemSource<Copy>& copies, ItemSource<PendingWork>& words);

  Outbox<KernelLaunch>& launches() { return launches_; }
  Inbox<KernelLaunch>& completions() { return completions_; }
  Outbox<Copy>& copies() { return copies_; }
  Inbox<Copy>& copy_ends() { return copy_ends_; }
  Outbox<PendingWork>& pending_work() { return words_; }
  Inbox<PendingWork>& pending_work_heard() { return words_heard_; }

  /// Commands, in the order in which the mailbox hears of their ends.
  Tap<MailboxEnd> ends;

  // What the registers show and take in cycle `now`, which may be ahead of what has been computed by one: an end that is
  // heard of in a cycle shows in the next one, and a command that is written in a cycle goes no earlier than in the next.

  enum class Answer : std::uint8_t { kDone, kNowhere, kReadOnly, kWriteOnly };
  Answer read(Address offset, Cycle now, std::uint64_t& value);
  Answer write(Address offset, Cycle now, std::uint64_t value);
  /// read() that changes nothing.
  Answer peek(Address offset, Cycle now, std::uint64_t& value);
  Bytes register_bytes() const { return (streams_.size() + 1) * mailbox::kPage; }
  /// Level of the interrupt line.
  bool interrupt(Cycle now);
  /// First cycle in which an end shows that has been heard of but does not show yet; kNever if there is none.
  Cycle next_to_show() const { return hidden_.empty() ? kNever : hidden_.front().heard + 1; }

  /// Computes everything strictly before `until` (core cycles); returns the next cycle with work, kNever if only an
  /// arrival or a command makes some.
  Cycle advance(Cycle until);

  /// Every command has ended.
  bool done() const;
  /// Streams that have not ended, for the report of a deadlock.
  std::vector<std::string> waiting() const;

 private:
  struct Command {
    mailbox::Command what;
    Cycle from;  ///< it may go
    KernelLaunch launch;
    Copy copy;
  };
  struct Stream {
    StreamSpec spec;
    std::deque<Command> commands;  ///< that have not ended
    bool begun = false;            ///< the head has
    std::uint64_t heard = 0;       ///< commands that have ended
    // Registers.
    std::uint64_t kernel = 0, priority = 0, copy_kind = 0, from = 0, to = 0, bytes = 0, error = 0;
    std::uint64_t taken = 0, completed = 0, started = 0, finished = 0, instructions = 0, copied = 0;
  };
  /// What of an end the registers show.
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
  /// Of launches that come next, as HostCore says it.
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
  std::vector<unsigned> of_application_;  ///< kernels under way
  std::vector<bool> said_;                ///< of each application: what its GPU knows, that launches come next
  Cycle in_doubt_ = kNever;               ///< from then on there may be something else to say
  KernelId next_id_ = 0;
  std::uint64_t in_flight_ = 0;  ///< as the registers show it
  std::uint64_t interrupt_enable_ = 0;
  std::deque<Shown> hidden_;          ///< ends that do not show yet
  std::deque<std::uint64_t> unread_;  ///< ends that do: what kEnded says
  Outbox<KernelLaunch> launches_;
  Inbox<KernelLaunch> completions_;
  Outbox<Copy> copies_;
  Inbox<Copy> copy_ends_;
  Outbox<PendingWork> words_;
  Inbox<PendingWork> words_heard_;
};

}  // namespace gputlm
