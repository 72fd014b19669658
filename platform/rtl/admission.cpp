/// Admissions to the queues of DRAM controllers.
#include "models/dram/admission_in_hardware.h"
#include "platform/rtl/kind.h"

namespace gputlm {
namespace {

unsigned bits_to_count(unsigned most) {
  unsigned bits = 1;
  while (most >> bits != 0) ++bits;
  return bits;
}

AdmissionModel model_of(const RtlDesign& design, const RtlParameters& parameters) {
  const RtlDesign::Interface interface = design.interface(parameters);
  const auto bits = [&](const char* port) { return interface.ports.at(port).bits; };
  const auto entries = parameters.find("Entries");
  const unsigned applications = bits("head_valid_i");
  const bool has_shared = parameters.count("HasShared") == 0 || parameters.at("HasShared") != 0;
  return {{entries != parameters.end() ? entries->second : (1u << bits("reserved_i")) - 1, applications,
           bits("head_length_i") / applications, has_shared},
          built<RtlAdmission>("admission", design, interface, parameters)};
}

void add(const RtlDesign& design, const RtlDesign::Interface& interface) {
  const auto models = std::make_shared<RtlModels<AdmissionModel>>(design, interface, model_of);
  add_admission_in_hardware({{design.top() + "@rtl"}, "Decided by " + design.path(), design.path()},
                            [models](const AdmissionSetup& setup) {
                              return models->with({{"Entries", setup.entries},
                                                   {"Apps", setup.applications},
                                                   {"LengthW", bits_to_count(setup.longest)},
                                                   {"HasShared", 1}});
                            });
}

GPUTLM_REGISTER {
  rtl_kinds().add(
      {{"admission", 3},
       "rtl/reserved_admission.sv",
       "Admission",
       "models/dram/rtl_admission_verilated.h",
       {"reserved_i", "shared_i", "head_valid_i", "head_length_i", "admit_ready_i", "leave_valid_i", "leave_app_i"},
       {"admit_valid_o", "admit_o", "admit_app_o"},
       add});
}

}  // namespace
}  // namespace gputlm
