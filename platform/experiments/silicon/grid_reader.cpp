#include "platform/experiments/silicon/grid_reader.h"

#include <vector>

#include "models/kernel/program_kernel.h"

namespace gputlm {

std::shared_ptr<Kernel> grid_reader(const GridReader& reader, Address base, std::uint64_t passes) {
  constexpr std::uint8_t index = 8, test = 10, fetched = 11, total = 4, loaded = 20;
  constexpr std::uint8_t width = GridReader::kLoad, words = width / 4;
  ProgramSpec spec;
  spec.name = reader.name;
  spec.grid = {reader.grid};
  spec.block = {reader.block};
  spec.registers_per_thread = reader.registers;
  AffinePattern shape;
  shape.lane_stride = width;
  shape.warp_stride = width * kWarpSize;
  shape.block_stride = static_cast<std::int64_t>(Bytes{reader.block} * width);
  shape.iteration_stride = static_cast<std::int64_t>(reader.bytes_of_pass());
  spec.patterns = {{"data", base, shape}};
  std::vector<ProgramElement> body{instruction(Pipe::kInt, index, {index, fetched})};
  for (std::uint32_t i = 0; i < reader.loads; ++i) {
    MemoryElement load;
    load.pattern = "data";
    load.width = width;
    load.offset = static_cast<std::int64_t>(i * reader.step());
    load.registers.destination = static_cast<std::uint8_t>(loaded + words * i);
    load.registers.sources = {index};
    body.push_back({load});
  }
  for (std::uint32_t i = 0; i < reader.loads; ++i) {
    for (std::uint8_t word = 0; word < words; ++word) {
      const auto sum = static_cast<std::uint8_t>(total + word);
      body.push_back(instruction(Pipe::kFp32, sum, {sum, static_cast<std::uint8_t>(loaded + words * i + word)}));
    }
  }
  body.push_back(instruction(Pipe::kInt, test, {index}));
  body.push_back(instruction(Pipe::kControl, fetched, {test}));
  spec.body = {loop(static_cast<std::uint32_t>(passes), body)};
  return std::make_shared<ProgramKernel>(spec, 0);
}

}  // namespace gputlm
