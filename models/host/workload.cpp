#include "models/host/workload.h"

#include <algorithm>
#include <map>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

using Kind = HostCall::Kind;

/// Graph of calls that cannot end before others. Nodes: the calls of all threads in order, then the ends of phases.
class WaitGraph {
 public:
  explicit WaitGraph(const Workload& workload) : workload_(workload), threads_(host_threads(workload)) {
    for (const ThreadSpec& thread : threads_) {
      for (const HostCall& call : thread.calls) nodes_.push_back({&thread, &call});
    }
    for (const LaunchCommand& launch : workload.launches) phases_ = std::max<std::size_t>(phases_, launch.phase + 1);
    calls_ = nodes_.size();
    for (std::size_t phase = 0; phase < phases_; ++phase) nodes_.emplace_back();
    for (std::size_t phase = 1; phase < phases_; ++phase) waits(calls_ + phase, calls_ + phase - 1);
    std::size_t node = 0;
    for (const ThreadSpec& thread : threads_) {
      for (const HostCall& call : thread.calls) {
        if (call.kind == Kind::kRecordEvent) recorded_[call.what] = node;
        ++node;
      }
    }
    node = 0;
    for (const ThreadSpec& thread : threads_) add(thread, node);
  }

  void check() const {
    std::vector<std::size_t> left(nodes_.size());
    std::vector<std::vector<std::size_t>> waiting(nodes_.size());
    std::vector<std::size_t> ended;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      left[n] = nodes_[n].waits_for.size();
      for (const std::size_t other : nodes_[n].waits_for) waiting[other].push_back(n);
      if (left[n] == 0) ended.push_back(n);
    }
    for (std::size_t i = 0; i < ended.size(); ++i) {
      for (const std::size_t n : waiting[ended[i]]) {
        if (--left[n] == 0) ended.push_back(n);
      }
    }
    const auto stuck = std::find_if(left.begin(), left.end(), [](std::size_t count) { return count > 0; });
    if (stuck != left.end()) fail(static_cast<std::size_t>(stuck - left.begin()), left);
  }

 private:
  struct Node {
    const ThreadSpec* thread = nullptr;  ///< null: the end of a phase
    const HostCall* call = nullptr;
    std::vector<std::size_t> waits_for = {};
  };
  /// The last command of a thread in each stream.
  using Tails = std::map<StreamId, std::size_t>;

  void waits(std::size_t node, std::size_t for_node) { nodes_[node].waits_for.push_back(for_node); }

  void add(const ThreadSpec& thread, std::size_t& node) {
    Tails tails;
    // Waits of the thread that come before all its later calls: the last synchronization, and the end of a phase, which
    // has waited for the phases before it.
    std::vector<std::size_t> blocks;
    std::optional<std::size_t> phase_before;
    for (const HostCall& call : thread.calls) {
      for (const std::size_t before : blocks) waits(node, before);
      if (phase_before) waits(node, *phase_before);
      if (call.kind == Kind::kLaunch || call.kind == Kind::kReleaseJob) {
        const bool launch = call.kind == Kind::kLaunch;
        const unsigned phase = launch ? workload_.launches[call.what].phase : workload_.jobs[call.what].phase;
        if (launch) waits(calls_ + phase, node);
        if (phase > 0) {
          waits(node, calls_ + phase - 1);
          phase_before = std::max(phase_before.value_or(0), calls_ + phase - 1);
        }
      }
      if (call.kind == Kind::kWaitEvent || call.kind == Kind::kSynchronizeEvent) wait_event(thread, call, node);
      if (call.has_stream()) {
        for (const auto& [stream, last] : tails) {
          if (stream == call.stream || ordered(stream, call.stream)) waits(node, last);
        }
        tails[call.stream] = node;
        if (call.kind == Kind::kCopy && workload_.copies[call.what].holds_thread()) blocks = {node};
      } else if (call.kind == Kind::kSynchronizeStream || call.kind == Kind::kSynchronizeDevice) {
        for (const auto& [stream, last] : tails) {
          if (call.kind == Kind::kSynchronizeDevice || stream == call.stream) waits(node, last);
        }
        blocks = {node};
      } else if (call.kind == Kind::kSynchronizeEvent) {
        blocks.push_back(node);
      }
      ++node;
    }
  }

  bool ordered(StreamId a, StreamId b) const {
    const StreamKind first = workload_.streams[a].kind, second = workload_.streams[b].kind;
    return first != StreamKind::kNonBlocking && second != StreamKind::kNonBlocking &&
           (first == StreamKind::kDefault || second == StreamKind::kDefault);
  }

  void wait_event(const ThreadSpec& thread, const HostCall& call, std::size_t node) {
    const auto record = recorded_.find(call.what);
    if (record == recorded_.end())
      throw InputError(thread.file, call.line,
                       "found a wait for event '" + workload_.events[call.what].name +
                           "', which no call records; allowed: an event that a call of the application records");
    waits(node, record->second);
  }

  /// Names the waits for events on a circle reachable from `node`. `left`: by node, number of awaited nodes that never end.
  [[noreturn]] void fail(std::size_t node, const std::vector<std::size_t>& left) const {
    std::vector<std::size_t> path;
    while (std::find(path.begin(), path.end(), node) == path.end()) {
      path.push_back(node);
      const std::vector<std::size_t>& others = nodes_[node].waits_for;
      node = *std::find_if(others.begin(), others.end(), [&](std::size_t other) { return left[other] > 0; });
    }
    path.erase(path.begin(), std::find(path.begin(), path.end(), node));
    std::string circle;
    const Node* first = nullptr;
    for (const std::size_t n : path) {
      const Kind kind = nodes_[n].call ? nodes_[n].call->kind : Kind::kLaunch;
      if (kind != Kind::kWaitEvent && kind != Kind::kSynchronizeEvent) continue;
      if (!first) first = &nodes_[n];
      circle += (circle.empty() ? "event '" : ", event '") + workload_.events[nodes_[n].call->what].name +
                "' in line " + std::to_string(nodes_[n].call->line);
    }
    throw InputError(first ? first->thread->file : "", first ? first->call->line : 0,
                     "found waits that wait for each other (" + circle +
                         "); allowed: a wait for an event that can be recorded before it ends");
  }

  const Workload& workload_;
  std::vector<ThreadSpec> threads_;
  std::vector<Node> nodes_;
  std::size_t calls_ = 0, phases_ = 0;
  std::map<std::uint32_t, std::size_t> recorded_;  ///< node that records each event
};

}  // namespace

std::vector<ThreadSpec> host_threads(const Workload& workload) {
  std::vector<ThreadSpec> threads = workload.threads;
  std::vector<bool> called(workload.streams.size(), false);
  for (const ThreadSpec& thread : threads) {
    for (const HostCall& call : thread.calls) {
      if (call.has_stream()) called[call.stream] = true;
    }
  }
  std::vector<std::size_t> own(workload.streams.size());
  for (StreamId s = 0; s < workload.streams.size(); ++s) {
    if (called[s]) continue;
    own[s] = threads.size();
    threads.push_back({workload.streams[s].name, workload.streams[s].application});
  }
  for (std::uint32_t i = 0; i < workload.launches.size(); ++i) {
    const StreamId stream = workload.launches[i].stream;
    if (called[stream]) continue;
    threads[own[stream]].calls.push_back({Kind::kLaunch, stream, i});
    threads[own[stream]].file = workload.launches[i].file;
    threads[own[stream]].calls.back().line = workload.launches[i].line;
  }
  return threads;
}

void check_waits(const Workload& workload) {
  if (!workload.events.empty()) WaitGraph(workload).check();
}

}  // namespace gputlm
