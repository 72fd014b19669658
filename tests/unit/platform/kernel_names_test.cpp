#include "platform/input/kernel_names.h"

#include <gmock/gmock.h>

namespace gputlm {
namespace {

using testing::ElementsAre;

TEST(KernelNames, AreDemangledWhereTheyAreMangled) {
  EXPECT_EQ(demangled("_Z9vectorAddPKfS0_Pfi"), "vectorAdd(float const*, float const*, float*, int)");
  EXPECT_EQ(demangled("vectorAdd"), "vectorAdd");
  EXPECT_EQ(demangled("_Zno"), "_Zno");
}

TEST(KernelNames, AreShortAsLongAsTheyDiffer) {
  EXPECT_THAT(short_names({"vectorAdd(float const*, int)", "void at::native::fill<4, Op<int> >(int, Op<int>)",
                           "vectorAdd(float const*, int)", "plain"}),
              ElementsAre("vectorAdd", "fill", "vectorAdd", "plain"));
}

TEST(KernelNames, KeepWhatTellsThemFromOthers) {
  EXPECT_THAT(short_names({"void gemm<float>(float*)", "void gemm<double>(double*)", "void a::gemm<int>(int*)"}),
              ElementsAre("gemm<float>", "gemm<double>", "a::gemm<int>"));
  EXPECT_THAT(short_names({"scale(float*)", "scale(double*)"}), ElementsAre("scale(float*)", "scale(double*)"));
}

TEST(KernelNames, HaveBracketsThatAreNoParameters) {
  EXPECT_THAT(short_names({"(anonymous namespace)::k(int)", "void f<(int)3>(int) [clone .x]",
                           "A::operator()(int) const", "void (anonymous namespace)::elementwise<char (&) [3]>(int)"}),
              ElementsAre("k", "f", "operator()", "elementwise"));
}

TEST(KernelNames, AreNeverLongerThanATableCanShow) {
  const std::string deep = "void f<" + std::string(5000, 'a') + ">()",
                    other = "void f<" + std::string(5000, 'b') + ">()";
  for (const std::string& name : short_names({deep, other})) EXPECT_LE(name.size(), 110u);
}

}  // namespace
}  // namespace gputlm
