`include "assertions.svh"

// Greedy-then-oldest: selects the ready warp of a sub-core that issues: the warp that issued last, as long as it is ready,
// else the ready warp that was assigned first.
//
// Guarantee: a combinational, work-conserving grant without sorting in its path: a warp issues if it is the greedy one, or
// if neither the greedy one nor any older warp is ready. Groups and budgets are ignored: the ports match qaws_sorter.
//
// Cost: the age matrix and the finder grow with the square of Warps; the figures are with those of qaws_sorter. As there, a
// separate list holds the order.
module gto_sorter #(
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

  logic [Warps*Warps-1:0] older;
  age_matrix #(.Slots(Warps)) u_ages (.clk_i, .enter_i(enter), .older_o(older));

  logic [Warps-1:0] greedy_q;  // the warp that issued last, until it leaves
  logic [Warps-1:0] oldest;
  logic             greedy_ready;
  find_oldest #(.Slots(Warps)) u_oldest (.request_i(ready_i), .older_i(older), .oldest_o(oldest));
  assign greedy_ready  = |(ready_i & greedy_q);
  assign grant_valid_o = |ready_i;
  assign grant_o       = (ready_i & greedy_q) | (oldest & ~{Warps{greedy_ready}});
  slot_number #(.Slots(Warps)) u_number (.select_i(grant_o), .slot_o(grant_slot_o));

  always_ff @(posedge clk_i) begin
    greedy_q <= (issue_i ? grant_o : greedy_q) & ~leave;
    if (!rst_ni) greedy_q <= '0;
  end

  if (FullOrder) begin : gen_order
    // The warps, oldest first; the greedy one moves to the front.
    logic [SlotW-1:0]       greedy;
    logic [Warps-1:0]       list_valid, is_greedy, unused_above;
    logic [SlotW*Warps-1:0] list, greedy_first;
    sorted_list #(.Slots(Warps), .Width(SlotW), .KeyW(SlotW)) u_list (
      .clk_i, .rst_ni, .enter_i(|enter), .enter_word_i(event_slot_i), .behind_i(~list_valid),
      .leave_i(|leave), .leave_key_i(event_slot_i), .valid_o(list_valid), .count_o(order_count_o), .plane_o(list)
    );
    slot_number #(.Slots(Warps)) u_greedy (.select_i(greedy_q), .slot_o(greedy));
    compare_positions #(.Slots(Warps), .Width(SlotW)) u_is_greedy (
      .plane_i(list), .word_i(greedy), .above_o(unused_above), .equal_o(is_greedy)
    );
    to_front #(.Slots(Warps), .Width(SlotW)) u_front (
      .plane_i(list), .part_i(list_valid), .at_i(is_greedy & list_valid & {Warps{|greedy_q}}), .word_i(greedy),
      .plane_o(greedy_first)
    );
    list_words #(.Slots(Warps), .Width(SlotW)) u_words (.plane_i(greedy_first), .word_o(order_o));
    logic unused_matches;
    assign unused_matches = ^unused_above;
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
  assign unused = ^{valid, event_group_i, budget_i};

`ifdef GPUTLM_ASSERTIONS
  logic [Warps-1:0] before_grant;  // ready warps that are older than the granted one
  always_comb begin
    for (int unsigned j = 0; j < Warps; j++) begin
      before_grant[j] = 1'b0;
      for (int unsigned i = 0; i < Warps; i++)
        before_grant[j] = before_grant[j] | (ready_i[j] & grant_o[i]
            & (j < i ? older[i*Warps+j] : j > i & !older[j*Warps+i]));
    end
  end
`endif
  `GPUTLM_ASSERT(grant_one_hot, $onehot0(grant_o) && (|grant_o) == grant_valid_o)
  `GPUTLM_ASSERT(grant_ready, (grant_o & ~ready_i) == '0)
  `GPUTLM_ASSERT(work_conserving, grant_valid_o == |ready_i)
  `GPUTLM_ASSERT(greedy_first, (ready_i & greedy_q) == '0 || grant_o == greedy_q)
  `GPUTLM_ASSERT(else_oldest, (ready_i & greedy_q) != '0 || before_grant == '0)
  `GPUTLM_ASSERT(greedy_is_there, (greedy_q & ~valid) == '0 && $onehot0(greedy_q))
  `GPUTLM_ASSUME(enters_free_slot, (enter & valid) == '0)
  `GPUTLM_ASSUME(leaves_its_slot, (leave & ~valid) == '0)
  `GPUTLM_ASSUME(slot_exists, !event_valid_i || enter != '0 || leave != '0)
  `GPUTLM_ASSUME(ready_is_there, (ready_i & ~valid) == '0)
  `GPUTLM_ASSUME(issues_what_is_granted, !issue_i || ready_i != '0)
  `GPUTLM_COVER(greedy_over_older, issue_i && greedy_ready && grant_o != oldest)
  `GPUTLM_COVER(issues_and_leaves, issue_i && (grant_o & leave) != '0)
endmodule
