#include "models/sm/rtl_models.h"

#include "Vgto_sorter_16.h"
#include "Vgto_sorter_48.h"
#include "Vlrr_sorter_16.h"
#include "Vlrr_sorter_48.h"
#include "Vqaws_sorter_16.h"
#include "Vqaws_sorter_48.h"
#include "models/sm/rtl_verilated.h"

namespace gputlm {
namespace {

// As rtl_models.cmake has them built.
constexpr SorterSize kUsual{16, 8, 8, false};
constexpr SorterSize kMax{48, 8, 8, false};

template <class Module>
std::unique_ptr<RtlSorter> make() {
  return std::make_unique<VerilatedSorter<Module>>();
}

}  // namespace

const std::vector<SorterModel>& qaws_rtl_models() {
  static const std::vector<SorterModel> models{{kUsual, make<Vqaws_sorter_16>}, {kMax, make<Vqaws_sorter_48>}};
  return models;
}

const std::vector<SorterModel>& gto_rtl_models() {
  static const std::vector<SorterModel> models{{kUsual, make<Vgto_sorter_16>}, {kMax, make<Vgto_sorter_48>}};
  return models;
}

const std::vector<SorterModel>& lrr_rtl_models() {
  static const std::vector<SorterModel> models{{kUsual, make<Vlrr_sorter_16>}, {kMax, make<Vlrr_sorter_48>}};
  return models;
}

}  // namespace gputlm
