/// A record as text. Two records of a kind are equal exactly if their texts are, so the text identifies what was run.
#pragma once

#include <fmt/format.h>

#include <bitset>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tlm/base/record.h"

namespace gputlm {

/// `Shared`: writes a std::shared_ptr to something that is not a record; called with the text and the pointer.
template <class Shared>
class RecordText {
 public:
  explicit RecordText(Shared shared) : shared_(std::move(shared)) {}

  void put(std::string_view value) { fmt::format_to(std::back_inserter(text_), "{}:{} ", value.size(), value); }
  template <class T>
  void put(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      put(static_cast<unsigned>(value));
    } else if constexpr (std::is_arithmetic_v<T>) {
      fmt::format_to(std::back_inserter(text_), "{} ", value);  // a real: shortest text that reads back the same
    } else {
      check_described<T>();
      Fields<T> fields{*this, value};
      T::describe(fields);
    }
  }
  void put(const std::string& value) { put(std::string_view(value)); }
  template <class T>
  void put(const std::vector<T>& values) {
    put(values.size());
    for (const T& value : values) put(value);
  }
  template <class... T>
  void put(const std::variant<T...>& value) {
    put(value.index());
    std::visit([this](const auto& alternative) { this->put(alternative); }, value);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    if (value) return put(*value);
    put(-1);  // no optional number may be negative, and no text begins like this
  }
  template <std::size_t N>
  void put(const std::bitset<N>& value) {
    put(std::string_view(value.to_string()));
  }
  template <class T>
  void put(const std::shared_ptr<T>& value) {
    shared_(*this, value);
  }

  std::string take() { return fmt::to_string(text_); }

 private:
  template <class R>
  struct Fields {
    RecordText& text;
    const R& of;
    template <class T, class... Rest>
    void field(T R::*member, const Rest&...) {
      text.put(of.*member);
    }
    template <class T, class... Rest>
    void required(T R::*member, const Rest&...) {
      text.put(of.*member);
    }
    template <class T, class... Rest>
    void record(T R::*member, const Rest&...) {
      text.put(of.*member);
    }
    template <class T>
    void part(T R::*member) {
      text.put(of.*member);
    }
    template <class T>
    void structure(T R::*member, const char*) {
      text.put(of.*member);
    }
    template <class T>
    void origin(T R::*) {}
  };

  Shared shared_;
  fmt::memory_buffer text_;
};

struct NothingShared {
  template <class Text, class T>
  void operator()(Text&, const std::shared_ptr<T>&) const = delete;
};

template <class T>
std::string record_text(const T& record) {
  RecordText text{NothingShared()};
  text.put(record);
  return text.take();
}

}  // namespace gputlm
