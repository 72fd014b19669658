/// The captures of docs/tutorials/share.md (workloads/captures): two programs on an H100 SXM, made up from what is published
/// about them, and what Nsight Compute would count of their kernels.
///
/// *decode*: a language model writes four tokens for eight sequences of 1,024. Shapes: Qwen3-0.6B (config.json of
/// huggingface.co/Qwen/Qwen3-0.6B: 28 layers, hidden 1,024, intermediate 3,072, 16 heads and 8 of keys and values of 128,
/// vocabulary 151,936), bfloat16. Kernels: those of vLLM's csrc (layernorm, pos_encoding, cache, activation: a block a
/// sequence), FlashAttention 2 (flash_fwd_splitkv_kernel), and matrices that cuBLAS reads once; a CUDA graph a token.
///
/// *train*: a step of GPT-2 with 124 million parameters (Radford et al., "Language Models are Unsupervised Multitask Learners",
/// table 2: 12 layers, hidden 768), 4 sequences of 1,024 tokens in bfloat16, forward, backward, AdamW: the kernels that PyTorch
/// calls for it, with cuBLAS's of 128 x 128 tiles and HMMA.16816.
///
/// Counters follow from shapes: bytes of weights, keys and values, activations; floating point operations of a product.
/// Assumed: 2.4 TB/s of the 3.35 of the H100's whitepaper, and 300 of its 989 TFLOPS, beside 2 us for a kernel; a load of 16
/// bytes a lane; half of a product's instructions are HMMA, and ldmatrix has a wavefront for each (a warp's tile of 64 x 64).
#pragma once

#include <string>

namespace gputlm {

/// decode.sqlite, decode.csv, train.sqlite, train.csv.
void write_tutorial_captures(const std::string& folder);

}  // namespace gputlm
