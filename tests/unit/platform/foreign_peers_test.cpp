// DRAM controllers and the player of `gputlm mem`, each with a peer outside the model: an initiator gets as much as the
// player, which is paired with its controller; a target serves the player.
#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <string>
#include <vector>

#include "models/dram/controller.h"
#include "models/dram/links.h"
#include "platform/run/trace_player.h"
#include "tests/unit/tlm/simulation.h"
#include "tests/unit/tlm/torture.h"
#include "tlm/assembly.h"

namespace gputlm {
namespace {

enum class Way { kTwoPhases, kEndRespInReturn, kFourPhases, kThreads };

/// Sends the accesses of a trace, each as soon as it is allowed to.
class GreedyInitiator final : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  tlm_utils::simple_initiator_socket<GreedyInitiator> socket;

  GreedyInitiator(const sc_core::sc_module_name& module_name, Way way, const std::string& trace, Bytes bytes)
      : sc_module(module_name), socket("socket"), way_(way), trace_(open_address_trace(trace, bytes, 1)), data_(bytes) {
    SC_HAS_PROCESS(GreedyInitiator);
    if (way == Way::kThreads) {
      for (unsigned i = 0; i < kThreads; ++i) sc_core::sc_spawn([this] { block(); });
    } else {
      SC_THREAD(send);
      SC_METHOD(end_response);
      sensitive << begin_resp_;
      dont_initialize();
    }
    socket.register_nb_transport_bw(this, &GreedyInitiator::nb_transport_bw);
  }
  static constexpr unsigned kThreads = 160;
  unsigned answered = 0;

 private:
  bool fill(tlm::tlm_generic_payload& payload) {
    TraceAccess access;
    if (!trace_->next(access)) return false;
    payload.set_command(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(access.address & ~Address{data_.size() - 1});
    payload.set_data_ptr(data_.data());
    payload.set_data_length(static_cast<unsigned>(data_.size()));
    payload.set_streaming_width(static_cast<unsigned>(data_.size()));
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return true;
  }
  void block() {
    tlm::tlm_generic_payload payload;
    while (fill(payload)) {
      sc_core::sc_time delay;
      socket->b_transport(payload, delay);
      sc_core::wait(delay);
      ++answered;
    }
  }
  void send() {
    for (;;) {
      auto* payload = new tlm::tlm_generic_payload(this);
      payload->acquire();
      if (!fill(*payload)) return payload->release();
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay;
      if (socket->nb_transport_fw(*payload, phase, delay) == tlm::TLM_ACCEPTED) {
        wait(end_req_);
      } else {
        wait(delay);
      }
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase == tlm::END_REQ) end_req_.notify(delay);
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    ++answered;
    if (way_ == Way::kFourPhases) {
      responding_ = &payload;
      begin_resp_.notify(delay);
      return tlm::TLM_ACCEPTED;
    }
    payload.release();
    phase = tlm::END_RESP;
    return way_ == Way::kTwoPhases ? tlm::TLM_COMPLETED : tlm::TLM_UPDATED;
  }
  void end_response() {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay;
    tlm::tlm_generic_payload& payload = *responding_;
    socket->nb_transport_fw(payload, phase, delay);
    payload.release();
  }
  void free(tlm::tlm_generic_payload* payload) override { delete payload; }

  Way way_;
  std::unique_ptr<AddressTrace> trace_;
  std::vector<unsigned char> data_;
  tlm::tlm_generic_payload* responding_ = nullptr;
  sc_core::sc_event end_req_, begin_resp_;
};

class ForeignBandwidth : public Simulation, public testing::WithParamInterface<std::string> {};

TEST_P(ForeignBandwidth, IsThatOfThePlayerWhicheverWayTheInitiatorAsks) {
  constexpr unsigned kAccesses = 4000;
  const std::string trace = GetParam() + ":" + std::to_string(kAccesses);
  DramConfig config;
  config.channels = 1;
  const Clock clock = Clock::from_mhz(config.command_mhz);
  const PlayerConfig played;
  const MemoryMapConfig map;
  const auto accesses = open_address_trace(trace, played.bytes, 1);

  Assembly assembly;
  const Link link = TracePlayer::link_to(config);
  auto& player = assembly.add<TracePlayer>("player", link, config, map, played, *accesses);
  auto& players = assembly.add<DramController>("players", link, config);
  assembly.bind(player.channels[0], players.ports[0]);
  std::vector<DramController*> controllers;
  std::vector<std::unique_ptr<GreedyInitiator>> initiators;
  for (const Way way : {Way::kTwoPhases, Way::kEndRespInReturn, Way::kFourPhases, Way::kThreads}) {
    const std::string number = std::to_string(controllers.size());
    controllers.push_back(&assembly.add<DramController>("dram_" + number, dram_link(clock, config, 1), config));
    initiators.push_back(std::make_unique<GreedyInitiator>(("initiator_" + number).c_str(), way, trace, played.bytes));
    assembly.bind(initiators.back()->socket, controllers.back()->ports[0]);
  }
  sc_core::sc_start();
  const auto took = static_cast<double>(players.core().statistics().last_data);
  for (std::size_t i = 0; i < controllers.size(); ++i) {
    EXPECT_EQ(initiators[i]->answered, kAccesses);
    EXPECT_LE(static_cast<double>(controllers[i]->core().statistics().last_data), took / 0.95) << "way " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Traces, ForeignBandwidth, testing::Values("stream", "random", "mix"));

class ForeignTargets : public Simulation {};

TEST_F(ForeignTargets, OfThePlayerAnswerEveryAccessOfATrace) {
  DramConfig config;
  config.channels = 2;
  const PlayerConfig played;
  Assembly assembly(true);
  std::vector<std::unique_ptr<AddressTrace>> traces;
  std::vector<std::unique_ptr<TortureTarget>> targets;
  std::vector<TracePlayer*> players;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    traces.push_back(open_address_trace("mix:500", played.bytes, seed));
    players.push_back(&assembly.add<TracePlayer>("player_" + std::to_string(seed), TracePlayer::link_to(config), config,
                                                 MemoryMapConfig(), played, *traces.back()));
    for (auto& channel : players.back()->channels) {
      targets.push_back(std::make_unique<TortureTarget>(("target_" + std::to_string(targets.size())).c_str(),
                                                        static_cast<unsigned>(targets.size())));
      assembly.bind(channel, targets.back()->socket);
    }
  }
  EXPECT_EQ(assembly.run(), RunState::kComplete) << "and breaks no rule";
  for (const TracePlayer* player : players) EXPECT_EQ(player->answered(), 500u);
  EXPECT_EQ(assembly.checked_transactions(), 5000u);
}

}  // namespace
}  // namespace gputlm
