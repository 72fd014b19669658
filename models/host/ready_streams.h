/// Streams whose heads may go to an engine, and which of them goes next.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "tlm/identity.h"

namespace gputlm {

/// What has been launched less often goes first: where room is scarce, launches again and again would keep others out
/// forever. Then by priority, then by number.
struct ReadyStream {
  std::uint32_t iteration = 0;  ///< how often its application has been launched again
  int priority = 0;
  StreamId stream = 0;

  friend bool operator>(const ReadyStream& a, const ReadyStream& b) { return a.key() > b.key(); }
  friend bool operator==(const ReadyStream& a, const ReadyStream& b) { return a.key() == b.key(); }

 private:
  std::tuple<std::uint32_t, int, StreamId> key() const { return {iteration, priority, stream}; }
};

/// Of applications, each of which may be shut: then its streams stay, but none is the next.
class ReadyStreams {
 public:
  explicit ReadyStreams(std::size_t applications) : applications_(applications) {}

  /// A stream that is not among them.
  void add(ApplicationId application, const ReadyStream& stream) {
    applications_[application].streams.push(stream);
    if (applications_[application].streams.top() == stream) offer(application);
  }
  /// The one that goes next, if there is one.
  std::optional<StreamId> next() {
    while (!offers_.empty() && !stands(offers_.top())) offers_.pop();
    if (offers_.empty()) return std::nullopt;
    return offers_.top().stream.stream;
  }
  /// Removes the one that goes next; there is one.
  void take() {
    const ApplicationId application = offers_.top().application;
    applications_[application].streams.pop();
    offer(application);
  }
  void shut(ApplicationId application, bool shut) {
    if (applications_[application].shut == shut) return;
    applications_[application].shut = shut;
    offer(application);
  }

 private:
  using Streams = std::priority_queue<ReadyStream, std::vector<ReadyStream>, std::greater<>>;
  struct Application {
    Streams streams;
    bool shut = false;
  };
  /// The first of an application's streams, when it was made; stands as long as that still is, and may go.
  struct Offer {
    ReadyStream stream;
    ApplicationId application;
    friend bool operator>(const Offer& a, const Offer& b) { return a.stream > b.stream; }
  };

  bool stands(const Offer& offer) const {
    const Application& a = applications_[offer.application];
    return !a.shut && !a.streams.empty() && a.streams.top() == offer.stream;
  }
  void offer(ApplicationId application) {
    const Application& a = applications_[application];
    if (!a.shut && !a.streams.empty()) offers_.push({a.streams.top(), application});
  }

  std::vector<Application> applications_;
  std::priority_queue<Offer, std::vector<Offer>, std::greater<>> offers_;
};

}  // namespace gputlm
