/// The columns and metrics that are read from tables of Nsight Compute, one row each (tlm/base/format_field.h). The names are
/// those that its command line prints on GPUs of compute capability 7.0 to 12.0. A metric has the same name in all forms of
/// the table, and another name on the pages for human readers.
#pragma once

#include "tlm/base/format_field.h"

namespace gputlm::ncu {

inline FileFormat format{"Nsight Compute, CSV", "ncu --csv", "2022.3 to 2025.3"};

inline constexpr const char* kCli = "Nsight Compute CLI, --csv, --page, --print-summary";
inline constexpr const char* kGuide = "Nsight Compute, Kernel Profiling Guide, Metrics Reference";
inline constexpr const char* kPipelines = "Nsight Compute, Kernel Profiling Guide, Pipelines";
inline constexpr const char* kComparison = "Nsight Compute CLI, nvprof Transition Guide, Metric Comparison";
inline constexpr const char* kSections = "Nsight Compute, section files: header of SpeedOfLight.section";

// --- Columns ---
inline constexpr const char* kColumns = "columns";
inline const FormatField kId(format, kColumns, "ID", "number of the launch, in the program's order", "",
                             "from 0 on; with the process; empty in the line of units", kCli);
inline const FormatField kProcess(format, kColumns, "Process ID", "process", "", "of the launch, or of a summary",
                                  kCli);
inline const FormatField kKernelName(format, kColumns, "Kernel Name", "name of the kernel", "",
                                     "as --print-kernel-base says: demangled, function or mangled", kCli);
inline const FormatField kBlockSize(format, kColumns, "Block Size", "threads of a block", "threads", "(256, 1, 1)",
                                    kCli);
inline const FormatField kGridSize(format, kColumns, "Grid Size", "blocks of the grid", "blocks", "(16385, 1, 1)",
                                   kCli);
inline const FormatField kMetricName(format, kColumns, "Metric Name", "metric, or its name on the page", "",
                                     "a form with a row for each metric", kCli);
inline const FormatField kMetricUnit(format, kColumns, "Metric Unit", "unit of the value", "",
                                     "with a prefix of 1000: Kbyte, usecond, Ghz; empty: as the metric is defined",
                                     kCli);
inline const FormatField kMetricValue(format, kColumns, "Metric Value", "value", "as Metric Unit",
                                      "1,234.5; n/a, N/A, nan or nothing: not measured", kCli);
inline const FormatField kInvocations(format, kColumns, "Invocations", "launches that a row sums up", "launches",
                                      "from 1 on; only of --print-summary", kCli);
inline const FormatField kAverage(format, kColumns, "Average", "mean over these launches", "as Metric Unit",
                                  "as Metric Value; only of --print-summary", kCli);

// --- Metrics ---
inline constexpr const char* kMetrics = "metrics";
inline const FormatField kTime(format, kMetrics, "gpu__time_duration.sum", "time of the launch", "ns", "", kGuide);
inline const FormatField kTimeMean(format, kMetrics, "gpu__time_duration.avg", "time of the launch", "ns", "", kGuide);
inline const FormatField kSmRate(format, kMetrics, "sm__cycles_elapsed.avg.per_second", "clock of the SMs", "cycles/s",
                                 "", kGuide);
inline const FormatField kSmspRate(format, kMetrics, "smsp__cycles_elapsed.avg.per_second", "clock of the SMs",
                                   "cycles/s", "", kGuide);
inline const FormatField kGpcRate(format, kMetrics, "gpc__cycles_elapsed.avg.per_second", "clock of the SMs",
                                  "cycles/s", "", kGuide);
inline const FormatField kGpcCycles(format, kMetrics, "gpc__cycles_elapsed.max", "cycles of the launch, for the clock",
                                    "cycles", "", kGuide);
inline const FormatField kSmCycles(format, kMetrics, "sm__cycles_elapsed.max", "cycles of the launch, for the clock",
                                   "cycles", "", kGuide);
inline const FormatField kSmCyclesMean(format, kMetrics, "sm__cycles_elapsed.avg",
                                       "cycles of the launch, for the clock", "cycles", "", kGuide);
inline const FormatField kSmspInstructions(format, kMetrics, "smsp__inst_executed.sum", "warp instructions executed",
                                           "instructions", "", kComparison);
inline const FormatField kSmInstructions(format, kMetrics, "sm__inst_executed.sum", "warp instructions executed",
                                         "instructions", "", kGuide);

inline const FormatField kFma(format, kMetrics, "sm__inst_executed_pipe_fma.sum", "FP32, IMAD and IMUL", "instructions",
                              "", kPipelines);
inline const FormatField kFp16(format, kMetrics, "sm__inst_executed_pipe_fp16.sum", "FP16, if it has its own pipe",
                               "instructions", "", kPipelines);
inline const FormatField kAlu(format, kMetrics, "sm__inst_executed_pipe_alu.sum", "integer and logic", "instructions",
                              "", kPipelines);
inline const FormatField kUniform(format, kMetrics, "sm__inst_executed_pipe_uniform.sum", "uniform data path",
                                  "instructions", "", kPipelines);
inline const FormatField kFp64(format, kMetrics, "sm__inst_executed_pipe_fp64.sum", "FP64", "instructions", "",
                               kPipelines);
inline const FormatField kXu(format, kMetrics, "sm__inst_executed_pipe_xu.sum", "transcendental and conversions",
                             "instructions", "", kPipelines);
inline const FormatField kTensor(format, kMetrics, "sm__inst_executed_pipe_tensor.sum", "matrix instructions",
                                 "instructions", "", kPipelines);
inline const FormatField kHmma(format, kMetrics, "sm__inst_executed_pipe_tensor_op_hmma.sum",
                               "matrix instructions, FP16 to TF32", "instructions", "where there is no sum of all",
                               kPipelines);
inline const FormatField kImma(format, kMetrics, "sm__inst_executed_pipe_tensor_op_imma.sum",
                               "matrix instructions, integer", "instructions", "", kPipelines);
inline const FormatField kDmma(format, kMetrics, "sm__inst_executed_pipe_tensor_op_dmma.sum",
                               "matrix instructions, FP64", "instructions", "", kPipelines);
inline const FormatField kLsu(format, kMetrics, "sm__inst_executed_pipe_lsu.sum", "loads, stores, atomics, shuffles",
                              "instructions", "", kPipelines);
inline const FormatField kCbu(format, kMetrics, "sm__inst_executed_pipe_cbu.sum", "branches and convergence",
                              "instructions", "", kPipelines);
inline const FormatField kAdu(format, kMetrics, "sm__inst_executed_pipe_adu.sum", "divergent branches, barriers",
                              "instructions", "", kPipelines);

inline const FormatField kShared(format, kMetrics, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
                                 "cycles of shared memory", "wavefronts", "", kGuide);
inline const FormatField kSharedLoads(format, kMetrics, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                      "cycles of shared memory for loads", "wavefronts",
                                      "with stores: where there is no sum", kComparison);
inline const FormatField kSharedStores(format, kMetrics, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                                       "cycles of shared memory for stores", "wavefronts", "", kComparison);
inline const FormatField kL1Sectors(format, kMetrics, "l1tex__t_sectors_pipe_lsu.sum",
                                    "sectors looked up by loads, stores and atomics", "sectors", "", kGuide);
inline const FormatField kL1All(format, kMetrics, "l1tex__t_sectors.sum", "sectors looked up, including textures",
                                "sectors", "", kGuide);
inline const FormatField kGlobalLoads(format, kMetrics, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                      "sectors of global loads", "sectors",
                                      "with stores and what is local: where there is no sum", kComparison);
inline const FormatField kGlobalStores(format, kMetrics, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                                       "sectors of global stores", "sectors", "", kComparison);
inline const FormatField kGlobalAtomics(format, kMetrics, "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
                                        "sectors of global atomics", "sectors", "", kComparison);
inline const FormatField kGlobalReductions(format, kMetrics, "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
                                           "sectors of global reductions", "sectors", "", kComparison);
inline const FormatField kLocalLoads(format, kMetrics, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
                                     "sectors of local loads", "sectors", "", kComparison);
inline const FormatField kLocalStores(format, kMetrics, "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
                                      "sectors of local stores", "sectors", "", kComparison);
inline const FormatField kL1HitRate(format, kMetrics, "l1tex__t_sector_hit_rate.pct",
                                    "share of sectors that hit in the L1", "%", "above 100: as 100", kGuide);

inline const FormatField kTexReads(format, kMetrics, "lts__t_sectors_srcunit_tex_op_read.sum", "sectors read by SMs",
                                   "sectors", "preferred: not what goes between two halves of an L2", kComparison);
inline const FormatField kReads(format, kMetrics, "lts__t_sectors_op_read.sum", "sectors read by any unit", "sectors",
                                "", kComparison);
inline const FormatField kTexWrites(format, kMetrics, "lts__t_sectors_srcunit_tex_op_write.sum",
                                    "sectors written by SMs", "sectors", "preferred", kComparison);
inline const FormatField kTexAtomics(format, kMetrics, "lts__t_sectors_srcunit_tex_op_atom.sum",
                                     "sectors of the SMs' atomics", "sectors", "as writes", kComparison);
inline const FormatField kTexReductions(format, kMetrics, "lts__t_sectors_srcunit_tex_op_red.sum",
                                        "sectors of the SMs' reductions", "sectors", "as writes", kComparison);
inline const FormatField kWrites(format, kMetrics, "lts__t_sectors_op_write.sum", "sectors written by any unit",
                                 "sectors", "", kComparison);
inline const FormatField kAtomics(format, kMetrics, "lts__t_sectors_op_atom.sum", "sectors of atomics", "sectors",
                                  "as writes", kComparison);
inline const FormatField kReductions(format, kMetrics, "lts__t_sectors_op_red.sum", "sectors of reductions", "sectors",
                                     "as writes", kComparison);
inline const FormatField kL2HitRate(format, kMetrics, "lts__t_sector_hit_rate.pct",
                                    "share of sectors that hit in the L2", "%", "above 100: as 100", kComparison);
inline const FormatField kDramRead(format, kMetrics, "dram__bytes_read.sum", "bytes read from DRAM", "B", "",
                                   kComparison);
inline const FormatField kDramOpRead(format, kMetrics, "dram__bytes_op_read.sum", "bytes read from DRAM", "B",
                                     "compute capability 10.0 and above", kGuide);
inline const FormatField kDramSectorsRead(format, kMetrics, "dram__sectors_read.sum", "sectors read from DRAM",
                                          "sectors of 32 B", "", kComparison);
inline const FormatField kDramWritten(format, kMetrics, "dram__bytes_write.sum", "bytes written to DRAM", "B", "",
                                      kComparison);
inline const FormatField kDramOpWritten(format, kMetrics, "dram__bytes_op_write.sum", "bytes written to DRAM", "B",
                                        "compute capability 10.0 and above", kGuide);
inline const FormatField kDramSectorsWritten(format, kMetrics, "dram__sectors_write.sum", "sectors written to DRAM",
                                             "sectors of 32 B", "", kComparison);
inline const FormatField kWarpsActive(format, kMetrics, "sm__warps_active.avg.pct_of_peak_sustained_active",
                                      "share of warp slots in use, on SMs with at least one warp", "%",
                                      "above 100: as 100", kComparison);
inline const FormatField kGridCount(format, kMetrics, "launch__grid_size", "blocks of the grid", "blocks",
                                    "where there is no column Grid Size", kGuide);
inline const FormatField kBlockCount(format, kMetrics, "launch__block_size", "threads of a block", "threads",
                                     "where there is no column Block Size", kGuide);

// --- The same metrics, as named on the pages ---
inline constexpr const char* kPage = "names on the page";
inline const FormatField kPageTime(format, kPage, "Duration", "gpu__time_duration.sum", "ns", "", kSections);
inline const FormatField kPageRate(format, kPage, "SM Frequency", "clock of the SMs", "cycles/s", "", kSections);
inline const FormatField kPageCycles(format, kPage, "Elapsed Cycles", "cycles of the launch", "cycles", "", kSections);
inline const FormatField kPageInstructions(format, kPage, "Executed Instructions", "smsp__inst_executed.sum",
                                           "instructions", "", "Nsight Compute, InstructionStats.section");
inline const FormatField kPageL1(format, kPage, "L1/TEX Hit Rate", "l1tex__t_sector_hit_rate.pct", "%", "",
                                 "Nsight Compute, MemoryWorkloadAnalysis.section");
inline const FormatField kPageL2(format, kPage, "L2 Hit Rate", "lts__t_sector_hit_rate.pct", "%", "",
                                 "Nsight Compute, MemoryWorkloadAnalysis.section");
inline const FormatField kPageWarps(format, kPage, "Achieved Occupancy",
                                    "sm__warps_active.avg.pct_of_peak_sustained_active", "%", "",
                                    "Nsight Compute, Occupancy.section");
inline const FormatField kPageGrid(format, kPage, "Grid Size", "launch__grid_size", "blocks of the grid", "",
                                   "Nsight Compute, LaunchStatistics.section");
inline const FormatField kPageBlock(format, kPage, "Block Size", "launch__block_size", "threads", "",
                                    "Nsight Compute, LaunchStatistics.section");

}  // namespace gputlm::ncu
