// A DRAM controller as the memory of a foreign platform: bandwidth, times, errors, data.
#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/dram/controller.h"
#include "models/dram/links.h"
#include "tests/unit/tlm/simulation.h"
#include "tests/unit/tlm/torture.h"
#include "tlm/checker.h"

namespace gputlm {
namespace {

class ForeignInitiatorsOfDram : public Simulation {};

/// A controller that an initiator socket drives, with a store of 64 KiB.
struct Memory {
  explicit Memory(const std::string& name, const DramConfig& configuration = {}, unsigned ports = 1)
      : config(configuration), link(dram_link(clock, config, 1)),
        dram(name.c_str(), link, config, ports, {store.capacity(), &store}) {}
  DramConfig config;
  Clock clock = Clock::from_mhz(config.command_mhz);
  Link link;
  BackingStore store{1 << 16};
  DramController dram;
};

/// Runs `body`, a function of the initiator, in a thread.
class Driver final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Driver> socket;
  Driver(const sc_core::sc_module_name& module_name, std::function<void(Driver&)> body)
      : sc_module(module_name), socket("socket"), body_(std::move(body)) {
    SC_HAS_PROCESS(Driver);
    SC_THREAD(run);
    socket.register_nb_transport_bw(this, &Driver::nb_transport_bw);
  }
  /// Reads 32 bytes by nb_transport, from a payload that lives as long as the driver.
  void send(Address address, const sc_core::sc_time& ahead) {
    auto& payload = sent_.emplace_back(&nobody_);
    payload.acquire();
    payload.set_read();
    payload.set_address(address);
    payload.set_data_ptr(data_);
    payload.set_data_length(32);
    payload.set_streaming_width(32);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = ahead;
    if (socket->nb_transport_fw(payload, phase, delay) != tlm::TLM_UPDATED) wait(end_req_);
  }
  /// Ends the response that is withheld, and withholds no more.
  void end_response() {
    withhold = false;
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay;
    socket->nb_transport_fw(*withheld, phase, delay);
  }
  bool withhold = false;  ///< END_RESP of the next response
  tlm::tlm_generic_payload* withheld = nullptr;
  std::vector<Femtoseconds> responses;  ///< when they began
  /// Blocks; the time from now on to the answer.
  Femtoseconds call(bool write, Address address, unsigned char* data, unsigned length,
                    const sc_core::sc_time& ahead = {}) {
    tlm::tlm_generic_payload payload;
    payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(length);
    payload.set_streaming_width(length);
    sc_core::sc_time delay = ahead;
    const Femtoseconds begin = now_fs();
    socket->b_transport(payload, delay);
    status = payload.get_response_status();
    return now_fs() + delay.value() - begin;
  }
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;

 private:
  struct Nobody final : tlm::tlm_mm_interface {
    void free(tlm::tlm_generic_payload*) override {}
  };
  void run() { body_(*this); }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase == tlm::END_REQ) end_req_.notify(delay);
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    responses.push_back(now_fs() + delay.value());
    if (!withhold) return tlm::TLM_COMPLETED;
    withheld = &payload;
    return tlm::TLM_ACCEPTED;
  }
  std::function<void(Driver&)> body_;
  Nobody nobody_;
  std::deque<tlm::tlm_generic_payload> sent_;
  unsigned char data_[32] = {};
  sc_core::sc_event end_req_;
};

/// `body` against a controller; true if it came to its end.
bool drive(const std::function<void(Driver&, Memory&)>& body, const DramConfig& config = {}) {
  Memory memory("dram", config);
  bool ended = false;
  Driver driver("driver", [&](Driver& self) {
    body(self, memory);
    ended = true;
  });
  ProtocolChecker checker("checker");
  driver.socket.bind(checker.target);
  checker.initiator.bind(memory.dram.ports[0].socket);
  sc_core::sc_start();
  EXPECT_EQ(memory.dram.core().in_flight(), 0u);
  return ended;
}

TEST_F(ForeignInitiatorsOfDram, WaitForTheLinkTheRowTheDataAndTheHopBack) {
  EXPECT_TRUE(drive([](Driver& driver, Memory& memory) {
    unsigned char data[32] = {};
    const DramTiming& t = memory.config.timing;
    const Cycle cycles = 1 + t.tRCDRD + t.tCL + burst_cycles(memory.config) + memory.config.latency + 1;
    EXPECT_EQ(driver.call(false, 0, data, 32), cycles * memory.clock.period());
    // The row is open. An initiator that is ahead of time waits until then, and its access begins then.
    sc_core::wait(to_sc_time(1000 * memory.clock.period()));
    const sc_core::sc_time ahead = to_sc_time(500 * memory.clock.period());
    EXPECT_EQ(driver.call(false, 32, data, 32, ahead), (500 + cycles - t.tRCDRD) * memory.clock.period());
  }));
}

TEST_F(ForeignInitiatorsOfDram, AreAnsweredAnErrorAfterTheLinkBothWays) {
  EXPECT_TRUE(drive([](Driver& driver, Memory& memory) {
    unsigned char data[64] = {};
    const Femtoseconds both_ways = (1 + memory.config.latency + 1) * memory.clock.period();
    EXPECT_EQ(driver.call(false, 1 << 16, data, 32), both_ways);
    EXPECT_EQ(driver.status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(driver.call(true, 0, data, 0), both_ways);
    EXPECT_EQ(driver.status, tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(memory.dram.core().statistics().reads + memory.dram.core().statistics().writes, 0u);
  }));
}

TEST_F(ForeignInitiatorsOfDram, DoNotWaitForAnAccessThatIsAnnotatedFarAhead) {
  EXPECT_TRUE(drive([](Driver& driver, Memory&) {
    unsigned char data[32] = {};
    const Femtoseconds alone = driver.call(false, 0, data, 32);
    driver.send(0, sc_core::sc_time(10, sc_core::SC_US));
    EXPECT_LE(driver.call(false, 32, data, 32), alone);
    sc_core::wait(20, sc_core::SC_US);
    ASSERT_EQ(driver.responses.size(), 1u);
    EXPECT_GE(driver.responses[0], 10'000'000'000u) << "nor is that one early";
  }));
}

TEST_F(ForeignInitiatorsOfDram, GetWithheldResponsesAtThePaceOfTheLink) {
  EXPECT_TRUE(drive([](Driver& driver, Memory& memory) {
    driver.withhold = true;
    for (Address address = 0; address < 320; address += 32) {
      driver.send(address, {});
      sc_core::wait(5, sc_core::SC_NS);
    }
    sc_core::wait(1, sc_core::SC_US);
    EXPECT_EQ(driver.responses.size(), 1u) << "one response at a time";
    const Femtoseconds end = now_fs();
    driver.end_response();
    sc_core::wait(1, sc_core::SC_US);
    ASSERT_EQ(driver.responses.size(), 10u);
    for (std::size_t i = 1; i < 10; ++i) {
      EXPECT_EQ(driver.responses[i], end + (i - 1) * memory.link.response.flit) << i;
    }
  }));
}

TEST_F(ForeignInitiatorsOfDram, WhoWithholdEndRespStopTheControllerOnceTheLinkIsFull) {
  Memory memory("dram");
  std::uint64_t served = 0;
  Driver driver("driver", [&](Driver& self) {
    self.withhold = true;
    for (Address address = 0; address < 32 * 60; address += 32) {
      self.send(address, {});
      sc_core::wait(5, sc_core::SC_NS);
    }
    sc_core::wait(1, sc_core::SC_US);
    served = 60 - memory.dram.core().in_flight();
    self.end_response();
  });
  driver.socket.bind(memory.dram.ports[0].socket);
  sc_core::sc_start();
  EXPECT_EQ(served, memory.config.latency + 2) << "responses that the link holds";
  EXPECT_EQ(driver.responses.size(), 60u);
}

TEST_F(ForeignInitiatorsOfDram, MoveMoreThan64KiBInOneTransactionAndMoreThanTheQueuesHold) {
  DramConfig config;
  config.queue = 4;  // bursts: a line
  config.input_queue = 1;
  EXPECT_TRUE(drive(
      [](Driver& driver, Memory& memory) {
        std::vector<unsigned char> data(1 << 16, 3), read(1 << 16);
        const Femtoseconds time = driver.call(true, 0, data.data(), 1 << 16);
        EXPECT_EQ(driver.status, tlm::TLM_OK_RESPONSE);
        EXPECT_GE(time, (1 << 16) / 32 * memory.config.timing.tCCDS * memory.clock.period())
            << "no faster than the bus";
        driver.call(false, 0, read.data(), 1 << 16);
        EXPECT_EQ(read, data);
        EXPECT_EQ(memory.dram.core().statistics().writes, 2048u) << "bursts";
      },
      config));
}

TEST_F(ForeignInitiatorsOfDram, LookIntoTheMemoryWithoutTimeAndGetNoPointerToIt) {
  EXPECT_TRUE(drive([](Driver& driver, Memory& memory) {
    unsigned char data[8] = {1, 2, 3, 4, 5, 6, 7, 8}, read[8] = {};
    tlm::tlm_generic_payload payload;
    payload.set_write();
    payload.set_address((1 << 16) - 4);
    payload.set_data_ptr(data);
    payload.set_data_length(8);
    EXPECT_EQ(driver.socket->transport_dbg(payload), 4u);
    EXPECT_EQ(now_fs(), 0u);
    driver.call(false, (1 << 16) - 8, read, 8);
    EXPECT_EQ(read[3], 0);
    EXPECT_EQ(read[4], 1);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(driver.socket->get_direct_mem_ptr(payload, dmi));
    EXPECT_TRUE(dmi.is_none_allowed());
    EXPECT_EQ(dmi.get_end_address(), ~sc_dt::uint64{0});
    EXPECT_EQ(memory.store.pages(), 1u);
  }));
}

TEST_F(ForeignInitiatorsOfDram, MayBeKilledWhileTheyWait) {
  Memory memory("dram");
  unsigned char byte = 0, lost = 7;
  Driver driver("driver", [&](Driver& self) {
    {
      std::vector<unsigned char> gone(4096, 9);
      auto victim = sc_core::sc_spawn([&] { self.call(true, 0, gone.data(), 4096); });
      auto other = sc_core::sc_spawn([&] { self.call(true, 8192, gone.data(), 4096); });
      sc_core::wait(20, sc_core::SC_NS);
      victim.kill();
      sc_core::wait(other.terminated_event());
    }
    self.call(false, 8192 + 4095, &byte, 1);
    self.call(false, 4095, &lost, 1);
  });
  driver.socket.bind(memory.dram.ports[0].socket);
  sc_core::sc_start();
  EXPECT_EQ(byte, 9);
  EXPECT_EQ(lost, 0) << "its data array is not there any more";
  EXPECT_EQ(memory.dram.core().in_flight(), 0u);
}

TEST_F(ForeignInitiatorsOfDram, AtDifferentPortsSeeEachOthersDataInTheOrderOfTheirArrival) {
  Memory memory("dram", {}, 2);
  unsigned char one = 1, before = 7, after = 7;
  Driver writer("writer", [&](Driver& self) {
    sc_core::wait(100, sc_core::SC_NS);
    self.call(true, 5, &one, 1);
  });
  Driver reader("reader", [&](Driver& self) {
    sc_core::wait(90, sc_core::SC_NS);
    auto late = sc_core::sc_spawn([&] {
      sc_core::wait(20, sc_core::SC_NS);  // the write is still under way
      self.call(false, 5, &after, 1);
    });
    self.call(false, 5, &before, 1);
    if (!late.terminated()) sc_core::wait(late.terminated_event());
  });
  writer.socket.bind(memory.dram.ports[0].socket);
  reader.socket.bind(memory.dram.ports[1].socket);
  sc_core::sc_start();
  EXPECT_EQ(before, 0);
  EXPECT_EQ(after, 1);
}

/// Random controllers, each with three random initiators.
TEST_F(ForeignInitiatorsOfDram, MayTortureIt) {
  constexpr unsigned kBenches = 20, kTransactions = 160;
  struct Bench {
    explicit Bench(unsigned seed) : random(seed), memory("dram_" + std::to_string(seed), pick(), 3) {
      const TrafficSetup setup{kTransactions, 0, 16384, 1500, memory.store.capacity(), true, false};
      for (unsigned port = 0; port < 3; ++port) {
        const std::string name = std::to_string(port) + "_" + std::to_string(seed);
        TrafficSetup own = setup;
        own.base = port * own.bytes;
        if ((seed + port) % 3 == 0) {
          initiators.push_back(std::make_unique<BlockingTorture>(("blocking_" + name).c_str(), own, 3 * seed + port));
        } else {
          initiators.push_back(std::make_unique<NonBlockingTorture>(("phases_" + name).c_str(), own, 3 * seed + port));
        }
        checkers.push_back(std::make_unique<ProtocolChecker>(("checker_" + name).c_str()));
        initiators.back()->socket.bind(checkers.back()->target);
        checkers.back()->initiator.bind(memory.dram.ports[port].socket);
      }
    }
    DramConfig pick() {
      DramConfig config;
      config.queue = 4u << random() % 5;
      config.input_queue = 1 + random() % 16;
      config.latency = 1 + random() % 30;
      config.scheduler = std::array{"fcfs", "fr_fcfs", "fr_rr_fcfs"}[random() % 3];
      config.page = random() % 2 ? "open" : "closed";
      if (random() % 2) {
        config.write_queue = config.queue;
        config.write_high = config.queue / 2;
        config.write_low = 1;
      }
      if (random() % 2) config.timing.tREFI = 3000, config.timing.tRFC = 100;
      return config;
    }
    std::mt19937 random;
    Memory memory;
    std::vector<std::unique_ptr<TortureInitiator>> initiators;
    std::vector<std::unique_ptr<ProtocolChecker>> checkers;
  };
  std::vector<std::unique_ptr<Bench>> benches;
  for (unsigned seed = 1; seed <= kBenches; ++seed) benches.push_back(std::make_unique<Bench>(seed));
  sc_core::sc_start();
  for (const auto& bench : benches) {
    EXPECT_EQ(bench->memory.dram.core().in_flight(), 0u);
    for (unsigned port = 0; port < 3; ++port) {
      const ProtocolChecker& checker = *bench->checkers[port];
      EXPECT_EQ(bench->initiators[port]->answered, kTransactions) << bench->initiators[port]->name();
      EXPECT_EQ(checker.violation_count(), 0u) << checker.violations().front();
      EXPECT_EQ(checker.unfinished(), 0u);
    }
  }
}

}  // namespace
}  // namespace gputlm
