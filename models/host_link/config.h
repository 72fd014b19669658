#pragma once

#include "tlm/base/time.h"

namespace gputlm {

/// The link between GPU and host, by default PCI Express 3.0 with 16 lanes. PCI Express Base Specification 3.0: 8 GT/s a
/// lane, coded 128b/130b; a packet has 4 bytes of framing, 16 of header and 4 of CRC in addition to its data.
struct HostLinkConfig {
  unsigned lanes = 16;        ///< number of lanes; 0: no link, CPU and GPU share the DRAM
  double lane_gbits = 7.877;  ///< 10^9 bits per second of a lane in each direction, after coding
  Bytes payload = 256;        ///< maximum data of a packet, in bytes
  Bytes header = 24;          ///< header of a packet, in bytes
  unsigned latency = 500;     ///< core cycles, each way
  unsigned queue = 64;        ///< requests, and responses, that an end holds

  /// Time of a byte on the link in one direction.
  Femtoseconds byte_time() const { return static_cast<Femtoseconds>(8e6 / (lanes * lane_gbits) + 0.5); }
  /// Bytes on the link for `data` bytes: whole packets, one without data if there are none.
  Bytes bytes_with_headers(Bytes data) const {
    return data + header * (data == 0 ? 1 : (data + payload - 1) / payload);
  }
};

}  // namespace gputlm
