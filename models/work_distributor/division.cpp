#include "models/work_distributor/division.h"

namespace gputlm {
namespace {

constexpr unsigned kSmsOfTpc = 2;  // white papers of all GPUs with such an array: Volta to Blackwell

GPUTLM_REGISTER {
  divisions().add({{"room", 1},
                   "A block joins an SM whose shared memory has room for it",
                   "cuda-hierarchy, section III-C, whose kernels of different configurations take turns"},
                  {});
  divisions().add({{"launch", 2},
                   "A block joins an SM that has at least the shared memory that its launch prefers on an empty one",
                   "a part of launch_tpc by itself, to compare with"},
                  {true, 1});
  divisions().add({{"launch_tpc", 3},
                   "As launch, and both SMs of a TPC are divided the same way",
                   "fits GEMV and GEMM on an AGX Orin (docs/caches.md)"},
                  {true, kSmsOfTpc});
}

}  // namespace

Decision<DivisionRule>& divisions() {
  static Decision<DivisionRule> all("division", 3, "work_distributor.division");
  return all;
}

}  // namespace gputlm
