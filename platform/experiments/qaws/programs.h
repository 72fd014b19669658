/// The nine programs of qaws (table Ib), as the program carries them: workloads/qaws/*.yaml. All are written as
/// persistent threads that fill the same room: 24 warps on each of 80 SMs, the most that blocks of 2, 4, 6 and 8 warps
/// fill alike in half an SM (section V-A: "every SM has an equal number of warps from K1 and K2"). What two instances read
/// and write again fits into the L2 of titan_v. The paper says nothing of inputs, of how threads take their work, and of
/// how many warps there are: QawsReading says how else they can be.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "models/kernel/kernel.h"
#include "models/kernel/program.h"
#include "platform/input/preset.h"

namespace gputlm {

/// In the order of table Ib: five called compute-intensive there, and four memory-intensive.
inline constexpr std::array<const char*, 9> kQawsPrograms{"pc", "pf", "2dc", "dxtc", "bin", "vec", "mm", "his", "atax"};
inline constexpr unsigned kQawsWarps = 24;  ///< on each SM, of a program as it is written

/// By name. Generated from workloads/qaws/*.yaml by cmake/EmbedPresets.cmake.
const std::vector<PresetSource>& qaws_program_sources();

/// What the paper leaves open.
struct QawsReading {
  unsigned warps = kQawsWarps;  ///< on each SM; whole blocks
  WorkElement::Schedule schedule = WorkElement::Schedule::kDynamic;
  bool inputs_fit =
      true;  ///< into the L2; otherwise vec, pf, 2dc and his read and write what nobody has touched before
};

/// How a program is changed for a run.
struct QawsShape {
  unsigned sms = 80;
  QawsReading reading = {};
  unsigned shorter = 1;   ///< units of work for each block are divided by this; at least one remains
  unsigned instance = 0;  ///< each has memory of its own
};

/// Throws InputError if there is no such program, or its blocks do not fill that many warps.
ProgramSpec qaws_program(const std::string& name, const QawsShape& shape);
std::shared_ptr<Kernel> qaws_kernel(const std::string& name, const QawsShape& shape, std::uint64_t seed);

}  // namespace gputlm
