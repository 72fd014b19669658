// Assertions in the form that each tool accepts: concurrent for Verilator (--assert), immediate for formal
// verification with yosys (which defines FORMAL), empty for synthesis. All are clocked by clk_i and are
// disabled during reset (rst_ni low). `Name` is unique in its module and is used outside generate loops.
// OpenTitan and common_cells define their own ASSERT, and Verilator reads all files as one: hence the prefix.
`ifndef GPUTLM_ASSERTIONS_SVH
`define GPUTLM_ASSERTIONS_SVH

`ifdef VERILATOR

// Holds in every cycle.
`define GPUTLM_ASSERT(Name, Property) \
  Name: assert property (@(posedge clk_i) disable iff (!rst_ni) (Property));
// If Before holds in one cycle, After holds in the next; After may use $stable and $past.
`define GPUTLM_ASSERT_NEXT(Name, Before, After) \
  Name: assert property (@(posedge clk_i) disable iff (!rst_ni) (Before) |=> (After));
// A constraint on the environment: checked in simulation, assumed in a proof.
`define GPUTLM_ASSUME(Name, Property) \
  Name: assume property (@(posedge clk_i) disable iff (!rst_ni) (Property));
// A case that a bench must reach (verilator --coverage-user).
`define GPUTLM_COVER(Name, Property) \
  Name: cover property (@(posedge clk_i) disable iff (!rst_ni) (Property));

`elsif FORMAL

`define GPUTLM_ASSERT(Name, Property) \
  always @(posedge clk_i) if (rst_ni) Name: assert (Property);
`define GPUTLM_ASSERT_NEXT(Name, Before, After) \
  always @(posedge clk_i) if (rst_ni && $past(rst_ni) && $past(Before)) Name: assert (After);
`define GPUTLM_ASSUME(Name, Property) \
  always @(posedge clk_i) if (rst_ni) Name: assume (Property);
`define GPUTLM_COVER(Name, Property)

`else

`define GPUTLM_ASSERT(Name, Property)
`define GPUTLM_ASSERT_NEXT(Name, Before, After)
`define GPUTLM_ASSUME(Name, Property)
`define GPUTLM_COVER(Name, Property)

`endif

// Guards code that only assertions use.
`ifdef VERILATOR
`define GPUTLM_ASSERTIONS
`elsif FORMAL
`define GPUTLM_ASSERTIONS
`endif

`endif
