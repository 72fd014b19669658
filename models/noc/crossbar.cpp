#include "models/noc/crossbar.h"

#include <string>

namespace gputlm {

Crossbar::Crossbar(const sc_core::sc_module_name& module_name, const Clock& core_clock, const Links& links,
                   unsigned gpc_count, unsigned sms_per_gpc, unsigned slice_count)
    : Unit(module_name, core_clock),
      requests_(
          gpc_count, links.gpc.request.queue, slice_count, links.slice.request.width, links.slice.request.queue,
          [](const Access& access, unsigned) -> unsigned { return access.slice; }, 0),
      replies_(
          slice_count, links.slice.response.queue, gpc_count, links.gpc.response.width, links.gpc.response.queue,
          [](const Access& access, unsigned per_gpc) { return access.identity.sm / per_gpc; }, sms_per_gpc) {
  for (unsigned i = 0; i < gpc_count; ++i) {
    gpcs.emplace_back("gpc_" + std::to_string(i), *this, links.gpc, requests_.input(i), replies_.output(i),
                      Passage::kThrough);
  }
  for (unsigned i = 0; i < slice_count; ++i) {
    slices.emplace_back("slice_" + std::to_string(i), *this, links.slice, requests_.output(i), replies_.input(i),
                        Passage::kThrough);
  }
}

std::vector<std::string> Crossbar::waiting() const { return packets_waiting(name(), requests_, replies_); }

}  // namespace gputlm
