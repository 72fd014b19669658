#include "tests/support/tutorial_captures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "tests/support/ncu_table.h"
#include "tests/support/nsight_export.h"

namespace gputlm {
namespace {

using captured::Shape;

constexpr double kBytesAUs = 2.4e6, kFlopsAUs = 300e6, kBeginUs = 2;
constexpr double kSectorBytes = 32, kWarpLoadBytes = 512, kFlopsOfHmma = 4096;

/// A launch, and what it asks of the hardware.
struct Launched {
  captured::Kernel kernel;
  double us = 0;
  double instructions = 0, fp32 = 0, integer = 0, tensor = 0, load_store = 0, control = 0, shared_wavefronts = 0;
  double read = 0, written = 0;  ///< bytes between L1 and L2
  double l2_hits = 0;            ///< share of these that the L2 has
  double warps = 0;              ///< % of the places, while there are any
};

/// One that streams through memory: `read` and `written` bytes, of which the L2 has a share.
Launched streams(captured::Kernel kernel, double read, double written, double l2_hits, double warps) {
  Launched l{std::move(kernel)};
  const double accesses = (read + written) / kWarpLoadBytes;
  l.us = kBeginUs + (read + written) * (1 - l2_hits) / kBytesAUs;
  l.load_store = accesses;
  l.fp32 = 8 * accesses;  // two bytes a value
  l.integer = 4 * accesses;
  l.control = accesses;
  l.instructions = l.load_store + l.fp32 + l.integer + l.control;
  l.read = read;
  l.written = written;
  l.l2_hits = l2_hits;
  l.warps = warps;
  return l;
}

/// C[m][n] = A[m][k] B[k][n] in tiles of `tile_m` x `tile_n`: each tile reads its rows and columns.
Launched multiplies(captured::Kernel kernel, double m, double n, double k, double tile_m, double tile_n, double warps) {
  Launched l{std::move(kernel)};
  const double flops = 2 * m * n * k, tiles = std::max(1.0, m / tile_m) * std::max(1.0, n / tile_n);
  const double touched = 2 * (m * k + k * n);
  l.read = std::max(touched, tiles * (tile_m + tile_n) * k * 2);
  l.written = 2 * m * n;
  l.l2_hits = 1 - touched / (l.read + l.written);
  l.us = kBeginUs + std::max(flops / kFlopsAUs, touched / kBytesAUs);
  l.tensor = flops / kFlopsOfHmma;
  l.load_store = 0.5 * l.tensor;
  l.integer = 0.4 * l.tensor;
  l.control = 0.1 * l.tensor;
  l.instructions = 2 * l.tensor;
  l.shared_wavefronts = l.tensor;
  l.warps = warps;
  return l;
}

/// Weights that are read once for a few rows.
Launched reads_weights(captured::Kernel kernel, double n, double k) {
  constexpr double kRows = 8, kTile = 64;
  return multiplies(std::move(kernel), kRows, n, k, kRows, kTile, 18);
}

std::string shape_text(const Shape& s) { return fmt::format("({}, {}, {})", s.x, s.y, s.z); }

/// Thousands are divided by commas.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  for (std::size_t at = text.find('.'); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::vector<NcuTable::Metric> metrics(const Launched& l) {
  const double moved = l.read + l.written, missed = moved * (1 - l.l2_hits);
  return {{"gpu__time_duration.sum", "us", number(l.us)},
          {"sm__cycles_elapsed.avg.per_second", "Ghz", "1.98"},
          {"smsp__inst_executed.sum", "inst", number(l.instructions)},
          {"sm__inst_executed_pipe_fma.sum", "inst", number(l.fp32)},
          {"sm__inst_executed_pipe_alu.sum", "inst", number(l.integer)},
          {"sm__inst_executed_pipe_fp64.sum", "inst", "0.00"},
          {"sm__inst_executed_pipe_xu.sum", "inst", "0.00"},
          {"sm__inst_executed_pipe_tensor.sum", "inst", number(l.tensor)},
          {"sm__inst_executed_pipe_lsu.sum", "inst", number(l.load_store)},
          {"sm__inst_executed_pipe_cbu.sum", "inst", number(l.control)},
          {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "", number(l.shared_wavefronts)},
          {"l1tex__t_sectors_pipe_lsu.sum", "sector", number(moved / kSectorBytes)},
          {"l1tex__t_sector_hit_rate.pct", "%", "0.00"},
          {"lts__t_sectors_srcunit_tex_op_read.sum", "sector", number(l.read / kSectorBytes)},
          {"lts__t_sectors_srcunit_tex_op_write.sum", "sector", number(l.written / kSectorBytes)},
          {"lts__t_sector_hit_rate.pct", "%", number(100 * l.l2_hits)},
          {"dram__bytes_read.sum", "byte", number(std::min(missed, l.read))},
          {"dram__bytes_write.sum", "byte", number(std::max(0.0, missed - l.read))},
          {"sm__warps_active.avg.pct_of_peak_sustained_active", "%", number(l.warps)}};
}

NcuTable table(const std::vector<Launched>& launches) {
  NcuTable table;
  for (const Launched& l : launches)
    table.launch(l.kernel.name, shape_text(l.kernel.block), shape_text(l.kernel.grid), metrics(l));
  return table;
}

/// Launches that are the same, once: `ncu --print-summary per-kernel`.
NcuTable summary(const std::vector<Launched>& launches, unsigned times) {
  std::map<std::pair<std::string, std::string>, unsigned> counts;
  const auto key = [](const Launched& l) { return std::pair{l.kernel.name, shape_text(l.kernel.grid)}; };
  for (const Launched& l : launches) ++counts[key(l)];
  NcuTable table;
  for (const Launched& l : launches) {
    const auto found = counts.find(key(l));
    if (found == counts.end()) continue;
    table.launch(l.kernel.name, shape_text(l.kernel.block), shape_text(l.kernel.grid), metrics(l),
                 found->second * times);
    counts.erase(found);
  }
  return table;
}

NsightExport::Gpu h100() {
  NsightExport::Gpu gpu;
  gpu.name = "NVIDIA H100 80GB HBM3";
  gpu.chip = "GH100";
  gpu.sms = 132;
  gpu.warps_per_sm = 64;
  gpu.blocks_per_sm = 32;
  gpu.shared_per_sm = 233'472;
  gpu.clock_hz = 1'980'000'000;
  gpu.memory_bytes_per_s = 3'352'320'000'000;
  gpu.memory = 85'014'999'040;
  gpu.l2 = 52'428'800;
  gpu.compute_major = 9;
  gpu.compute_minor = 0;
  return gpu;
}

std::int64_t ns(double us) { return static_cast<std::int64_t>(us * 1000); }

// ---- decode ----

constexpr unsigned kTokens = 4;

std::vector<Launched> token() {
  constexpr double kSequences = 8, kContext = 1024, kHidden = 1024, kInner = 3072, kHeads = 16, kOfKv = 8, kHead = 128;
  const auto each = [](const std::string& name, unsigned threads) {
    return captured::kernel("void vllm::" + name, {8}, {threads});
  };
  const auto matrix = [](unsigned tiles, unsigned split) {
    return captured::kernel("nvjet_tst_64x8_64x16_1x1_h_bz_splitK_TNT", {tiles, 1, split}, {384})
        .with_registers(168)
        .with_shared_memory(0, 147'456);
  };
  const auto row = [](double values) { return 2 * kSequences * values; };
  const auto norm = [&] {
    return streams(each("fused_add_rms_norm_kernel<c10::BFloat16, (int)8>", 1024), 2 * row(kHidden), row(kHidden), 0.9,
                   50);
  };
  std::vector<Launched> all;
  for (int layer = 0; layer < 28; ++layer) {
    all.push_back(norm());
    all.push_back(reads_weights(matrix(64, 2), (kHeads + 2 * kOfKv) * kHead, kHidden));
    all.push_back(streams(each("rotary_embedding_kernel<c10::BFloat16, (bool)1>", 512), row(3072), row(3072), 0.9, 25));
    all.push_back(streams(each("reshape_and_cache_flash_kernel<__nv_bfloat16, __nv_bfloat16>", 512), row(2048),
                          row(2048), 0.9, 25));
    all.push_back(
        streams(captured::kernel("void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<(int)128, (int)64, "
                                 "(int)128, (int)4>>(flash::Flash_fwd_params)",
                                 {1, 4, 64}, {128})
                    .with_registers(254)
                    .with_shared_memory(0, 81'920),
                kSequences * kContext * kOfKv * kHead * 2 * 2, row(2 * kHeads * kHead), 0, 12));
    all.push_back(
        streams(captured::kernel("void flash::flash_fwd_splitkv_combine_kernel<Flash_fwd_kernel_traits<(int)128, "
                                 "(int)64, (int)128, (int)4>>(flash::Flash_fwd_params)",
                                 {32}, {128}),
                row(8 * kHeads * kHead), row(kHeads * kHead), 0.9, 6));
    all.push_back(reads_weights(matrix(16, 8), kHidden, kHeads * kHead));
    all.push_back(norm());
    all.push_back(reads_weights(matrix(96, 1), 2 * kInner, kHidden));
    all.push_back(streams(each("act_and_mul_kernel<c10::BFloat16, &vllm::silu_kernel<c10::BFloat16>, (bool)1>", 1024),
                          row(2 * kInner), row(kInner), 0.9, 50));
    all.push_back(reads_weights(matrix(16, 9), kHidden, kInner));
  }
  all.push_back(norm());
  all.push_back(reads_weights(matrix(2374, 1), 151'936, kHidden));
  all.push_back(streams(
      captured::kernel("void at::native::reduce_kernel<(int)512, (int)1, at::native::ArgMaxOps<float>>", {8}, {512}),
      row(151'936), 64, 0.9, 25));
  return all;
}

void write_decode(const std::string& folder) {
  const std::vector<Launched> nodes = token();
  NsightExport e(NsightVersion::k2025_5);
  e.gpu(h100());
  const auto thread = e.thread(4242, 0, "vllm");
  const auto stream = e.stream(13);
  const auto count = static_cast<std::uint32_t>(nodes.size());
  const auto graph = e.graph(thread, 10'000, 20'000, count, true);
  std::int64_t now = 100'000;
  for (unsigned t = 0; t < kTokens; ++t) {
    const std::int64_t begin = now;
    std::int64_t gpu = begin + 12'000;
    std::vector<NsightExport::NodeRun> runs;
    for (std::uint32_t n = 0; n < count; ++n) {
      runs.push_back({n, stream, nodes[n].kernel, {gpu, gpu + ns(nodes[n].us)}});
      gpu += ns(nodes[n].us) + 900;
    }
    e.launch_graph(thread, {begin, 9'000}, stream, graph, runs);
    e.copy(thread, {begin + 10'000}, stream, captured::device_to_host(64), {gpu + 400, gpu + 1'800});
    e.synchronize_stream(thread, {begin + 13'000, gpu + 4'000 - begin - 13'000}, stream);
    now = gpu + 6'000;
    e.push_pop(thread, {"token"}, {begin - 1'000, now});
    now += 120'000;  // the scheduler of the server
  }
  e.write(folder + "/decode.sqlite");
  NcuTable::write(folder + "/decode.csv", summary(nodes, kTokens).summary_text(1, true));
}

// ---- train ----

class Step {
 public:
  std::vector<Launched> launches;

  void run() {
    for (int layer = 0; layer < 12; ++layer) {
      norm();
      product("tn", kRows, 3 * kHidden, kHidden);
      attention("flash_fwd_kernel", 4.0, 1);
      product("tn", kRows, kHidden, kHidden);
      elementwise("CUDAFunctor_add<c10::BFloat16>", 2, 1, kHidden);
      norm();
      product("tn", kRows, 4 * kHidden, kHidden);
      elementwise("GeluCUDAKernelImpl", 1, 1, 4 * kHidden);
      product("tn", kRows, kHidden, 4 * kHidden);
      elementwise("CUDAFunctor_add<c10::BFloat16>", 2, 1, kHidden);
    }
    product("tn", kRows, kWords, kHidden);
    elementwise("log_softmax_forward", 1, 1, kWords);
    elementwise("log_softmax_backward", 2, 1, kWords);
    gradients(kWords, kHidden);
    for (int layer = 0; layer < 12; ++layer) {
      gradients(kHidden, 4 * kHidden);
      elementwise("GeluBackwardCUDAKernelImpl", 2, 1, 4 * kHidden);
      gradients(4 * kHidden, kHidden);
      norm_gradients();
      gradients(kHidden, kHidden);
      attention("flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel", 10.0, 2);
      gradients(3 * kHidden, kHidden);
      norm_gradients();
      elementwise("CUDAFunctor_add<c10::BFloat16>", 2, 1, kHidden);
    }
    for (int part = 0; part < 4; ++part)
      add(streams(captured::kernel(
                      "void at::native::multi_tensor_apply_kernel<at::native::FusedAdamMathFunctor<float, (int)4>>",
                      {2800}, {512}),
                  4 * 4 * kParameters / 4, 3 * 4 * kParameters / 4, 0, 80));
  }

 private:
  static constexpr double kRows = 4096, kHidden = 768, kWords = 50'304, kParameters = 124e6, kSequence = 1024;
  static constexpr unsigned kSms = 132;

  void add(Launched l) { launches.push_back(std::move(l)); }
  /// A product in tiles of 128 x 128; several blocks share the sum of a tile if there are fewer tiles than SMs.
  void product(const char* layout, double m, double n, double k) {
    const Shape tiles{static_cast<unsigned>(m / 128), static_cast<unsigned>((n + 127) / 128)};
    const unsigned parts = std::max(1u, kSms / static_cast<unsigned>(tiles.product()));
    Launched l = multiplies(captured::kernel(fmt::format("ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_{}_{}",
                                                         k > 1000 ? "64x4" : "32x5", layout),
                                             {tiles.x, tiles.y, parts}, {128})
                                .with_registers(230)
                                .with_shared_memory(0, 81'920),
                            m, n, k, 128, 128, 12);
    const double blocks = static_cast<double>(tiles.product()) * parts;
    l.us = kBeginUs + (l.us - kBeginUs) * std::ceil(blocks / kSms) * kSms / blocks;
    add(std::move(l));
  }
  /// Gradients of a product of rows x in and in x out: of its input and of its weights.
  void gradients(double out, double in) {
    product("nn", kRows, in, out);
    product("nt", out, in, kRows);
  }
  void norm() {
    add(streams(
        captured::kernel("void at::native::vectorized_layer_norm_kernel<c10::BFloat16, float>", {4096}, {32, 4}),
        2 * kRows * kHidden, 2 * kRows * kHidden, 0.7, 70));
  }
  void norm_gradients() {
    add(streams(captured::kernel("void at::native::layer_norm_grad_input_kernel_vectorized<c10::BFloat16, float>",
                                 {4096}, {128}),
                4 * kRows * kHidden, 2 * kRows * kHidden, 0.7, 70));
    add(streams(captured::kernel("void at::native::GammaBetaBackwardCUDAKernelTemplate<c10::BFloat16, float>", {24, 1},
                                 {32, 32}),
                4 * kRows * kHidden, 4 * kHidden, 0.7, 50));
  }
  void elementwise(const std::string& what, double inputs, double outputs, double columns) {
    const double bytes = 2 * kRows * columns;
    const auto blocks = static_cast<unsigned>(kRows * columns / 512 / 4);
    add(streams(captured::kernel("void at::native::vectorized_elementwise_kernel<(int)4, at::native::" + what + ">",
                                 {blocks}, {128}),
                inputs * bytes, outputs * bytes, bytes < 40e6 ? 0.6 : 0, 75));
  }
  /// `work`: products of queries and keys, causal, in operations of one of a whole matrix.
  void attention(const std::string& what, double work, unsigned passes) {
    const Shape grid{static_cast<unsigned>(kSequence / 128), 4, 12};
    Launched l =
        multiplies(captured::kernel("void pytorch_flash::" + what +
                                        "<pytorch_flash::Flash_fwd_kernel_traits<(int)64, (int)128, (int)128, (int)4>>",
                                    grid, {passes * 128})
                       .with_registers(passes == 1 ? 166 : 255)
                       .with_shared_memory(0, passes == 1 ? 49'152 : 114'688),
                   kRows, 64, 12 * kSequence * work / 8, 128, 64, 12.5 * passes);
    l.read = 3 * 2 * kRows * kHidden * passes;
    l.l2_hits = 0.8;
    l.us = kBeginUs + 1.5 * l.tensor * kFlopsOfHmma / kFlopsAUs;
    add(std::move(l));
  }
};

void write_train(const std::string& folder) {
  Step step;
  step.run();
  NsightExport e(NsightVersion::k2025_5);
  e.gpu(h100());
  const auto thread = e.thread(5252, 0, "python");
  const auto stream = e.stream(7);
  std::int64_t host = 100'000, gpu = host + 60'000;
  const std::int64_t begin = host;
  e.copy(thread, {host}, stream, captured::host_to_device(65'536), {host + 9'000, host + 13'000});
  for (const Launched& l : step.launches) {
    host += 5'500;
    gpu = std::max(gpu + 1'100, host + 6'000);
    e.launch(thread, {host, 3'500}, stream, l.kernel, {gpu, gpu + ns(l.us)});
    gpu += ns(l.us);
  }
  host += 6'000;
  e.synchronize_stream(thread, {host, std::max<std::int64_t>(gpu + 4'000 - host, 2'000)}, stream);
  e.push_pop(thread, {"step"}, {begin - 1'000, std::max(gpu + 6'000, host + 4'000)});
  e.write(folder + "/train.sqlite");
  NcuTable::write(folder + "/train.csv", table(step.launches).wide_text());
}

}  // namespace

void write_tutorial_captures(const std::string& folder) {
  write_decode(folder);
  write_train(folder);
}

}  // namespace gputlm
