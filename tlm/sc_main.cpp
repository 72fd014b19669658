/// SystemC's shared library refers to sc_main for programs that leave main() to it. Ours do not: this one satisfies the
/// linker, and gives way to that of a program that does.
#include <systemc>

[[gnu::weak]] int sc_main(int, char*[]) { return 0; }
