#include "models/kernel/tracez_source.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <new>
#include <vector>

#include "tlm/base/error.h"
#include "tlm/base/format_field.h"

namespace gputlm {
namespace {

namespace tracez {
FileFormat format{"Accel-Sim compressed SASS trace (.tracez)", "Accel-Sim's post-traces-processing",
                  "the form of Accel-Sim 2.0, 2025"};
constexpr const char* kFormat = "accel-sim-framework, util/tracer_nvbit/tracer_tool/tracez_format.h";
constexpr const char* kStream = "accel-sim-framework, gpu-simulator/trace-parser/warp_trace_stream.h";
constexpr const char *kNumber = "unsigned 32 bits, little-endian", *kLong = "unsigned 64 bits, little-endian";
constexpr const char *kBegin = "1, start of the file", *kWarps = "2, a warp's parts", *kIndex = "3, index of a block",
                     *kOfWarp = "4, index of a warp of the block", *kEnd = "5, end of the file";
const FormatField kHeader(format, kBegin, "kernel header", "header of a .traceg", "", "text up to a zero byte",
                          kFormat);
const FormatField kDictionarySize(format, kBegin, "dict_size", "size of the dictionary", "B", kNumber, kFormat);
const FormatField kPartInstructions(format, kBegin, "subchunk_insts", "instructions of a part, passed over", "",
                                    kNumber, kFormat);
const FormatField kDictionary(format, kBegin, "dictionary", "dictionary of zstd for all parts", "", "bytes", kFormat);
const FormatField kCountAgain(format, kWarps, "inst_count", "lines of the warp, as in the index", "instructions",
                              kNumber, kStream);
const FormatField kPartsAgain(format, kWarps, "num_subchunks", "parts of the warp, as in the index", "", kNumber,
                              kStream);
const FormatField kPartSize(format, kWarps, "comp_size", "size of a part's frame of zstd, which follows it", "B",
                            kNumber, kStream);
const FormatField kPart(format, kWarps, "subchunk", "lines of instructions, as in a .traceg", "",
                        "a frame of zstd; the last line has no line feed", kStream);
const FormatField kId(format, kIndex, "tb_id_x, tb_id_y, tb_id_z", "index of the block", "", kNumber, kFormat);
const FormatField kClusterId(format, kIndex, "cluster_id_x, cluster_id_y, cluster_id_z", "index of its cluster", "",
                             kNumber, kFormat);
const FormatField kClusterBlock(format, kIndex, "cluster_cta_id_x, cluster_cta_id_y, cluster_cta_id_z",
                                "place of the block in its cluster", "", kNumber, kFormat);
const FormatField kClusterRank(format, kIndex, "cluster_rank", "place of the block in its cluster, as one number", "",
                               kNumber, kFormat);
const FormatField kWarpCount(format, kIndex, "warp_count", "warps of the block", "warps", kNumber, kFormat);
const FormatField kInstructions(format, kOfWarp, "inst_count", "lines of the warp", "instructions", kNumber, kFormat);
const FormatField kParts(format, kOfWarp, "num_subchunks", "parts of the warp", "", kNumber, kFormat);
const FormatField kPlace(format, kOfWarp, "file_offset", "offset of the warp's parts in the file", "B", kLong, kFormat);
const FormatField kOfPart(format, kOfWarp, "subchunk_inst_counts", "lines of each part, passed over", "instructions",
                          kNumber, kFormat);
const FormatField kBlocks(format, kEnd, "num_tbs", "number of blocks in the index, which precedes it", "blocks",
                          kNumber, kFormat);
const FormatField kIndexPlace(format, kEnd, "index_offset", "offset of the index in the file", "B", kLong, kFormat);
}  // namespace tracez

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

/// A position in the file from which numbers and bytes are read.
class Cursor {
 public:
  explicit Cursor(const std::string& path) : path_(path), file_(path, std::ios::binary) {
    if (!file_) throw InputError(path_, 0, "cannot be opened");
  }

  std::uint64_t size() {
    const std::uint64_t here = at_;
    file_.seekg(0, std::ios::end);
    const auto size = static_cast<std::uint64_t>(file_.tellg());
    go_to(here);
    return size;
  }
  void go_to(std::uint64_t place) {
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(place));
    at_ = place;
  }
  std::uint64_t at() const { return at_; }

  void bytes(char* out, std::size_t size, const FormatField& field) {
    if (!file_.read(out, static_cast<std::streamsize>(size))) fail(field);
    at_ += size;
  }
  std::uint32_t number(const FormatField& field) { return static_cast<std::uint32_t>(little_endian(4, field)); }
  std::uint64_t long_number(const FormatField& field) { return little_endian(8, field); }

  [[noreturn]] void fail(const FormatField& field) const {
    throw InputError(
        path_, 0,
        "the tracez data is corrupt or truncated at byte " + std::to_string(at_) + " of the file, in " + field.name);
  }

 private:
  std::uint64_t little_endian(unsigned size, const FormatField& field) {
    std::array<char, 8> found{};
    bytes(found.data(), size, field);
    std::uint64_t value = 0;
    for (unsigned i = size; i > 0; --i) value = value << 8 | static_cast<unsigned char>(found[i - 1]);
    return value;
  }

  std::string path_;
  std::ifstream file_;
  std::uint64_t at_ = 0;
};

/// The text comes in pieces: the header, the lines around blocks and warps, and the parts of a warp, which are decoded as
/// they are read.
class TracezSource final : public ByteSource {
 public:
  explicit TracezSource(const std::string& path) : index_(path), parts_(path), context_(ZSTD_createDCtx()) {
    if (!context_) throw std::bad_alloc();
    text_.resize(kMaxTracezHeader);
    const std::uint64_t size = index_.size();
    text_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(size, text_.size())));
    index_.bytes(text_.data(), text_.size(), tracez::kHeader);
    text_.resize(std::min(text_.find('\0'), text_.size()));
    index_.go_to(text_.size() + 1);
    const std::uint32_t dictionary = index_.number(tracez::kDictionarySize);
    index_.number(tracez::kPartInstructions);
    if (dictionary > size) index_.fail(tracez::kDictionarySize);
    std::vector<char> bytes(dictionary);
    index_.bytes(bytes.data(), bytes.size(), tracez::kDictionary);
    if (ZSTD_isError(ZSTD_DCtx_loadDictionary(context_.get(), bytes.data(), bytes.size())))
      index_.fail(tracez::kDictionary);
    if (size < 8) index_.fail(tracez::kIndexPlace);
    index_.go_to(size - 8);
    const std::uint64_t place = index_.long_number(tracez::kIndexPlace);
    if (place > size - 8) index_.fail(tracez::kIndexPlace);
    index_.go_to(place);
    blocks_ = index_.number(tracez::kBlocks);
  }

  std::size_t read(char* out, std::size_t size) override {
    std::size_t written = 0;
    while (written < size) {
      if (taken_ < text_.size()) {
        const std::size_t count = std::min(size - written, text_.size() - taken_);
        std::copy_n(text_.data() + taken_, count, out + written);
        taken_ += count;
        written += count;
      } else if (in_part_) {
        written += decode(out + written, size - written);
      } else if (!go_on()) {
        break;
      }
    }
    return written;
  }

 private:
  void say(std::string text) {
    text_ = std::move(text);
    taken_ = 0;
  }

  /// Moves to the next piece; false at the end.
  bool go_on() {
    if (left_parts_ > 0) {
      --left_parts_;
      begin_part();
    } else if (left_warps_ > 0) {
      --left_warps_;
      begin_warp();
    } else if (in_block_) {
      in_block_ = false;
      say("\n#END_TB\n");
    } else if (blocks_ > 0) {
      --blocks_;
      begin_block();
    } else {
      return false;
    }
    return true;
  }

  void begin_block() {
    std::string text = "\n#BEGIN_TB\n\n";
    const auto three = [&](const char* what, const FormatField& field) {
      text += what;
      for (const char* end : {",", ",", "\n"}) text += std::to_string(index_.number(field)) + end;
    };
    three("thread block = ", tracez::kId);
    three("cluster id = ", tracez::kClusterId);
    three("cluster cta = ", tracez::kClusterBlock);
    text += "cluster rank = " + std::to_string(index_.number(tracez::kClusterRank)) + "\n";
    left_warps_ = index_.number(tracez::kWarpCount);
    warp_ = 0;
    in_block_ = true;
    say(std::move(text));
  }

  void begin_warp() {
    const std::uint32_t instructions = index_.number(tracez::kInstructions);
    left_parts_ = index_.number(tracez::kParts);
    const std::uint64_t place = index_.long_number(tracez::kPlace);
    for (std::uint32_t part = 0; part < left_parts_; ++part) index_.number(tracez::kOfPart);
    parts_.go_to(place);
    if (parts_.number(tracez::kCountAgain) != instructions) parts_.fail(tracez::kCountAgain);
    if (parts_.number(tracez::kPartsAgain) != left_parts_) parts_.fail(tracez::kPartsAgain);
    say("\nwarp = " + std::to_string(warp_++) + "\ninsts = " + std::to_string(instructions) + "\n");
  }

  void begin_part() {
    left_bytes_ = parts_.number(tracez::kPartSize);
    in_ = {input_.data(), 0, 0};
    ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
    in_part_ = true;
  }

  std::size_t decode(char* out, std::size_t size) {
    if (in_.pos == in_.size) {
      in_ = {input_.data(), std::min<std::size_t>(left_bytes_, input_.size()), 0};
      parts_.bytes(input_.data(), in_.size, tracez::kPart);
      left_bytes_ -= static_cast<std::uint32_t>(in_.size);
    }
    ZSTD_outBuffer written{out, size, 0};
    const std::size_t result = ZSTD_decompressStream(context_.get(), &written, &in_);
    const bool starved = written.pos == 0 && in_.pos == in_.size && left_bytes_ == 0;
    if (ZSTD_isError(result) || (result != 0 && starved)) parts_.fail(tracez::kPart);
    if (result == 0) {
      if (in_.pos != in_.size || left_bytes_ != 0) parts_.fail(tracez::kPart);
      in_part_ = false;
      say("\n");  // the last line of a part lacks it
    }
    return written.pos;
  }

  Cursor index_, parts_;
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
  std::string text_;  ///< the current piece, and the number of its bytes that have been read
  std::size_t taken_ = 0;
  std::uint32_t blocks_ = 0, left_warps_ = 0, left_parts_ = 0,
                warp_ = 0;  ///< remaining blocks, warps and parts; the current warp
  bool in_block_ = false, in_part_ = false;
  std::uint32_t left_bytes_ = 0;  ///< bytes of the part that are not yet in `input_`
  ZSTD_inBuffer in_{nullptr, 0, 0};
  std::array<char, 64 * 1024> input_{};
};

}  // namespace

bool is_tracez(std::string_view begin) {
  return !begin.empty() && begin[0] == '-' && begin.find('\0') != std::string_view::npos;
}

std::unique_ptr<ByteSource> open_tracez(const std::string& path) { return std::make_unique<TracezSource>(path); }

}  // namespace gputlm
