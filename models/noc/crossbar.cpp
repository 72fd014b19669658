#include "models/noc/crossbar.h"

#include <string>

#include "tlm/base/divisor.h"

namespace gputlm {
namespace {

/// Number of inputs and outputs of the reply network that belong to the connection of two partitions.
unsigned crossings(const Crossbar::Links& links) { return links.partitions ? PartitionConnection::kDirections : 0; }

}  // namespace

Crossbar::Crossbar(const sc_core::sc_module_name& module_name, const Clock& core_clock, const Links& links,
                   unsigned initiator_count, unsigned ports_per_initiator, unsigned slice_count,
                   unsigned virtual_channels, const FlitArbitration& arbitration)
    : Unit(module_name, core_clock), arbiter_(arbitration.policy),
      requests_(
          initiator_count, links.initiator.request.queue, slice_count * virtual_channels, links.slice.request.width,
          links.slice.request.queue,
          [virtual_channels](const Access& access) {
            if (virtual_channels == 1) return unsigned{access.slice};
            return access.slice * virtual_channels + access.identity.application % virtual_channels;
          },
          virtual_channels),
      replies_(slice_count * virtual_channels + crossings(links), links.slice.response.queue,
               initiator_count + crossings(links), links.initiator.response.width, links.initiator.response.queue,
               [ports = Divisor(ports_per_initiator), initiator_count,
                flits = links.partitions.value_or(PartitionConnection::Setup()).flits](Access& access) {
                 if (access.partition & kCrossing) {
                   return initiator_count + PartitionConnection::direction_of(access, flits);
                 }
                 return ports.quotient(access.source);
               }) {
  // The switches have a built-in round robin over inputs.
  if (arbiter_ != kRoundRobin) {
    for (SwitchCore* const network : {&requests_, &replies_}) network->ask(arbitration);
  }
  if (links.partitions) connection_.emplace(*links.partitions, replies_);
  for (unsigned i = 0; i < initiator_count; ++i) {
    const Link& link = links.core && i >= links.gpcs ? *links.core : links.initiator;
    initiators.emplace_back("initiator_" + std::to_string(i), *this, link, requests_.input(i), replies_.output(i),
                            Passage::kThrough);
  }
  for (unsigned i = 0; i < slice_count * virtual_channels; ++i) {
    slices.emplace_back("slice_" + std::to_string(i), *this, links.slice, requests_.output(i), replies_.input(i),
                        Passage::kThrough);
  }
}

Crossbar::~Crossbar() = default;

std::vector<std::string> Crossbar::waiting() const { return packets_waiting(name(), requests_, replies_); }

}  // namespace gputlm
