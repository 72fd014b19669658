#include "models/mmu/mmu.h"

#include <string>

namespace gputlm {
namespace {

std::unique_ptr<FaultHandler> fault_handler(const std::optional<Link>& copies, const MmuConfig& config,
                                            const Clock& clock, const std::vector<AddressRange>& managed,
                                            ItemSource<Copy>& source) {
  if (!copies) return nullptr;
  return std::make_unique<FaultHandler>(config, managed, clock, copies->request.queue, source);
}

}  // namespace

Mmu::Mmu(const sc_core::sc_module_name& module_name, const Clock& core_clock, const Links& links,
         const MmuConfig& config, const std::vector<MmuCore::Part>& parts, const std::vector<SmId>& ids,
         const std::vector<AddressRange>& managed)
    : Unit(module_name, core_clock),
      core_(config, {links.translations.request.queue, parts, ids},
            fault_handler(links.copies, config, core_clock, managed, migrations_), accesses_, shootdowns_) {
  for (std::size_t p = 0; p < parts.size(); ++p) {  // the first one has the plain name
    crossbars.emplace_back(p == 0 ? "crossbar" : "crossbar_" + std::to_string(p), *this, links.crossbar,
                           core_.walker().requests(p), core_.walker().replies(p));
  }
  for (unsigned i = 0; i < core_.sms(); ++i) {
    const std::string number = std::to_string(i);
    translations.emplace_back("translations_" + number, *this, links.translations, core_.requests(i), core_.answers(i));
    shootdowns.emplace_back("shootdowns_" + number, *this, links.shootdowns, core_.shootdowns(i),
                            core_.shootdown_ends(i));
  }
  if (links.copies)
    copies.emplace("copies", *this, *links.copies, core_.faults()->copies(), core_.faults()->copy_ends());
}

Mmu::~Mmu() = default;

}  // namespace gputlm
