/// Host threads and the calls that they make.

#include "models/host/host.h"
#include "platform/probes/timeline/part.h"

namespace gputlm {
namespace {

class HostTracks final : public TrackPart {
 public:
  void attach(ProbeSite& site, TraceEvents& events) override {
    begin(site, events, "host", [this](unsigned thread) {
      return workload_->applications[threads_[thread].application].name + ": " + threads_[thread].name;
    });
    threads_ = host_threads(*workload_);
    Host& host = *site.units<Host>("host").front();
    site.watch(host, host.core().calls_made,
               [this, source = events.add_source()](const CallMade& call) { add(call, source); });
  }

 private:
  void add(const CallMade& made, std::uint32_t source) {
    const TraceEvents::Key key{clock_.edge(made.end), source};
    const HostCall& call = threads_[made.thread].calls[made.call];
    const bool launch = call.kind == HostCall::Kind::kLaunch;
    events_->slice(key, tracks_->at(key, made.thread), json_escaped(name(call, made.iteration)),
                   clock_.edge(made.begin), key.at, call.line ? events_->args(R"("line":{})", call.line) : "",
                   {launch ? flow_of(*workload_, call.what, made.iteration) : 0, false, true});
  }
  std::string name(const HostCall& call, std::uint32_t iteration) const {
    using Kind = HostCall::Kind;
    switch (call.kind) {
      case Kind::kLaunch: return "launch " + launch_label(*workload_, call.what, iteration);
      case Kind::kCopy: return "copy " + copy_label(*workload_, call.what, iteration);
      case Kind::kRecordEvent: return "record event " + workload_->events[call.what].name;
      case Kind::kWaitEvent: return "wait for event " + workload_->events[call.what].name;
      case Kind::kReleaseJob: return "release of " + job_label(*workload_, call.what, iteration);
      case Kind::kHostFunction: return "host function";
      case Kind::kSynchronizeStream: return "synchronize stream " + workload_->streams[call.stream].name;
      case Kind::kSynchronizeDevice: return "synchronize device";
      case Kind::kSynchronizeEvent: return "synchronize " + workload_->events[call.what].name;
      case Kind::kBarrier: return "barrier";
      case Kind::kWaitUntil: return "wait for the release";
      case Kind::kLoop: return "loop";
      case Kind::kRepeat: return "end of iteration " + std::to_string(iteration + 1);
    }
    return "";
  }

  std::vector<ThreadSpec> threads_;
};

GPUTLM_REGISTER { add_timeline_part<HostTracks>("host", "calls of host threads", 10); }

}  // namespace
}  // namespace gputlm
