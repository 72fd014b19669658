`include "assertions.svh"

// Loose round-robin: selects the ready warp of a sub-core that issues: the first one after the warp that issued last, in
// cyclic order of the slots. Source: cuda-hierarchy, section IV.
//
// Guarantee: a combinational, work-conserving grant. After reset, slot 0 goes first; warps that come and leave do not
// change whose turn it is. It ignores groups and budgets: the ports match qaws_sorter.
//
// Cost: Warps flip-flops and two finders; 0.28 thousand NAND2 equivalents / 1.4 ns for 16 warps, 1.2 / 1.9 for 48,
// without FullOrder (see qaws_sorter). As there, a separate list holds the order.
module lrr_sorter #(
  parameter  int unsigned Warps     = 16,    // slots; 8 to 48
  parameter  int unsigned Groups    = 2,     // 2 to 8; ignored
  parameter  int unsigned BudgetW   = 8,     // bits of a budget; ignored
  parameter  bit          FullOrder = 1'b1,  // with the full order; 0: only the warp to issue
  localparam int unsigned SlotW     = $clog2(Warps),
  localparam int unsigned GroupW    = $clog2(Groups),
  localparam int unsigned CountW    = $clog2(Warps + 1)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,          // synchronous, active low
  // A warp moves into a free slot, as the youngest, or leaves its slot; decisions see it from the next cycle on.
  input  logic                      event_valid_i,
  input  logic                      event_assign_i,  // 1: it moves in; 0: it leaves
  input  logic [SlotW-1:0]          event_slot_i,
  input  logic [GroupW-1:0]         event_group_i,   // ignored
  input  logic [Groups*BudgetW-1:0] budget_i,        // ignored
  // Which warp issues? Combinational.
  input  logic [Warps-1:0]          ready_i,         // warps that can issue now
  output logic                      grant_valid_o,   // a warp is ready; else the other grant outputs are 0
  output logic [Warps-1:0]          grant_o,         // its slot, one-hot
  output logic [SlotW-1:0]          grant_slot_o,    // its slot as a number
  input  logic                      issue_i,         // the granted warp issues at this edge; only with a grant
  // All warps in order of priority; from registers only. All 0 without FullOrder.
  output logic [Warps*SlotW-1:0]    order_o,         // position p at [p*SlotW +: SlotW]; 0 from order_count_o on
  output logic [CountW-1:0]         order_count_o
);
  if (Warps < 8 || Warps > 48) $error("Warps must be 8 to 48");
  if (Groups < 2 || Groups > 8) $error("Groups must be 2 to 8");
  if (BudgetW < 1) $error("BudgetW must be at least 1");

  logic [Warps-1:0] enter, leave, valid;
  warp_slots #(.Slots(Warps)) u_slots (
    .clk_i, .rst_ni, .event_valid_i, .event_assign_i, .event_slot_i, .enter_o(enter), .leave_o(leave), .valid_o(valid)
  );

  // From the first ready slot on: of the slots after the last one, and of all slots.
  logic [Warps-1:0] after_q, from_after, from_any, from;
  prefix_or #(.Width(Warps)) u_after (.data_i(ready_i & after_q), .prefix_o(from_after));
  prefix_or #(.Width(Warps)) u_any (.data_i(ready_i), .prefix_o(from_any));
  assign from = (from_after[Warps-1] ? from_after : from_any);

  assign grant_valid_o = from_any[Warps-1];
  assign grant_o       = from & ~(from << 1);
  slot_number #(.Slots(Warps)) u_number (.select_i(grant_o), .slot_o(grant_slot_o));

  always_ff @(posedge clk_i) begin
    if (issue_i) after_q <= from << 1;
    if (!rst_ni) after_q <= '1;
  end

  if (FullOrder) begin : gen_order
    // The slots with a warp, in ascending cyclic order from the slot after the last one.
    logic [SlotW-1:0]       last;
    logic                   wraps;
    logic [Warps-1:0]       list_valid, behind, after_last, wrapped, unused_equal, unused_is_last;
    logic [SlotW*Warps-1:0] list, rotated;
    compare_positions #(.Slots(Warps), .Width(SlotW)) u_behind (
      .plane_i(list), .word_i(event_slot_i), .above_o(behind), .equal_o(unused_equal)
    );
    sorted_list #(.Slots(Warps), .Width(SlotW), .KeyW(SlotW)) u_list (
      .clk_i, .rst_ni, .enter_i(|enter), .enter_word_i(event_slot_i), .behind_i(behind | ~list_valid),
      .leave_i(|leave), .leave_key_i(event_slot_i), .valid_o(list_valid), .count_o(order_count_o), .plane_o(list)
    );
    slot_number #(.Slots(Warps)) u_last (.select_i(~after_q & {1'b1, after_q[Warps-1:1]}), .slot_o(last));
    compare_positions #(.Slots(Warps), .Width(SlotW)) u_wrapped (
      .plane_i(list), .word_i(last), .above_o(after_last), .equal_o(unused_is_last)
    );
    // If all would wrap, none does.
    assign wraps   = |(list_valid & after_last) && !after_q[0];
    assign wrapped = list_valid & ~after_last & {Warps{wraps}};
    rotate_list #(.Slots(Warps), .Width(SlotW)) u_rotate (
      .plane_i(list), .count_i(order_count_o), .wrapped_i(wrapped), .plane_o(rotated)
    );
    list_words #(.Slots(Warps), .Width(SlotW)) u_words (.plane_i(rotated), .word_o(order_o));
    logic unused_matches;
    assign unused_matches = ^{unused_equal, unused_is_last};
`ifdef VERILATOR
    order_contract #(.Slots(Warps), .Groups(1)) u_contract (
      .clk_i, .rst_ni, .member_i(valid), .ready_i, .grant_i(grant_o), .order_i(order_o), .count_i(order_count_o)
    );
`endif
  end else begin : gen_no_order
    assign order_o       = '0;
    assign order_count_o = '0;
  end

  logic unused;
  assign unused = ^{enter, leave, valid, event_group_i, budget_i};

`ifdef GPUTLM_ASSERTIONS
  logic [Warps-1:0] lower;  // slots below the granted one
  assign lower = grant_o - 1'b1;
`endif
  `GPUTLM_ASSERT(grant_one_hot, $onehot0(grant_o) && (|grant_o) == grant_valid_o)
  `GPUTLM_ASSERT(grant_ready, (grant_o & ~ready_i) == '0)
  `GPUTLM_ASSERT(work_conserving, grant_valid_o == |ready_i)
  `GPUTLM_ASSERT(next_in_turn, !grant_valid_o || ((ready_i & after_q) == '0 ? (ready_i & lower) == '0
                                             : (grant_o & after_q) != '0 && (ready_i & after_q & lower) == '0))
  `GPUTLM_ASSUME(enters_free_slot, (enter & valid) == '0)
  `GPUTLM_ASSUME(leaves_its_slot, (leave & ~valid) == '0)
  `GPUTLM_ASSUME(slot_exists, !event_valid_i || enter != '0 || leave != '0)
  `GPUTLM_ASSUME(ready_is_there, (ready_i & ~valid) == '0)
  `GPUTLM_ASSUME(issues_what_is_granted, !issue_i || ready_i != '0)
  `GPUTLM_COVER(turn_wraps, issue_i && (ready_i & after_q) == '0)
  `GPUTLM_COVER(issues_and_leaves, issue_i && (grant_o & leave) != '0)
endmodule
