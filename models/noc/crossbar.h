/// Crossbar between initiators (GPC ports) and L2 slices: a request network and a separate reply network, so that replies
/// never wait for requests, which keeps the memory system free of deadlock.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "models/noc/partition_connection.h"
#include "models/noc/switch_core.h"
#include "models/policy/tally.h"
#include "tlm/port.h"
#include "tlm/report.h"

namespace gputlm {

class Crossbar final : public Unit {
 public:
  struct Links {
    Link initiator;  ///< link to each initiator: a GPC port, or a unit connected directly to the crossbar
    Link slice;      ///< link to each slice
    std::optional<PartitionConnection::Setup> partitions = {};  ///< connection of the L2 partitions, if there are two
    /// Link to initiators from `gpcs` on, which send in cycles of a different clock; as wide and as deep as `initiator`.
    std::optional<Link> core = {};
    unsigned gpcs = 0;
  };
  /// A reply goes back to initiator Access::source / `ports_per_initiator` (network_interface.h). With `virtual_channels`,
  /// a slice has that many consecutive ports, which share its link: an application uses the port of its number modulo their
  /// count. `arbitration`: policy of each output of both networks.
  Crossbar(const sc_core::sc_module_name& name, const Clock& clock, const Links& links, unsigned initiators,
           unsigned ports_per_initiator, unsigned slices, unsigned virtual_channels = 1,
           const FlitArbitration& arbitration = {});
  ~Crossbar() override;

  /// Outputs of the requests, by slice and virtual channel; then those of the replies, by initiator and then, if the L2 has
  /// two partitions, by direction of crossing.
  unsigned outputs() const { return requests_.outputs() + replies_.outputs(); }
  /// Inputs among which an output chooses.
  unsigned inputs(unsigned output) const {
    return output < requests_.outputs() ? requests_.inputs() : replies_.inputs();
  }
  /// The events of an output's arbiter. To be called before the run.
  Tap<FlitArbiterEvent>& record(unsigned output) {
    const unsigned requests = requests_.outputs();
    return output < requests ? requests_.record(output) : replies_.record(output - requests);
  }

  std::vector<std::string> waiting() const override;
  void report(Report& report, Cycle) override {
    report.add(requests_.statistics(), "crossbar_requests");
    SwitchStatistics replies = replies_.statistics();
    if (connection_) {  // crossing packets pass the network twice
      const PartitionConnectionStatistics& crossed = connection_->statistics();
      report.add(crossed, "crossbar_partitions");
      replies.packets -= crossed.packets;
      replies.flits -= crossed.flits;
    }
    report.add(replies, "crossbar_replies");
    PolicyTally tally;
    PolicyCounts& counts = tally.of(flit_arbiters(), arbiter_);
    requests_.count(counts);
    replies_.count(counts);
    report.add(tally);
  }

 private:
  Cycle compute(Cycle until) override {
    return std::min(requests_.advance(until), connection_ ? connection_->advance(until) : replies_.advance(until));
  }

  std::string arbiter_;
  SwitchCore requests_;
  SwitchCore replies_;
  std::optional<PartitionConnection> connection_;

 public:
  std::deque<TargetPort<Access>> initiators;
  std::deque<InitiatorPort<Access>> slices;  ///< ordered by slice and virtual channel
};

}  // namespace gputlm
