/// Workload files: YAML that describes kernels as programs, and which streams of which applications launch them.
///
///   kernels:
///     stream:
///       grid: 480                 # blocks: a number or [x, y, z]
///       block: 256                # threads: a number or [x, y, z]; 1024 at most
///       registers: 32             # a thread; default 32
///       shared_memory: 4KiB       # a block; default 0
///       variation: {spread: 0.1, distribution: uniform}   # also normal, exponential, few_long (models/kernel/program.h)
///       patterns:                 # below
///         in: {kind: coalesced, base: 0x10000000}
///       program:
///         - fp32                                      # one instruction that depends on nothing
///         - int: 8                                    # eight of them
///         - fp32: {dst: 4, src: [4, 6, 7]}            # named registers
///         - fp64: {distance: 2, count: 4}             # each needs the result of the one two before it
///         - loop: {count: 16, varies: true, body: [...]}
///         - load: in                                  # also store, atomic
///         - load: {pattern: in, width: 8, dst: 4, src: 2, space: global, offset: 0}
///         - barrier                                   # barrier 0; `barrier: 1` another
///         - spin: {us: 10, us_per_sm: 1}              # also ns, ns_per_sm
///   applications:
///     - name: a
///       sms: [0-29, 35]                               # its blocks go to these SMs only; default all
///       relaunch: true                                # default false; below
///       streams:
///         - name: s0
///           priority: 0                               # default 0; lower is more urgent; `leftover` ignores it
///           launches:
///             - stream
///             - {kernel: stream, release_us: 10, repeat: 3, phase: 1, grid: 60, block: [16, 16], label: x}
///             - {kernel: stream, budget: 4}           # of its warps, 1 to 255, default 1; only `qaws` heeds it
///             - {kernel: stream, repeat: 3, period_us: 20, deadline_us: 15}   # released at 0, 20 and 40 us; the
///                                                     # results say which responses took longer than 15 us
///             - {kernel: stream, alone_cycles: 24853}  # core cycles it takes when alone, 1 or more: for the oracles
///                                                     # among the kernel orders, which need it (`list policies`)
///
/// Instruction classes: fp32, int, fp64, sfu, tensor, control. Sizes are bytes or have KiB, MiB or GiB.
///
/// Address patterns; every kind also takes `base` (models/kernel/address_pattern.h has the formulas):
///   coalesced     footprint                       each thread the next element; around within `footprint` if given
///   strided       stride*, footprint              the same with `stride` bytes from thread to thread
///   affine        lane_stride, warp_stride, block_stride, iteration_stride, footprint
///   indexed       thread_x_stride, thread_y_stride, block_x_stride, block_y_stride, iteration_stride, footprint
///   broadcast     iteration_stride                one address for all
///   random        footprint*                      uniform over `footprint`
///   set_conflict  cache_bytes*, ways*, line_bytes, lines, set   lines of one cache set
///   reuse         bytes*, owner (block or warp), cold           a working set swept again and again
/// (* must be given.) A pattern that shared memory uses addresses the block's shared memory from 0.
///
/// A pattern without `base` gets 4 GiB of addresses of its
/// own (base 0 if only shared memory uses it). A launch without `phase` is in the phase of the one before it in its
/// stream. A launch's label is its `label`, or its kernel's name; where that occurs more than once, "#1", "#2" ... in
/// the order of the launches tell them apart.
///
/// Where applications share SMs, `sms` of one may overlap those of another: on each SM the first launched goes first
/// (models/work_distributor/leftover.cpp). An application with `relaunch` is launched again, all of it, whenever all
/// its launches have ended, until every application of the workload has ended once; release times count from there.
/// Then the run ends, and what is running is cut (docs/result.md). No launch of the workload may have a phase then.
#pragma once

#include <cstdint>
#include <string>

#include "models/host/workload.h"

namespace gputlm {

/// Throws InputError, with file and line, for whatever is wrong with the file.
Workload load_workload(const std::string& path, std::uint64_t seed);
/// The same from text; `name` stands for the file in messages.
Workload load_workload_text(const std::string& text, const std::string& name, std::uint64_t seed);

}  // namespace gputlm
