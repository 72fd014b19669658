#include <set>
#include <stdexcept>
#include <utility>

#include "models/kernel/launch.h"
#include "models/policy/policy.h"
#include "models/sm/banks.h"
#include "platform/input/parameters.h"
#include "tlm/access.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr std::uint64_t kMaxCycles = 1000000;  // maximum latency: far beyond any GPU, far below an overflow
constexpr std::uint64_t kMaxQueue = 4096;      // maximum entries of a queue: memory is allocated for all of them
constexpr std::uint64_t kMaxCacheBytes = 1ull << 30;
constexpr std::uint64_t kMaxTiming = 4000;  // command cycles: sums of three fit into the controller's 14 bits

constexpr auto kAny = Field::Shape::kAny;
constexpr auto kPowerOfTwo = Field::Shape::kPowerOfTwo;
constexpr auto kWholeWarps = Field::Shape::kMultipleOf32;

// The key of a parameter is its path in GpuConfig, spelled once.
// NOLINTBEGIN(bugprone-macro-parentheses): a path cannot stand in parentheses.
#define POINTER(path) [](GpuConfig& config) -> ValuePointer { return &config.path; }
#define NUMBER(path, unit, least, most, shape, meaning) \
  Parameter { {#path, unit, meaning, least, most, {}, {}, shape}, {}, POINTER(path) }
#define SWITCH(path, meaning) \
  Parameter { {#path, {}, meaning}, {}, POINTER(path) }
#define NAME(path, decision, meaning) \
  Parameter { {#path, {}, meaning}, decision, POINTER(path) }
#define PIPE(path, what)                                                                       \
  NUMBER(path.interval, "cycles", 1, 1024, kAny, what ": time between two warp instructions"), \
      NUMBER(path.latency, "cycles", 1, 65536, kAny, what ": time from issue until a dependent instruction can issue")
#define TIMING(member, meaning) NUMBER(dram.timing.member, "command cycles", 0, kMaxTiming, kAny, meaning)
#define UNKNOWN(path, unit, most, meaning) \
  Parameter { {#path, unit, meaning, 0, most}, {}, POINTER(path), true }
#define ENERGY(member, unit, most, meaning) UNKNOWN(dram.energy.member, unit, most, meaning)
#define MIG_SMS(member, profile) UNKNOWN(mig.member, "SMs", kMaxSms, "SMs of " profile "; 0: all of its GPCs")
// NOLINTEND(bugprone-macro-parentheses)

std::vector<Parameter> gpu_parameters() {
  return {
      NAME(name, "", "Name of the GPU in reports"),
      NUMBER(sms, "", 1, kMaxSms, kAny, "Streaming multiprocessors (SMs)"),
      NUMBER(sms_per_gpc, "", 1, 256, kAny, "SMs that share a GPC's port; the last GPC may have fewer"),
      NAME(gpc_sms, "", "SMs of each GPC if they differ, 18+18+16, up to sms_per_gpc; even: sms_per_gpc each"),
      NUMBER(core_mhz, "MHz", 1, 20000, kAny,
             "Clock of SMs and work distributor, and of crossbar and L2 if noc.mhz is 0"),

      NAME(sm.model, "SM model", "Model of the SMs"),
      NAME(sm.durations, "", "File of block durations (gputlm calibrate), for a model that needs it; or none"),
      NUMBER(sm.threads, "threads", 32, 4096, kWholeWarps, "Resident threads per SM"),
      NUMBER(sm.warps, "warps", 1, 128, kAny, "Resident warps per SM"),
      NUMBER(sm.blocks, "blocks", 1, 128, kAny, "Resident blocks per SM"),
      NUMBER(sm.registers, "registers", 1, 1048576, kAny, "32-bit registers per SM"),
      NUMBER(sm.register_granularity, "registers", 1, 65536, kAny,
             "Granularity in which a warp's registers are allocated"),
      NUMBER(sm.shared_memory, "bytes", 0, 1048576, kAny, "Shared memory per SM"),
      NUMBER(sm.driver_shared_memory, "bytes", 0, 65536, kAny,
             "Shared memory that the driver reserves for each block, in addition to the block's own"),
      NAME(sm.carveout, "carve-out",
           "How shared memory and L1 share an array; they are separate arrays if sm.l1.bytes or sm.shared_memory is "
           "set to a size other than that of the array or its largest part"),
      NUMBER(sm.max_threads_per_block, "threads", 32, 4096, kWholeWarps, "Maximum threads of a block"),
      NUMBER(sm.sub_cores, "", 1, 16, kAny, "Sub-cores, each with one warp scheduler"),
      NAME(sm.warp_scheduler, "warp order", "Which ready warp issues"),
      NUMBER(sm.branch_latency, "cycles", 0, 65536, kAny,
             "Time from a taken branch until the warp's next instruction can issue, since its instruction buffer is "
             "empty; 0: none"),
      SWITCH(sm.fp_int_shared, "FP32 and INT are one pipeline (before Volta)"),
      PIPE(sm.fp32, "FP32 pipe"),
      PIPE(sm.integer, "INT pipe"),
      PIPE(sm.fp64, "FP64 pipe"),
      PIPE(sm.sfu, "Special-function pipe"),
      PIPE(sm.tensor, "Tensor pipe"),
      PIPE(sm.load_store, "Load/store issue"),
      PIPE(sm.control, "Branch and control pipe"),
      NUMBER(sm.lsu_queue, "instructions", 1, 1024, kAny, "Memory instructions waiting for the SM's load/store unit"),
      NUMBER(sm.shared_latency, "cycles", 1, 65536, kAny, "Shared-memory access without bank conflicts"),
      NUMBER(sm.shared_banks, "banks", 1, kMaxBanks, kPowerOfTwo, "Shared-memory banks, four bytes wide"),
      NUMBER(sm.constant_latency, "cycles", 1, 65536, kAny, "Constant access; always hits"),
      NUMBER(sm.launch_fetch_latency, "cycles", 0, 65536, kAny,
             "Time until a launch's first block on an SM can issue, in which instructions and parameters are fetched; "
             "0: none"),
      NUMBER(sm.tma_latency, "cycles", 1, 65536, kAny, "Time from the issue of a copy by TMA to its first request"),
      NUMBER(sm.fence_latency, "cycles", 0, 65536, kAny, "Memory fence by a warp without outstanding accesses"),
      NUMBER(sm.l1.bytes, "bytes", 128, kMaxCacheBytes, kAny,
             "Size of an SM's L1 data cache; with a carve-out, of the array that includes shared memory"),
      NUMBER(sm.l1.ways, "ways", 1, 1024, kAny, "L1 associativity"),
      NAME(sm.l1.set_index, "L1 set index", "How the address of a line becomes its set in the L1"),
      NAME(sm.l1.replacement, "L1 replacement", "Which line of a set of the L1 makes room for another"),
      NAME(sm.l1.stores, "L1 stores", "Effect of stores on the L1, which writes through"),
      NUMBER(sm.l1.store_bytes, "bytes/cycle", kSectorBytes, kLineBytes, kPowerOfTwo,
             "Bandwidth at which the L1 accepts stores"),
      NUMBER(sm.l1.tag_lines, "lines/cycle", 1, kWarpSize, kPowerOfTwo,
             "Lines that the tags of the L1 look up: one for each of this many parts of a warp"),
      SWITCH(sm.l1.banked,
             "L1 and shared memory are one array (since Volta): loads and stores of the L1 occupy its banks"),
      NUMBER(sm.l1.fill_bytes, "bytes", kSectorBytes, kLineBytes, kPowerOfTwo,
             "Bytes fetched by a miss: from a sector to a line"),
      NUMBER(sm.l1.hit_latency, "cycles", 1, 65536, kAny,
             "L1 hit: time from issue until a dependent instruction can issue"),
      NUMBER(sm.l1.fill_latency, "cycles", 1, 65536, kAny,
             "L1 miss: time from the reply until a dependent instruction can issue"),
      SWITCH(sm.l1.invalidate_at_kernel_start, "A kernel's first block on an SM empties its L1"),
      NUMBER(sm.l1.mshrs, "lines", 1, kMaxQueue, kAny, "L1 lines with an outstanding miss"),
      NUMBER(sm.l1.mshr_merges, "accesses", 1, 256, kAny, "Accesses merged into one outstanding L1 line"),
      NUMBER(sm.l1.queue, "packets", 2, kMaxQueue, kAny,
             "Misses and stores waiting for the GPC port; a line may need two"),
      NUMBER(sm.tlb.entries, "pages", 1, kMaxQueue, kAny, "Entries of an SM's TLB, if mmu.enabled"),
      NUMBER(sm.tlb.ways, "ways", 1, kMaxQueue, kAny, "Associativity of that TLB"),
      NUMBER(sm.tlb.misses, "pages", 1, 256, kAny, "Pages with an outstanding miss in an SM's TLB"),
      NUMBER(sm.tlb.miss_merges, "lines", 1, kMaxQueue, kAny, "Lines that wait for one of these pages"),

      NUMBER(cluster_network.hop_latency, "cycles", 1, 100000, kAny,
             "Core cycles between an SM and its GPC's network for clusters, each way; bounds the look-ahead"),
      NUMBER(cluster_network.bytes, "bytes/cycle", 1, 1024, kAny, "Bandwidth of an SM there, in each direction"),
      NUMBER(cluster_network.multicast_bytes, "bytes/cycle", 1, 1024, kAny, "The same for the data of multicasts"),
      NUMBER(cluster_network.queue, "packets", 1, kMaxQueue, kAny, "Capacity of each end of a link to it"),
      NUMBER(noc.flit_bytes, "bytes", 1, 1024, kAny, "Payload and header of one flit"),
      NUMBER(noc.header_bytes, "bytes", 0, 1024, kAny, "Header of a packet"),
      NUMBER(noc.mhz, "MHz", 0, 20000, kAny, "Clock of GPC ports, crossbar and L2 slices; 0: that of the SMs"),
      NUMBER(noc.hop_latency, "cycles", 1, 100000, kAny,
             "Core cycles of a flit between two units, each way; bounds the look-ahead"),
      NUMBER(noc.queue, "packets", 1, kMaxQueue, kAny,
             "Capacity of an input for each flit per cycle of its link; more than 2 hop_latency for full rate"),
      NUMBER(noc.gpc_request_flits, "flits/cycle", 1, 256, kAny, "Bandwidth from a GPC port to the crossbar"),
      NUMBER(noc.gpc_reply_flits, "flits/cycle", 1, 256, kAny, "Bandwidth from the crossbar to a GPC port"),
      NUMBER(noc.slice_flits, "flits/cycle", 1, 256, kAny, "Bandwidth to and from an L2 slice, each"),
      NAME(noc.arbiter, "crossbar output", "Which packet leaves an output of the crossbar next, in both directions"),
      NUMBER(noc.partition_latency, "cycles", 1, 10000, kAny,
             "Additional latency, each way, between the halves of a GPU with l2.partitions=2; in cycles of noc.mhz"),
      NAME(noc.regulator, "bandwidth regulator", "Which requests wait if an application has a memory budget"),
      NAME(noc.regulator_place, "regulator place", "Where memory budgets are enforced"),
      NUMBER(noc.partition_flits, "flits/cycle", 1, 1024, kAny, "Bandwidth between these halves, each way"),

      SWITCH(l2.enabled, "Whether there is an L2; without one, requests pass to DRAM unchanged"),
      NUMBER(l2.bytes, "bytes", 128, kMaxCacheBytes, kAny, "L2 cache of the whole GPU, divided evenly over the slices"),
      NUMBER(l2.ways, "ways", 1, 1024, kAny, "L2 associativity"),
      NAME(l2.set_index, "L2 set index", "How the address of a line becomes its set in an L2 slice"),
      NAME(l2.replacement, "L2 replacement", "Which line of a set of the L2 makes room for another"),
      SWITCH(l2.write_through, "Writes go to DRAM immediately; off: when the line is replaced"),
      NUMBER(l2.fill_bytes, "bytes", kSectorBytes, kLineBytes, kPowerOfTwo,
             "Bytes fetched and written back together: from a sector to a line"),
      NUMBER(l2.slices_per_channel, "slices", 1, kMaxSlicesOfChannel, kAny, "L2 slices per memory channel"),
      NUMBER(l2.partitions, "partitions", 1, kMaxL2Partitions, kAny,
             "2: a line is placed in the half of the GPU that requests it first, far from the other half"),
      SWITCH(l2.copies,
             "With l2.partitions=2: a half keeps what it reads from the other half, in ways that no line occupies"),
      NUMBER(l2.persisting_share, "", 0, 1, kAny,
             "Share of l2.bytes that applications may set aside for persisting accesses; 0: none"),
      NUMBER(l2.banks, "banks", 1, kMaxL2Banks, kPowerOfTwo, "Banks of a slice; each serves one request per cycle"),
      NUMBER(l2.data_sectors, "sectors/cycle", 0, 32, kAny,
             "Sectors of 32 bytes that a slice's data array moves, reads and writes together; 0: unlimited"),
      NUMBER(l2.latency, "cycles", 1, 10000, kAny, "Latency of a hit in the slice, in cycles of noc.mhz"),
      NUMBER(l2.mshrs, "lines", 1, kMaxL2Mshrs, kAny, "Lines of a slice with an outstanding fill"),
      NUMBER(l2.mshr_merges, "requests", 1, kMaxL2MshrMerges, kAny, "Requests merged into one outstanding line"),
      NUMBER(l2.queue, "packets", 1, kMaxQueue, kAny, "Packets waiting at a slice's input"),
      NUMBER(l2.applications, "applications", 1, 8, kAny,
             "Number of applications with a share each of a slice's input queue and MSHRs, by number modulo this; 1: "
             "everything is shared"),

      NUMBER(address_map.interleave, "bytes", kLineBytes, 1048576, kPowerOfTwo, "Consecutive bytes in one slice"),
      SWITCH(address_map.channel_hash, "Rotate the slice order by a hash of the upper bits, against partition camping"),

      NUMBER(dram.channels, "channels", 1, kMaxDramChannels, kAny, "Memory channels, one controller each"),
      NUMBER(dram.command_mhz, "MHz", 1, 20000, kAny, "Command clock"),
      NUMBER(dram.burst_bytes, "bytes", kMinBurst, kMaxBurst, kPowerOfTwo, "Bytes moved by one column command"),
      NUMBER(dram.bus_bits, "bits", 8, 1024, kPowerOfTwo, "Data pins of a channel"),
      NUMBER(dram.bits_per_cycle, "bits", 1, 16, kPowerOfTwo,
             "Bits moved by a data pin per command cycle: 4 for GDDR5 (WCK is twice CK, both edges), 2 for HBM"),
      NUMBER(dram.command_buses, "buses", 1, kMaxCommandBuses, kAny,
             "Command buses: one, or one for rows and one for columns (HBM)"),
      NUMBER(dram.banks, "banks", 1, kMaxDramBanks, kPowerOfTwo, "Banks per channel"),
      NUMBER(dram.bank_groups, "groups", 1, kMaxDramBanks, kPowerOfTwo, "Bank groups per channel"),
      NUMBER(dram.row_bytes, "bytes", kLineBytes, kMaxRow, kPowerOfTwo, "Size of a row (page) of one bank"),
      NUMBER(dram.queue, "bursts", 4, 4096, kAny, "Requests the scheduler sees; reads only, with a write queue"),
      NUMBER(dram.write_queue, "bursts", 0, 4096, kAny,
             "Entries of a separate queue for writes; 0: one queue for reads and writes"),
      NUMBER(dram.write_high, "bursts", 0, 4096, kAny, "Pending writes at which writes take precedence over reads"),
      NUMBER(dram.write_low, "bursts", 0, 4096, kAny, "Pending writes down to which they keep it"),
      NUMBER(dram.input_queue, "accesses", 1, kMaxQueue, kAny, "Accesses waiting to enter the scheduler's queue"),
      NUMBER(dram.applications, "applications", 1, 8, kAny,
             "Number of applications that are admitted to the scheduler's queue separately, by number modulo this; 1: "
             "no distinction"),
      NUMBER(dram.reserved, "bursts", 0, 4096, kAny,
             "Entries of the queue reserved for each of them; the rest is shared"),
      NAME(dram.admission, "admission", "Whose access enters next"),
      SWITCH(dram.virtual_channels, "Virtual channels, each with its own path and input queue from the L2 slice on"),
      NAME(dram.scheduler, "memory request", "Which request of a bank is served next"),
      NUMBER(dram.row_hit_cap, "commands", 0, 255, kAny,
             "Column commands to an open row after which row hits lose precedence; 0: no cap"),
      NAME(dram.page, "page", "When a row is closed although no request waits to replace it"),
      NUMBER(dram.latency, "cycles", 1, kMaxCycles, kAny, "Core cycles between L2 slice and controller, each way"),
      NAME(dram.address_map, "",
           "Fields of an address from its highest bit down: r row, b bank of its group, g group, c column, o byte; or "
           "default (lines alternate over the groups), bursts (bursts alternate)"),
      SWITCH(dram.bank_hash, "XOR the bank with row bits, against bank camping"),
      NUMBER(dram.timing.tCL, "command cycles", 1, kMaxTiming, kAny, "Read command to its data (CAS latency)"),
      NUMBER(dram.timing.tWL, "command cycles", 0, kMaxTiming, kAny, "Write command to its data"),
      TIMING(tRCDRD, "Activate to read"),
      TIMING(tRCDWR, "Activate to write"),
      TIMING(tRP, "Precharge to activate"),
      TIMING(tRAS, "Activate to precharge"),
      TIMING(tRC, "Activate to activate, same bank"),
      TIMING(tRRDS, "Activate to activate, different banks"),
      TIMING(tRRDL, "Activate to activate, same bank group; at least tRRDS, or 0: none"),
      TIMING(tFAW, "Window with at most four activates; 0: none"),
      NUMBER(dram.timing.tCCDS, "command cycles", 1, kMaxTiming, kAny, "Column to column command; at least a burst"),
      TIMING(tCCDL, "Column to column command, same bank group; at least tCCDS, or 0: none"),
      TIMING(tWTRS, "End of write data to read"),
      TIMING(tWTRL, "End of write data to read, same bank group; at least tWTRS, or 0: none"),
      TIMING(tRTW, "End of read data to write data (bus turnaround)"),
      TIMING(tWR, "End of write data to precharge"),
      TIMING(tRTP, "Read to precharge (tRTPL with bank groups, tRTPS without)"),
      NUMBER(dram.timing.tREFI, "command cycles", 0, kMaxCycles, kAny,
             "Time between two refreshes of all banks; 0: none"),
      TIMING(tRFC, "Time of a refresh of all banks; 0: none"),
      ENERGY(activate_pj, "pJ", 1000000, "Energy of an activate and its precharge; all energies 0: not known"),
      ENERGY(read_pj, "pJ", 1000000, "Energy of a read burst"),
      ENERGY(write_pj, "pJ", 1000000, "Energy of a written burst"),
      ENERGY(refresh_pj, "pJ", 100000000, "Energy of a refresh of all banks"),
      ENERGY(background_mw, "mW", 1000000, "Background power of a channel"),

      NAME(work_distributor.application, "application", "Which applications may be on the execution engine"),
      NAME(work_distributor.kernel_order, "kernel order", "Which kernel's block goes next"),
      NAME(work_distributor.placement, "placement", "Which SM gets it"),
      NAME(work_distributor.division, "division", "Which SMs a block may join if L1 and shared memory are one array"),
      NAME(work_distributor.sm_order, "sm order", "Order of the SMs in which ties are broken"),
      NAME(work_distributor.cluster_placement, "cluster placement", "Which GPC gets a cluster of blocks"),
      SWITCH(work_distributor.clusters_keep_gpc, "A cluster for which no GPC has room keeps later blocks off one GPC"),
      NUMBER(work_distributor.cluster_blocks, "blocks", 1, 64, kAny, "Maximum blocks of a cluster"),
      NUMBER(work_distributor.non_portable_cluster_blocks, "blocks", 1, 64, kAny,
             "The same for kernels with non_portable_cluster; 1: no clusters, blocks are placed one by one"),
      NUMBER(work_distributor.kernels_in_flight, "kernels", 1, 65536, kAny,
             "Kernels in flight per context; further launches wait at the host"),
      NUMBER(work_distributor.dispatch_interval, "cycles", 1, kMaxCycles, kAny,
             "Time between two dispatches of blocks"),
      NUMBER(work_distributor.dispatch_width, "blocks", 1, 256, kAny,
             "Maximum blocks sent in one dispatch, each to another SM"),
      NUMBER(work_distributor.launch_latency, "cycles", 1, kMaxCycles, kAny,
             "Latency from work distributor to SM, and back"),
      NUMBER(work_distributor.host_latency, "cycles", 1, kMaxCycles, kAny,
             "Latency from host to work distributor, and back"),
      NUMBER(work_distributor.host_ns, "ns", 0, 1000000, kAny,
             "The same as a time independent of core_mhz, rounded up to cycles; 0: host_latency"),
      NUMBER(work_distributor.kernel_launch_latency, "cycles", 0, kMaxCycles, kAny,
             "Time from a kernel's arrival until its blocks may be sent, in which the launch is prepared"),
      NUMBER(work_distributor.kernel_completion_latency, "cycles", 0, kMaxCycles, kAny,
             "Time from the end of its last block until the host is notified, in which its writes become visible"),
      NUMBER(work_distributor.shared_memory_threshold, "bytes", 0, 1048576, kAny,
             "Shared memory per block up to which it does not affect placement"),
      NUMBER(work_distributor.shared_memory_granularity, "bytes", 1, 65536, kPowerOfTwo,
             "Granularity in which shared memory counts"),
      NUMBER(work_distributor.registers_threshold, "registers", 0, 1024, kAny,
             "Registers per thread up to which they do not affect placement"),
      NUMBER(work_distributor.priorities, "levels", 1, 128, kAny,
             "Number of stream priorities: 0 is the lowest, -1 and so on are more urgent"),

      NUMBER(host.call_cycles, "cycles", 0, kMaxCycles, kAny,
             "Core cycles that a host thread spends in a call: launch, copy, event, synchronization"),
      NUMBER(host.launch_queue, "commands", 0, 1048576, kAny,
             "Maximum unfinished launches and copies of a stream; a call for a further one waits; 0: unlimited"),

      NUMBER(copy_engine.engines, "engines", 1, 64, kAny,
             "Number of copies that run at once, in addition to one by the SMs"),
      NUMBER(copy_engine.bytes_per_cycle, "bytes/cycle", 1, 65536, kAny, "Bandwidth of an engine"),
      NUMBER(copy_engine.pageable_bytes_per_cycle, "bytes/cycle", 1, 65536, kAny,
             "Bandwidth of a copy from or to pageable memory: the CPU copies through a pinned buffer"),
      NUMBER(copy_engine.staging, "bytes", 0, Bytes{1} << 40, kAny,
             "Largest copy that fits into the driver's pinned buffer: a staged one is as fast as from pinned memory"),
      NUMBER(copy_engine.setup, "cycles", 0, kMaxCycles, kAny, "Time from accepting a copy to its first request"),
      NUMBER(copy_engine.packet, "bytes", 128, 256, kPowerOfTwo, "Size of a packet, which is read, then written"),
      NUMBER(copy_engine.packets, "packets", 1, kMaxQueue, kAny, "Packets in flight, over all engines"),
      NUMBER(
          copy_engine.sm_bytes, "bytes", 0, 16384, kAny,
          "Bytes in flight per SM for a copy within the device or a memset, which the SMs perform; 0: an engine does"),
      NUMBER(copy_engine.sm_setup, "cycles", 0, kMaxCycles, kAny,
             "Time from accepting such a copy to its first requests"),
      NUMBER(copy_engine.detail, "bytes", Bytes{4} << 20, Bytes{1} << 40, kPowerOfTwo,
             "Bytes simulated packet by packet at both ends of a copy alone on the GPU; the rest takes as long"),
      SWITCH(copy_engine.learn,
             "If no kernel of a run uses memory, copies advance at the pace of earlier ones, without packets"),
      NUMBER(copy_engine.sample, "bytes", 65536, Bytes{1} << 40, kAny,
             "Bytes simulated packet by packet to learn the pace of concurrent copies"),
      NUMBER(host_link.lanes, "lanes", 0, 64, kAny, "Lanes to the host; 0: none, CPU and GPU share the DRAM"),
      NUMBER(host_link.lane_gbits, "Gbit/s", 1, 1000, kAny,
             "Rate of a lane in 10^9 bits per second, each direction, after coding: 7.877 in PCI Express 3.0"),
      NUMBER(host_link.payload, "bytes", 32, 4096, kPowerOfTwo, "Maximum data of a packet"),
      NUMBER(host_link.header, "bytes", 0, 1024, kAny, "Header of a packet"),
      NUMBER(host_link.latency, "cycles", 1, kMaxCycles, kAny, "Latency in core cycles, each way"),
      NUMBER(host_link.queue, "packets", 1, kMaxQueue, kAny, "Requests in flight, and capacity of each end"),
      NUMBER(host_memory.gb_per_s, "GB/s", 1, 10000, kAny, "Bandwidth of the host's memory"),
      NUMBER(host_memory.latency, "cycles", 1, kMaxCycles, kAny, "Latency in core cycles"),

      SWITCH(mmu.enabled, "Addresses are translated, and managed memory migrates between host and GPU"),
      NUMBER(mmu.page_bytes, "bytes", 4096, 2097152, kPowerOfTwo, "Size of a page"),
      NUMBER(mmu.tlb_entries, "pages", 1, 1048576, kAny, "Entries of the L2 TLB, which all SMs share"),
      NUMBER(mmu.tlb_ways, "ways", 1, kMaxQueue, kAny, "Associativity of that TLB"),
      NUMBER(mmu.tlb_latency, "cycles", 1, 10000, kAny, "Latency of a lookup in it; one may begin per cycle"),
      NUMBER(mmu.walkers, "walks", 1, kMaxQueue, kAny, "Maximum simultaneous page-table walks"),
      NUMBER(mmu.levels, "levels", 1, 6, kAny, "Levels of the page table, each a read of a walk"),
      NUMBER(mmu.table_entries, "entries", 2, 4096, kPowerOfTwo, "Entries of a page-table page, 8 bytes each"),
      NUMBER(mmu.walk_cache_entries, "entries", 1, kMaxQueue, kAny,
             "Page-table pages that a walk finds without a read"),
      NUMBER(mmu.fault_buffer, "faults", 1, 1048576, kAny, "Far faults that the fault buffer holds"),
      NUMBER(mmu.batch_faults, "faults", 1, kMaxQueue, kAny, "Maximum faults that the host handles together"),
      NUMBER(mmu.batch_ns, "ns", 0, 1000000000, kAny, "Time from an interrupt until the host reads a batch of faults"),
      NUMBER(mmu.fault_ns, "ns", 0, 1000000000, kAny, "Host time per fault of a batch"),
      NUMBER(mmu.prefetch_bytes, "bytes", 4096, 2097152, kPowerOfTwo,
             "Bytes migrated together: from a page to a block"),
      NUMBER(mmu.prefetch_percent, "%", 1, 100, kAny,
             "Share of a region within a block above which the whole region is fetched; 100: never"),
      NUMBER(mmu.block_bytes, "bytes", 4096, 2097152, kPowerOfTwo, "Bytes evicted together"),
      NUMBER(mmu.device_memory, "bytes", 4096, 1ull << 40, kAny, "Memory of the GPU for managed memory"),

      MIG_SMS(sms_1g, "profile 1g of instances"),
      MIG_SMS(sms_1g_double, "profile 1g with two eighths of the memory"),
      MIG_SMS(sms_2g, "profile 2g"),
      MIG_SMS(sms_3g, "profile 3g"),
      MIG_SMS(sms_4g, "profile 4g"),
      MIG_SMS(sms_7g, "profile 7g"),
  };
}

#undef POINTER
#undef NUMBER
#undef SWITCH
#undef NAME
#undef PIPE
#undef TIMING
#undef UNKNOWN
#undef ENERGY
#undef MIG_SMS

/// The policy options of a unit.
PolicyOptions& options_of(GpuConfig& config, const std::string& unit) {
  if (unit == "sm") return config.sm.options;
  if (unit == "noc") return config.noc.options;
  if (unit == "l2") return config.l2.options;
  if (unit == "dram") return config.dram.options;
  return config.work_distributor.options;
}

/// An option of a policy as a parameter of the unit.
Parameter option_parameter(const std::string& unit, const std::string& policy, const Field& option) {
  const std::string key = policy + "." + option.name;
  Parameter parameter{option, {}, [unit, key, value = *option.default_value](GpuConfig& config) {
                        return std::visit([](auto& set) -> ValuePointer { return &set; },
                                          options_of(config, unit).at(key, value));
                      }};
  parameter.name = unit + "." + key;
  return parameter;
}

std::vector<Parameter> make_table() {
  std::vector<Parameter> table;
  std::set<std::string> keys;
  const auto append = [&](Parameter parameter) {
    if (!keys.insert(parameter.name).second) throw InputError("there are two parameters '" + parameter.name + "'");
    table.push_back(std::move(parameter));
  };
  for (const Parameter& parameter : gpu_parameters()) {
    append(parameter);
    if (parameter.decision.empty()) continue;
    const DecisionInfo& of = decision(parameter.decision);
    for (const PolicyInfo* const policy : of.policies()) {
      for (const Field& option : policy->options) {
        append(option_parameter(of.unit(), std::string(options_owner(policy->name)), option));
      }
    }
  }
  return table;
}

}  // namespace

const std::vector<ParameterGroup>& parameter_groups() {
  static const std::vector<ParameterGroup> groups = {
      {"", "The whole GPU", "platform/run"},
      {"sm", "Streaming multiprocessors (SMs): what they hold, pipelines, L1 and TLB", "models/sm"},
      {"cluster_network", "Network between the SMs of a GPC, for clusters of blocks", "models/cluster_network"},
      {"noc", "Network between SMs and L2: GPC ports and crossbar", "models/noc"},
      {"l2", "L2 cache", "models/l2"},
      {"address_map", "Which L2 slice and channel an address belongs to", "models/memory_map"},
      {"dram", "Memory controllers and DRAM", "models/dram"},
      {"work_distributor", "Work distributor: applications, kernels and blocks", "models/work_distributor"},
      {"host", "Host threads", "models/host"},
      {"copy_engine", "Copy engines", "models/copy_engine"},
      {"host_link", "Link between host and GPU", "models/host_link"},
      {"host_memory", "Memory of the host", "models/host_memory"},
      {"mmu", "Address translation and managed memory", "models/mmu"},
      {"mig", "Profiles of instances", "platform/run"},
  };
  return groups;
}

const ParameterGroup& group_of(const Parameter& parameter) {
  const std::size_t dot = parameter.name.find('.');
  const std::string name = dot == std::string::npos ? "" : parameter.name.substr(0, dot);
  for (const ParameterGroup& group : parameter_groups()) {
    if (group.name == name) return group;
  }
  throw std::logic_error("parameter '" + parameter.name + "' is of no group");
}

const std::vector<Parameter>& parameters() {
  static const std::vector<Parameter> table = make_table();
  return table;
}

}  // namespace gputlm
