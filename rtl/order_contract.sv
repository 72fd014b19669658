`include "assertions.svh"

// The contract of a warp sorter's order, as assertions on its outputs, for simulation. The proofs restate it in their own
// way (testbench/formal).
/* verilator coverage_off */
module order_contract #(
  parameter  int unsigned Slots  = 16,
  parameter  int unsigned Groups = 1,
  localparam int unsigned SlotW  = $clog2(Slots),
  localparam int unsigned CountW = $clog2(Slots + 1)
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic [Groups*Slots-1:0] member_i,  // slots with a warp, by group
  input logic [Slots-1:0]        ready_i,
  input logic [Slots-1:0]        grant_i,
  input logic [Slots*SlotW-1:0]  order_i,
  input logic [CountW-1:0]       count_i
);
  logic [Slots-1:0]  valid, in_order, first_ready, here;
  logic [Groups-1:0] group, last_group, entered;
  logic              twice, together, rest_is_zero;
  always_comb begin
    valid = '0;
    for (int unsigned g = 0; g < Groups; g++) valid = valid | member_i[g*Slots+:Slots];
    in_order     = '0;
    first_ready  = '0;
    last_group   = '0;
    entered      = '0;
    twice        = 1'b0;
    together     = 1'b1;
    rest_is_zero = 1'b1;
    here         = '0;
    group        = '0;
    for (int unsigned p = 0; p < Slots; p++) begin
      if (CountW'(p) < count_i) begin
        here = Slots'(1) << order_i[p*SlotW+:SlotW];
        for (int unsigned g = 0; g < Groups; g++) group[g] = |(here & member_i[g*Slots+:Slots]);
        if (first_ready == '0) first_ready = here & ready_i;
        twice      = twice || (here & in_order) != '0;
        together   = together && (group == last_group || (group & entered) == '0);
        in_order   = in_order | here;
        entered    = entered | group;
        last_group = group;
      end else begin
        rest_is_zero = rest_is_zero && order_i[p*SlotW+:SlotW] == '0;
      end
    end
  end
  `GPUTLM_ASSERT(order_has_each_warp_once, in_order == valid && !twice)
  `GPUTLM_ASSERT(order_ends_with_its_count, rest_is_zero)
  `GPUTLM_ASSERT(grant_is_first_ready_of_order, grant_i == first_ready)
  `GPUTLM_ASSERT(groups_are_not_interleaved, together)
endmodule
/* verilator coverage_on */
