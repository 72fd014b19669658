/// The ports and the parameters of a kind of design, listed once. The header of a kind, testbench/kinds/KIND/ports.h, has two
/// lists:
///
///   #define REGULATOR_SIZE(P)
///     P(applications, Apps, 1, 8, kAnyValue, 4, "apps", "applications")
///     P(token_bits, TokenW, 1, 32, kAnyValue, 16, "token-bits", "bits of a budget")
///   GPUTLM_SIZE(Regulator, REGULATOR_SIZE);
///
/// with one line per parameter: member of RegulatorSize, parameter of the module, least and most value, kAnyValue or
/// kPowersOfTwo, default, option of `gputlm cost`, meaning. And
///
///   #define REGULATOR_PORTS(IN, OUT)
///     IN(budget, RegulatorBudgets, s.applications * s.token_bits)
///     IN(begin, std::uint32_t, s.applications)
///     OUT(fits, std::uint32_t, s.applications)
///   GPUTLM_PORTS(Regulator, REGULATOR_PORTS);
///
/// with one line per port except clk_i and rst_ni: name without _i or _o, type of its value (values.h), and number of bits in
/// the size `s`; inputs first. They define
///
///   RegulatorSize                       with Most and Default, parameters(), and conversion from and to values by name
///   RegulatorInputs, RegulatorOutputs   one member per port
///   RegulatorPorts                      both types, and how to drive and read a class that Verilator made
///
/// These determine which modules of users are accepted, the wrapper of proofs and netlists, and the output of the bench.
#pragma once

#include <string>
#include <vector>

#include "testbench/ports/rtl_parameters.h"
#include "testbench/ports/values.h"
#include "tlm/base/field.h"

namespace gputlm {

/// A number on which ports and traffic depend: a parameter of the module if it has one, else inferred from its ports.
/// Its meaning has no article: "bits of a budget".
struct SizeParameter : Field {
  std::string option = {};  ///< name of an option of `gputlm cost`, without dashes
};
inline constexpr Field::Shape kAnyValue = Field::Shape::kAny, kPowersOfTwo = Field::Shape::kPowerOfTwo;

struct DesignPort {
  std::string name;  ///< name: "req_bank_i"
  bool input;
  unsigned bits;
};

}  // namespace gputlm

// NOLINTBEGIN(bugprone-macro-parentheses): names are put together.
#define GPUTLM_SIZE_MEMBER(member, ...) unsigned member;
#define GPUTLM_SIZE_MOST(member, Name, least, most, ...) static constexpr unsigned member = most;
#define GPUTLM_SIZE_DEFAULT(member, Name, least, most, shape, value, ...) static constexpr unsigned member = value;
#define GPUTLM_SIZE_LINE(member, Name, least, most, shape, value, option, meaning) \
  {{#Name, "", meaning, least, most, static_cast<unsigned>(value), "", shape}, option},
#define GPUTLM_SIZE_FROM(member, Name, ...) values.at(#Name),
#define GPUTLM_SIZE_TO(member, Name, ...) {#Name, member},

#define GPUTLM_SIZE(Kind, LIST)                                                            \
  struct Kind##Size {                                                                      \
    struct Most {                                                                          \
      LIST(GPUTLM_SIZE_MOST)                                                               \
    };                                                                                     \
    struct Default {                                                                       \
      LIST(GPUTLM_SIZE_DEFAULT)                                                            \
    };                                                                                     \
    LIST(GPUTLM_SIZE_MEMBER)                                                               \
    static std::vector<SizeParameter> parameters() { return {LIST(GPUTLM_SIZE_LINE)}; }    \
    /** Throws std::out_of_range if one is missing. */                                     \
    static Kind##Size of(const RtlParameters& values) { return {LIST(GPUTLM_SIZE_FROM)}; } \
    RtlParameters values() const { return {LIST(GPUTLM_SIZE_TO)}; }                        \
  }

#define GPUTLM_NO_PORT(name, type, bits)
#define GPUTLM_PORT_MEMBER(name, type, bits) type name{};
#define GPUTLM_PORT_INPUT(name, type, bits) {#name "_i", true, bits},
#define GPUTLM_PORT_OUTPUT(name, type, bits) {#name "_o", false, bits},
#define GPUTLM_PORT_DRIVE(name, type, bits) gputlm::drive(module.name##_i, inputs.name);
#define GPUTLM_PORT_READ(name, type, bits) gputlm::read(module.name##_o, outputs.name);

#define GPUTLM_PORT_WORDS_IN(name, type, bits) gputlm::words_of(module.name##_i),
#define GPUTLM_PORT_WORDS_OUT(name, type, bits) gputlm::words_of(module.name##_o),
#define GPUTLM_PORT_SHOW(name, type, bits) gputlm::drive_words(module.name##_i, (next++)->data());

#define GPUTLM_PORTS(Kind, LIST)                                                                   \
  struct Kind##Inputs {                                                                            \
    bool rst_n = true;                                                                             \
    LIST(GPUTLM_PORT_MEMBER, GPUTLM_NO_PORT)                                                       \
  };                                                                                               \
  struct Kind##Outputs {                                                                           \
    LIST(GPUTLM_NO_PORT, GPUTLM_PORT_MEMBER)                                                       \
  };                                                                                               \
  struct Kind##Ports {                                                                             \
    using Size = Kind##Size;                                                                       \
    using Inputs = Kind##Inputs;                                                                   \
    using Outputs = Kind##Outputs;                                                                 \
    static constexpr const char* kClass = #Kind "Ports";                                           \
    static std::vector<DesignPort> in([[maybe_unused]] const Size& s) {                            \
      return {LIST(GPUTLM_PORT_INPUT, GPUTLM_PORT_OUTPUT)};                                        \
    }                                                                                              \
    template <class Module>                                                                        \
    static void drive(Module& module, const Inputs& inputs) {                                      \
      gputlm::drive(module.rst_ni, inputs.rst_n);                                                  \
      LIST(GPUTLM_PORT_DRIVE, GPUTLM_NO_PORT)                                                      \
    }                                                                                              \
    template <class Module>                                                                        \
    static Outputs read(const Module& module) {                                                    \
      Outputs outputs;                                                                             \
      LIST(GPUTLM_NO_PORT, GPUTLM_PORT_READ)                                                       \
      return outputs;                                                                              \
    }                                                                                              \
    /** Of rst_ni and all ports, and the other way round of rst_ni and the inputs. */              \
    template <class Module>                                                                        \
    static std::vector<PortWords> words(const Module& module) {                                    \
      return {gputlm::words_of(module.rst_ni), LIST(GPUTLM_PORT_WORDS_IN, GPUTLM_PORT_WORDS_OUT)}; \
    }                                                                                              \
    template <class Module>                                                                        \
    static void show(Module& module, const std::vector<PortWords>& inputs) {                       \
      auto next = inputs.begin();                                                                  \
      gputlm::drive_words(module.rst_ni, (next++)->data());                                        \
      LIST(GPUTLM_PORT_SHOW, GPUTLM_NO_PORT)                                                       \
    }                                                                                              \
  }
// NOLINTEND(bugprone-macro-parentheses)
