#include "platform/lab/play_run.h"

#include <fmt/format.h>

#include <filesystem>

#include "platform/files/json_text.h"
#include "platform/input/address_trace.h"
#include "platform/input/parameters.h"
#include "platform/run/result_bytes.h"
#include "tlm/digest.h"

namespace gputlm {

Job PlayRun::job() const {
  GpuConfig config;  // of which a memory run has only this
  config.dram = system.dram;
  config.address_map = system.address_map;
  const PlayerConfig& player = system.player;
  const std::string content = std::filesystem::is_regular_file(trace) ? file_digest(trace) : trace;
  return {digest(fmt::format("play {} {} {} {} {} {}\n{}", program_digest(), player.bytes, player.outstanding,
                             player.interval, seed, content, json_text(to_json(config)))),
          [this](const Execution&) {
            const auto accesses = open_address_trace(trace, system.player.bytes, seed);
            return to_bytes(play(system, *accesses, {}));
          }};
}

MemoryResult PlayRun::result(std::string_view bytes) { return memory_result_from_bytes(bytes); }

}  // namespace gputlm
