#include "models/host/mailbox_core.h"

#include <algorithm>

namespace gputlm {

using namespace mailbox;

namespace {

/// GPU and host addresses have 47 bits (CUDA programming guide, "unified virtual addressing").
constexpr Address kAddresses = Address{1} << 47;

bool in_range(Address from, Bytes bytes) { return bytes <= kAddresses && from <= kAddresses - bytes; }

int priority_of(std::uint64_t value) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(value)); }

}  // namespace

MailboxCore::MailboxCore(const MailboxSetup& setup, const Limits& limits, ItemSource<KernelLaunch>& launches,
                         ItemSource<Copy>& copies, ItemSource<PendingWork>& words)
    : setup_(setup), access_policies_(setup.streams), limits_(limits), source_(launches), copy_source_(copies),
      word_source_(words), said_(limits.applications), launches_(1, limits.kernels_in_flight),
      completions_(limits.kernels_in_flight), copies_(1, limits.kernels_in_flight),
      copy_ends_(limits.kernels_in_flight), words_(1, limits.applications), words_heard_(2 * limits.applications) {
  for (const StreamSpec& spec : setup.streams) {
    Stream stream;
    stream.spec = spec;
    stream.priority = static_cast<std::uint32_t>(spec.priority);
    streams_.push_back(std::move(stream));
    of_application_.resize(std::max<std::size_t>(of_application_.size(), spec.application + std::size_t{1}));
  }
}

// Registers.

void MailboxCore::show(Cycle now) {
  for (; next_to_show() <= now; hidden_.pop_front()) {
    const Shown& shown = hidden_.front();
    Stream& stream = streams_[shown.stream];
    ++stream.completed;
    stream.started = shown.started;
    stream.finished = shown.finished;
    stream.instructions += shown.instructions;
    stream.copied += shown.copied;
    --in_flight_;
    unread_.push_back(std::uint64_t{shown.stream} << 32 | stream.completed);
  }
}

bool MailboxCore::interrupt(Cycle now) {
  show(now);
  return (interrupt_enable_ & 1) != 0 && !unread_.empty();
}

std::optional<MailboxCore::Field> MailboxCore::field(Stream& stream, Address offset) {
  switch (offset) {
    case kKernel: return Field{&stream.kernel, true, true};
    case kPriority: return Field{&stream.priority, true, true};
    case kCopyKind: return Field{&stream.copy_kind, true, true};
    case kFrom: return Field{&stream.from, true, true};
    case kTo: return Field{&stream.to, true, true};
    case kBytes: return Field{&stream.bytes, true, true};
    case kDoorbell: return Field{nullptr, false, true};
    case kError: return Field{&stream.error, true, true};
    case kTaken: return Field{&stream.taken, true, false};
    case kCompleted: return Field{&stream.completed, true, false};
    case kStarted: return Field{&stream.started, true, false};
    case kFinished: return Field{&stream.finished, true, false};
    case kInstructions: return Field{&stream.instructions, true, false};
    case kCopied: return Field{&stream.copied, true, false};
    default: return std::nullopt;
  }
}

MailboxCore::Answer MailboxCore::own(Address offset, Cycle now, std::uint64_t& value) {
  switch (offset) {
    case kIdentity: value = kIdentityValue; break;
    case kStreams: value = streams_.size(); break;
    case kKernels: value = setup_.kernels.size(); break;
    case kCycle: value = now; break;
    case kInFlight: value = in_flight_; break;
    case kInterruptEnable: value = interrupt_enable_; break;
    case kEnds: value = unread_.size(); break;
    case kEnded: value = unread_.empty() ? 0 : unread_.front(); break;
    default: return Answer::kNowhere;
  }
  return Answer::kDone;
}

MailboxCore::Answer MailboxCore::peek(Address offset, Cycle now, std::uint64_t& value) {
  show(now);
  if (offset < kPage) return own(offset, now, value);
  if (offset >= register_bytes()) return Answer::kNowhere;
  Stream& stream = streams_[offset / kPage - 1];
  if (offset % kPage == kApplication) {
    value = stream.spec.application;
    return Answer::kDone;
  }
  const auto found = field(stream, offset % kPage);
  if (!found) return Answer::kNowhere;
  if (!found->reads) return Answer::kWriteOnly;
  value = *found->value;
  return Answer::kDone;
}

MailboxCore::Answer MailboxCore::read(Address offset, Cycle now, std::uint64_t& value) {
  const Answer answer = peek(offset, now, value);
  if (offset == kEnded && value != 0) unread_.pop_front();
  return answer;
}

MailboxCore::Answer MailboxCore::write(Address offset, Cycle now, std::uint64_t value) {
  if (offset == kInterruptEnable) {
    interrupt_enable_ = value;
    return Answer::kDone;
  }
  if (offset >= kPage && offset < register_bytes()) {
    const auto id = static_cast<StreamId>(offset / kPage - 1);
    if (const auto found = field(streams_[id], offset % kPage); found && found->writes) {
      if (!found->value) {
        ring(streams_[id], id, value, now);
      } else {
        *found->value = offset % kPage == kError ? kNone : value;
      }
      return Answer::kDone;
    }
  }
  std::uint64_t ignored = 0;
  return peek(offset, now, ignored) == Answer::kNowhere ? Answer::kNowhere : Answer::kReadOnly;
}

Error MailboxCore::refused(const Stream& stream, std::uint64_t what) const {
  if (what != kLaunch && what != kCopy) return kNoSuchCommand;
  if (stream.taken - stream.completed >= setup_.commands) return kFull;
  if (what == kLaunch) {
    if (stream.kernel >= setup_.kernels.size()) return kNoSuchKernel;
    const int priority = priority_of(stream.priority);
    return priority > 0 || priority <= -static_cast<int>(limits_.priorities) ? kNoSuchPriority : kNone;
  }
  const bool reads = stream.copy_kind < 3;
  const bool is_one = setup_.copies && stream.copy_kind <= 3 && stream.bytes > 0 && in_range(stream.to, stream.bytes) &&
                      (!reads || in_range(stream.from, stream.bytes));
  return is_one ? kNone : kNoSuchCopy;
}

void MailboxCore::ring(Stream& stream, StreamId id, std::uint64_t what, Cycle now) {
  show(now);
  if (const Error error = refused(stream, what); error != kNone) {
    stream.error = error;
    return;
  }
  Command command;
  command.what = static_cast<mailbox::Command>(what);
  command.from = now + 1;
  if (what == kLaunch) {
    KernelLaunch& launch = command.launch;
    launch.identity.application = stream.spec.application;
    launch.identity.stream = id;
    launch.identity.kernel = next_id_++;
    launch.identity.access_policy = access_policies_.of_stream(id);
    launch.command = static_cast<std::uint32_t>(stream.kernel);
    launch.priority = priority_of(stream.priority);
    launch.kernel = setup_.kernels[stream.kernel].get();
    launch.released = command.from;
  } else {
    Copy& copy = command.copy;
    copy.identity.application = stream.spec.application;
    copy.identity.stream = id;
    copy.kind = static_cast<CopyKind>(stream.copy_kind);
    copy.from = stream.from;
    copy.to = stream.to;
    copy.bytes = stream.bytes;
  }
  stream.commands.push_back(command);
  if (limits_.turns.by_turns) in_doubt_ = std::min(in_doubt_, command.from);
  ++stream.taken;
  ++in_flight_;
}

// Commands.

bool MailboxCore::ready(const Stream& stream, mailbox::Command what) const {
  if (stream.begun || stream.commands.empty() || stream.commands.front().what != what) return false;
  return what == kCopy || of_application_[stream.spec.application] < limits_.of_application;
}

Cycle MailboxCore::advance(Cycle until) {
  while (true) {
    Cycle now = std::min({completions_.next(), copy_ends_.next(), words_heard_.next()});
    if (in_doubt_ != kNever) now = std::min(now, std::max(in_doubt_, words_.ready_at()));
    for (const Stream& stream : streams_) {
      if (ready(stream, kLaunch)) now = std::min(now, std::max(stream.commands.front().from, launches_.ready_at()));
      if (ready(stream, kCopy)) now = std::min(now, std::max(stream.commands.front().from, copies_.ready_at()));
    }
    if (now >= until) return now;
    while (words_heard_.ready(now)) word_source_.release(words_heard_.pop(now));
    while (completions_.ready(now)) {
      KernelLaunch& launch = completions_.pop(now);
      const StreamId stream = launch.identity.stream;
      --of_application_[launch.identity.application];
      complete({stream, 0, launch, std::nullopt, now},
               {now, stream, launch.first_block, launch.end, launch.counters.instructions, 0});
      source_.release(launch);
    }
    while (copy_ends_.ready(now)) {
      Copy& copy = copy_ends_.pop(now);
      const StreamId stream = copy.identity.stream;
      complete({stream, 0, std::nullopt, copy, now}, {now, stream, copy.started, copy.ended, 0, copy.bytes});
      copy_source_.release(copy);
    }
    for (const mailbox::Command what : {kLaunch, kCopy}) {
      if ((what == kLaunch ? launches_.ready_at() : copies_.ready_at()) > now) continue;
      if (const auto stream = first_ready(what, now)) submit(*stream, now);
    }
    if (limits_.turns.by_turns) say_what_is_pending(now);
  }
}

bool MailboxCore::holds_next(const Stream& stream, bool anew, Cycle now) const {
  const auto next = stream.commands.begin() + (stream.begun ? 1 : 0);
  const auto is_launch = [now](const Command& command) { return command.what == kLaunch && command.from <= now; };
  const bool waits_for_copy = !stream.commands.empty() && stream.commands.front().what == kCopy;
  if (waits_for_copy) return limits_.turns.waits_are_work && std::any_of(next, stream.commands.end(), is_launch);
  return next != stream.commands.end() && is_launch(*next) && (stream.begun || !anew);
}

bool MailboxCore::holds_next(ApplicationId application, bool anew, Cycle now) const {
  return std::any_of(streams_.begin(), streams_.end(), [&](const Stream& stream) {
    return stream.spec.application == application && holds_next(stream, anew, now);
  });
}

void MailboxCore::say_what_is_pending(Cycle now) {
  if (in_doubt_ <= now) in_doubt_ = kNever;
  for (std::size_t i = 0; i < said_.size(); ++i) {
    const auto a = static_cast<ApplicationId>(i);
    const bool pending = holds_next(a, !said_[a], now);
    if (pending == said_[a]) continue;
    if (words_.ready_at() > now) {
      in_doubt_ = now;
      return;
    }
    said_[a] = pending;
    PendingWork& word = word_source_.allocate();
    word.application = a;
    word.pending = pending;
    words_.send(now, word);
  }
}

void MailboxCore::complete(MailboxEnd end, const Shown& shown) {
  Stream& stream = streams_[end.stream];
  stream.commands.pop_front();
  stream.begun = false;
  end.ticket = ++stream.heard;
  hidden_.push_back(shown);
  if (ends.watched()) ends.note(end);
}

std::optional<StreamId> MailboxCore::first_ready(mailbox::Command what, Cycle now) const {
  std::optional<StreamId> first;
  int least = 0;
  for (StreamId s = 0; s < streams_.size(); ++s) {
    const Stream& stream = streams_[s];
    if (!ready(stream, what) || stream.commands.front().from > now) continue;
    const int priority = what == kLaunch ? stream.commands.front().launch.priority : stream.spec.priority;
    if (first && priority >= least) continue;
    first = s;
    least = priority;
  }
  return first;
}

void MailboxCore::submit(StreamId id, Cycle now) {
  Stream& stream = streams_[id];
  Command& command = stream.commands.front();
  stream.begun = true;
  const auto send = [now](auto& source, auto& outbox, const auto& what) {
    auto& item = source.allocate();
    auto* const transaction = item.transaction;
    item = what;
    item.transaction = transaction;
    item.submitted = now;
    outbox.send(now, item);
  };
  if (command.what == kLaunch) {
    const ApplicationId application = stream.spec.application;
    ++of_application_[application];
    if (limits_.turns.by_turns) said_[application] = command.launch.more_pending = holds_next(application, false, now);
    send(source_, launches_, command.launch);
  } else {
    send(copy_source_, copies_, command.copy);
  }
}

bool MailboxCore::done() const {
  return std::all_of(streams_.begin(), streams_.end(), [](const Stream& stream) { return stream.commands.empty(); });
}

std::vector<std::string> MailboxCore::waiting() const {
  std::vector<std::string> lines;
  for (const Stream& stream : streams_) {
    if (stream.commands.empty()) continue;
    const Command& head = stream.commands.front();
    lines.push_back("stream " + stream.spec.name + ": " + std::to_string(stream.commands.size()) +
                    " commands have not ended, waiting for " +
                    (head.what == kCopy ? std::string("a copy") : "kernel " + head.launch.kernel->name));
  }
  return lines;
}

}  // namespace gputlm
