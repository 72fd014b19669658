#include "platform/files/rows.h"

#include <gmock/gmock.h>

namespace gputlm {
namespace {

struct Wheel {
  double size = 0;
  template <class Visitor>
  static void describe(Visitor& v) {
    v.field(&Wheel::size, "size", Value{"cm"}, "Across");
  }
};

struct Cart {
  std::string name;
  unsigned loads = 0;
  bool sold = false;
  std::optional<std::uint64_t> price;
  Wheel wheel;
  std::uint64_t doubled() const { return 2 * loads; }

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field(&Cart::name, "name", Value{}, "What it is called");
    v.field(&Cart::doubled, "doubled", Value{"sacks"}, "Twice the loads");
    v.field([](const Cart& c) { return Thousandths{c.loads}; }, "tons", Value{"t"}, "Of them");
    v.field(&Cart::sold, "sold", Value{}, "Whether it is");
    v.field(&Cart::price, "price", Value{}, "Only if it has one");
    v.field([](const Cart& c) { return std::array<std::uint32_t, 3>{c.loads, 1, 2}; }, "extent", Value{}, "x, y, z");
    v.part(&Cart::wheel);
  }
};

struct Owner {
  Cart cart;
  std::optional<Wheel> spare;
  template <class Visitor>
  static void describe(Visitor& v) {
    v.record(&Owner::cart, "cart", "That is owned");
    v.record(&Owner::spare, "spare", "Only if there is one");
  }
};

const Cart kCart{"a, b", 1500, true, std::nullopt, {2.5}};

TEST(Rows, AreALineOfCsvUnderTheirHeader) {
  fmt::memory_buffer text;
  write_csv_row(text, kCart);
  write_csv_row(text, Cart{"c", 1, false, 7, {3}});
  EXPECT_EQ(csv_header<Cart>() + fmt::to_string(text),
            "name,doubled,tons,sold,price,extent,size\n"
            "\"a, b\",3000,1.500,true,,1500x1x2,2.5\n"
            "c,2,0.001,false,7,1x1x2,3\n");
}

TEST(Rows, AreAnObjectWithoutWhatIsMissing) {
  EXPECT_EQ(row_json(kCart).dump(),
            R"({"name":"a, b","doubled":3000,"tons":1.5,"sold":true,"extent":[1500,1,2],"size":2.5})");
}

TEST(Rows, OfRecordsAreNestedObjectsAndColumnsWithADot) {
  EXPECT_EQ(row_json(Owner{kCart, std::nullopt}).dump(), "{\"cart\":" + row_json(kCart).dump() + "}");
  EXPECT_EQ(row_json(Owner{kCart, Wheel{1}})["spare"]["size"], 1.0);
  const std::vector<TableColumn> columns = row_columns<Owner>();
  EXPECT_EQ(columns.front().name, "cart.name");
  EXPECT_EQ(columns.back().name, "spare.size");
  EXPECT_EQ(columns.back().unit, "cm");
}

}  // namespace
}  // namespace gputlm
