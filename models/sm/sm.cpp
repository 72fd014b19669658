#include "models/sm/sm.h"

#include "tlm/base/error.h"

namespace gputlm {
namespace {

std::unique_ptr<SmTlb> tlb_of(const Sm::Links& links, const SmTlbConfig& config, ItemSource<Translation>& source) {
  return links.mmu ? std::make_unique<SmTlb>(config, links.mmu->page_bytes, source) : nullptr;
}

}  // namespace

Sm::Sm(const sc_core::sc_module_name& module_name, const Clock& core_clock, const Links& links, const SmConfig& config,
       SmId id, const NetworkInterface& network, const BlockDurations* durations)
    : Unit(module_name, core_clock),
      core_(
          sm_models()
              .at(config.model)
              .make({config, id, core_clock, network, pool_, tlb_of(links, config.tlb, translation_pool_), durations})),
      launches("launches", *this, links.launches, core_->launches(), core_->completions()),
      memory("memory", *this, links.memory, core_->requests(), core_->replies()) {
  if (links.switches) {
    core_->allow_preemption();
    switches.emplace("switches", *this, *links.switches, core_->switches(), core_->switched());
  }
  if (links.signals) {
    GridSignals* const signals = core_->allow_signals(signal_pool_, *links.signals);
    if (!signals) throw InputError("sm.model=" + config.model + " does not support kernels that depend on each other");
    grids_ended.emplace("grids_ended", *this, *links.signals, signals->ended, signals->ended_heard);
    blocks_let_go.emplace("blocks_let_go", *this, *links.signals, signals->let_go, signals->let_go_heard);
  }
  if (links.contention) {
    ContentionEnd* const end = core_->allow_contention(count_pool_, *links.contention);
    if (!end) throw InputError("sm.model=" + config.model + " does not support kernels with demands");
    counts.emplace("counts", *this, *links.contention, end->counts, end->counts_heard);
    rates.emplace("rates", *this, *links.contention, end->rates, end->rates_heard);
  }
  if (links.asynchronous) {
    network_config_ = links.asynchronous->config;
    const std::optional<Link>& link = links.asynchronous->network;
    if (ClusterPort* const port = core_->allow_asynchronous(packet_pool_, network_config_, link)) {
      asks.emplace("asks", *this, *link, port->requests, port->answers);
      asked.emplace("asked", *this, *link, port->arrivals, port->replies);
    }
  }
  if (!links.mmu) return;
  translations.emplace("translations", *this, links.mmu->translations, core_->tlb()->requests(),
                       core_->tlb()->answers());
  shootdowns.emplace("shootdowns", *this, links.mmu->shootdowns, core_->tlb()->shootdowns(),
                     core_->tlb()->shootdown_ends());
}

Sm::~Sm() = default;

}  // namespace gputlm
