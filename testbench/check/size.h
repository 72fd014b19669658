/// The size in which a design is checked: what the user says, what the module's parameters allow, what its ports have.
#pragma once

#include <string>
#include <vector>

#include "testbench/design/design.h"
#include "testbench/kind/kind.h"

namespace gputlm {

/// A design in the size in which it is checked.
struct SizedDesign {
  RtlDesign design;
  RtlParameters size;        ///< all of its kind
  RtlParameters parameters;  ///< those that the module is given
  RtlDesign::Interface interface;
};

/// `size`: "32x16x4", or empty, given by `option`. `parameters`: "RowW=14", of the size or the module's own; each at most once. Throws
/// InputError for text of another form and for numbers out of range.
RtlParameters given_size(const Kind& kind, const std::string& size, const std::vector<std::string>& parameters,
                         const std::string& option = "--size");

/// `plain` is the design's interface with nothing set. What is not given is the kind's standard where the module has such a
/// parameter, else what the ports say. Throws InputError for a parameter that neither has, and for a port of another
/// width than that of the size.
SizedDesign in_size(const RtlDesign& design, const RtlDesign::Interface& plain, const Kind& kind,
                    const RtlParameters& given);

/// "EntriesxBanksxApps"
std::string words_of_size(const Kind& kind);

}  // namespace gputlm
