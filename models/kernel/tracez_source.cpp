#include "models/kernel/tracez_source.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <new>
#include <vector>

#include "tlm/error.h"

namespace gputlm {
namespace {

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

/// A place in the file, from which numbers and bytes are read.
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

  void bytes(char* out, std::size_t size) {
    if (!file_.read(out, static_cast<std::streamsize>(size))) fail();
    at_ += size;
  }
  std::uint32_t number() { return static_cast<std::uint32_t>(little_endian(4)); }
  std::uint64_t long_number() { return little_endian(8); }

  [[noreturn]] void fail() const {
    throw InputError(path_, 0,
                     "the tracez data is corrupt or truncated at byte " + std::to_string(at_) + " of the file");
  }

 private:
  std::uint64_t little_endian(unsigned size) {
    std::array<char, 8> found{};
    bytes(found.data(), size);
    std::uint64_t value = 0;
    for (unsigned i = size; i > 0; --i) value = value << 8 | static_cast<unsigned char>(found[i - 1]);
    return value;
  }

  std::string path_;
  std::ifstream file_;
  std::uint64_t at_ = 0;
};

/// Text comes in pieces: the header, what stands around blocks and warps, and the parts of a warp, which are decoded while
/// they are read.
class TracezSource final : public ByteSource {
 public:
  explicit TracezSource(const std::string& path) : index_(path), parts_(path), context_(ZSTD_createDCtx()) {
    if (!context_) throw std::bad_alloc();
    text_.resize(kMaxTracezHeader);
    const std::uint64_t size = index_.size();
    text_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(size, text_.size())));
    index_.bytes(text_.data(), text_.size());
    text_.resize(std::min(text_.find('\0'), text_.size()));
    index_.go_to(text_.size() + 1);
    const std::uint32_t dictionary = index_.number();
    index_.number();  // instructions of a part
    if (dictionary > size) index_.fail();
    std::vector<char> bytes(dictionary);
    index_.bytes(bytes.data(), bytes.size());
    if (ZSTD_isError(ZSTD_DCtx_loadDictionary(context_.get(), bytes.data(), bytes.size()))) index_.fail();
    if (size < 8) index_.fail();
    index_.go_to(size - 8);
    const std::uint64_t place = index_.long_number();
    if (place > size - 8) index_.fail();
    index_.go_to(place);
    blocks_ = index_.number();
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

  /// To the next piece; false at the end.
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
    const auto three = [&](const char* what) {
      text += what;
      for (const char* end : {",", ",", "\n"}) text += std::to_string(index_.number()) + end;
    };
    three("thread block = ");
    three("cluster id = ");
    three("cluster cta = ");
    text += "cluster rank = " + std::to_string(index_.number()) + "\n";
    left_warps_ = index_.number();
    warp_ = 0;
    in_block_ = true;
    say(std::move(text));
  }

  void begin_warp() {
    const std::uint32_t instructions = index_.number();
    left_parts_ = index_.number();
    const std::uint64_t place = index_.long_number();
    for (std::uint32_t part = 0; part < left_parts_; ++part) index_.number();  // its instructions
    parts_.go_to(place);
    if (parts_.number() != instructions || parts_.number() != left_parts_) parts_.fail();
    say("\nwarp = " + std::to_string(warp_++) + "\ninsts = " + std::to_string(instructions) + "\n");
  }

  void begin_part() {
    left_bytes_ = parts_.number();
    in_ = {input_.data(), 0, 0};
    ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
    in_part_ = true;
  }

  std::size_t decode(char* out, std::size_t size) {
    if (in_.pos == in_.size) {
      in_ = {input_.data(), std::min<std::size_t>(left_bytes_, input_.size()), 0};
      parts_.bytes(input_.data(), in_.size);
      left_bytes_ -= static_cast<std::uint32_t>(in_.size);
    }
    ZSTD_outBuffer written{out, size, 0};
    const std::size_t result = ZSTD_decompressStream(context_.get(), &written, &in_);
    const bool starved = written.pos == 0 && in_.pos == in_.size && left_bytes_ == 0;
    if (ZSTD_isError(result) || (result != 0 && starved)) parts_.fail();
    if (result == 0) {
      if (in_.pos != in_.size || left_bytes_ != 0) parts_.fail();
      in_part_ = false;
      say("\n");  // which the last line of a part lacks
    }
    return written.pos;
  }

  Cursor index_, parts_;
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
  std::string text_;  ///< the piece, and how much of it has been read
  std::size_t taken_ = 0;
  std::uint32_t blocks_ = 0, left_warps_ = 0, left_parts_ = 0,
                warp_ = 0;  ///< to come, of blocks, its warps, their parts
  bool in_block_ = false, in_part_ = false;
  std::uint32_t left_bytes_ = 0;  ///< of the part, not yet in `input_`
  ZSTD_inBuffer in_{nullptr, 0, 0};
  std::array<char, 64 * 1024> input_{};
};

}  // namespace

bool is_tracez(std::string_view begin) {
  return !begin.empty() && begin[0] == '-' && begin.find('\0') != std::string_view::npos;
}

std::unique_ptr<ByteSource> open_tracez(const std::string& path) { return std::make_unique<TracezSource>(path); }

}  // namespace gputlm
