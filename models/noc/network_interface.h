/// An initiator's connection to the request network: what an SM, or any other unit that reads and writes the GPU's memory,
/// must know to address its requests and receive their replies.
///
/// Every initiator has a port, numbered over the crossbar's inputs: input * ports of an input + place at the input. The SMs
/// of a GPC are the places of one input, so an SM's port is its id; an initiator directly at the crossbar is place 0 of its
/// own input.
#pragma once

#include "models/memory_map/memory_map.h"
#include "tlm/access.h"
#include "tlm/flit_format.h"
#include "tlm/link.h"

namespace gputlm {

struct NetworkInterface {
  std::uint16_t port;  ///< number of the port, which becomes Access::source
  FlitFormat flits;
  Link link;                   ///< link between the initiator and the next unit
  const MemoryMap& map;        ///< memory map; must outlive the initiator
  std::uint8_t partition = 0;  ///< the nearer L2 partition

  /// Completes a request whose `address`, `bytes`, kind and `identity` are set.
  void address(Access& request) const {
    request.source = port;
    request.partition = partition;
    request.slice = static_cast<std::uint16_t>(map.slice(request.address, request.identity.application));
    request.flits = flits.request_flits(request);
  }
};

}  // namespace gputlm
