/// Streams whose heads may go to an engine, in order of precedence.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "tlm/identity.h"

namespace gputlm {

/// Order: fewer relaunches first, so that relaunched applications cannot keep others out forever; then priority; then
/// number.
struct ReadyStream {
  std::uint32_t iteration = 0;  ///< number of relaunches of its application
  int priority = 0;
  StreamId stream = 0;

  friend bool operator>(const ReadyStream& a, const ReadyStream& b) { return a.key() > b.key(); }
  friend bool operator==(const ReadyStream& a, const ReadyStream& b) { return a.key() == b.key(); }

 private:
  std::tuple<std::uint32_t, int, StreamId> key() const { return {iteration, priority, stream}; }
};

/// Ready streams by application. An application may be shut: its streams stay, but none is next.
class ReadyStreams {
 public:
  explicit ReadyStreams(std::size_t applications) : applications_(applications) {}

  /// Adds a stream that is not included.
  void add(ApplicationId application, const ReadyStream& stream) {
    applications_[application].streams.push(stream);
    if (applications_[application].streams.top() == stream) offer(application);
  }
  /// The next stream, if there is one.
  std::optional<StreamId> next() {
    while (!offers_.empty() && !stands(offers_.top())) offers_.pop();
    if (offers_.empty()) return std::nullopt;
    return offers_.top().stream.stream;
  }
  /// Removes the next stream, which must exist.
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
  /// An application's first stream when the offer was made; valid while that stream is still first and the application is
  /// not shut.
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
