/// The whole GPU: units made from one configuration and bound by TLM-2.0 sockets.
///
///   host -> work distributor -> SM -> GPC port -> crossbar -> L2 slice -> DRAM controller
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/config.h"
#include "models/dram/controller.h"
#include "models/dram/slice_map.h"
#include "models/host/host.h"
#include "models/l2/slice.h"
#include "models/noc/crossbar.h"
#include "models/noc/gpc_port.h"
#include "models/sm/sm.h"
#include "models/work_distributor/work_distributor.h"
#include "platform/run/result.h"
#include "tlm/checker.h"

namespace gputlm {

/// The longest look-ahead window that the hops of a configuration allow, in core cycles.
unsigned largest_window(const GpuConfig& config);

class Gpu {
 public:
  /// `window`: look-ahead in core cycles, 1 to largest_window(). `check_protocol` puts a checker between any two
  /// sockets. SystemC allows one GPU a process. Throws InputError for a configuration that cannot be.
  Gpu(const GpuConfig& config, const Workload& workload, unsigned window, bool check_protocol, BlockObserver& blocks,
      KernelObserver& kernels);
  ~Gpu();

  const HostCore& host() const { return host_->core(); }
  const WorkDistributor& work_distributor() const { return *work_distributor_; }
  /// No unit computes core cycle `at` or a later one. To be told while none has.
  void stop_at(Cycle at);
  /// Statistics of all units as of core cycle `now`.
  void collect(RunResult& result, Cycle now) const;
  /// Who waits for what, one line each.
  std::vector<std::string> waiting() const;
  /// Violations of the base protocol, and how many transactions were checked.
  std::vector<std::string> protocol_violations() const;
  std::uint64_t checked_transactions() const;
  std::size_t checked_sockets() const { return checkers_.size(); }

 private:
  class SliceTranslation;
  void bind(tlm::tlm_initiator_socket<>& initiator, tlm::tlm_target_socket<>& target);

  const GpuConfig& config_;
  Clock clock_;
  bool check_protocol_;
  SliceMap slice_map_;
  PayloadPool<Access> accesses_;
  std::vector<std::unique_ptr<SliceTranslation>> translations_;
  std::unique_ptr<Host> host_;
  std::unique_ptr<WorkDistributor> work_distributor_;
  std::vector<std::unique_ptr<Sm>> sms_;
  std::vector<std::unique_ptr<GpcPort>> gpcs_;
  std::unique_ptr<Crossbar> crossbar_;
  std::vector<std::unique_ptr<L2Slice>> slices_;
  std::vector<std::unique_ptr<DramController>> channels_;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers_;
};

}  // namespace gputlm
