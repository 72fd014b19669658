`include "assertions.svh"

// QoS-aware warp scheduling: selects the ready warp of a sub-core that issues. Warps of kernels with the same budget form
// a group. The group in turn goes first; the others follow in descending cyclic order of their budgets. Within a group,
// the warp that issued last goes first, then the oldest. An issue by a warp of the group in turn other than the group's
// first warp is a context switch; the first switch beyond the group's budget ends its turn.
// Source: qaws, section IV-A, algorithm 1, for any number of groups.
//
// Guarantee: a combinational, work-conserving grant without sorting in its path: it picks the group, then the oldest
// of its ready warps. At an edge, the issue comes first, then the event; without an issue, only the event changes
// the state. When the last warp of a group leaves, the group passes its turn on. Until a warp has issued since the sub-core
// was last empty, the group with the largest budget has the turn. Only the group in turn counts switches: one counter.
//
// The environment keeps a group's budget constant while the group has warps, and gives no two such groups the same one.
//
// Cost: the age matrix and the two finders grow with the square of Warps, the group masks with Warps * Groups; delay grows
// with the logarithm of both. Thousand NAND2 equivalents / ns with Debian's qflow-tech-osu018 (180 nm, typical),
// without FullOrder:
//   warps   2 groups      4 groups      8 groups      GTO
//       8   1.1 / 2.1     1.7 / 2.5     3.3 / 2.9     0.4 / 1.1
//      16   2.7 / 2.3     3.5 / 2.6     5.4 / 3.3     1.6 / 1.2
//      24   5.3 / 2.5     6.5 / 2.7     8.9 / 3.2     2.9 / 1.4
//      48   17.3 / 2.7    19.1 / 3.1    22.6 / 3.5    10.9 / 1.6
// A separate list holds the order, sorted as warps come and go (sorted_list); it is not in the path of the grant.
// With it, 6.1 / 3.2 for 16 warps, 2 groups (GTO 3.5 / 2.4), 42.9 / 3.9 for 48 warps, 8 groups (19.0 / 3.1).
// A finder for all groups at once, which does not wait for the group, made the block 27 % (2 groups) to 42 % (8 groups)
// larger and 2 to 11 % faster at 16 warps. A sort that counts the warps before each warp, in place of the list, made the
// block 4 % larger and 27 % slower at 16 warps and 2 groups, and grows with the square of Warps.
module qaws_sorter #(
  parameter  int unsigned Warps     = 16,    // slots; 8 to 48
  parameter  int unsigned Groups    = 2,     // 2 to 8
  parameter  int unsigned BudgetW   = 8,     // bits of a budget
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
  input  logic [GroupW-1:0]         event_group_i,   // group of the warp that moves in; below Groups
  input  logic [Groups*BudgetW-1:0] budget_i,        // group g at [g*BudgetW +: BudgetW]; at least 1
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

  // The warps of each group, and how the groups change at this edge.
  logic [Groups*Warps-1:0] member_q;  // group g at [g*Warps +: Warps]
  logic [Groups-1:0]       occupied, enter_group, ready_group, left_occupied;
  always_comb begin
    for (int unsigned g = 0; g < Groups; g++) begin
      enter_group[g]   = event_valid_i && event_assign_i && event_group_i == GroupW'(g);
      occupied[g]      = |member_q[g*Warps+:Warps];
      left_occupied[g] = |(member_q[g*Warps+:Warps] & ~leave);
      ready_group[g]   = |(member_q[g*Warps+:Warps] & ready_i);
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned g = 0; g < Groups; g++) begin
      member_q[g*Warps+:Warps] <= (member_q[g*Warps+:Warps] | (enter & {Warps{enter_group[g]}})) & ~leave;
      if (!rst_ni) member_q[g*Warps+:Warps] <= '0;
    end
  end

  // The order of the groups, starting with the group in turn.
  logic [Groups-1:0]        turn_q, wrapped, enters_larger, grant_group, next;
  logic [Groups*Groups-1:0] larger;
  budget_ranks #(.Groups(Groups), .BudgetW(BudgetW)) u_ranks (
    .clk_i, .enter_i(enter_group), .budget_i, .enters_larger_o(enters_larger), .larger_o(larger)
  );
  always_comb begin
    for (int unsigned g = 0; g < Groups; g++) wrapped[g] = |(larger[g*Groups+:Groups] & turn_q);
  end
  groups_in_turn #(.Groups(Groups)) u_grant_group (
    .larger_i(larger), .wrapped_i(wrapped), .present_i(ready_group), .first_o(grant_group)
  );

  // The first ready warp of that group.
  logic [Warps*Warps-1:0] older;
  logic [Warps-1:0]       greedy_q;        // the warp that issued last, until it leaves
  logic [Groups-1:0]      greedy_group_q;  // and its group
  logic [Warps-1:0]       in_grant_group, candidate, oldest;
  logic                   greedy_grant;
  one_hot_mux #(.Inputs(Groups), .Width(Warps)) u_in_grant_group (
    .select_i(grant_group), .data_i(member_q), .data_o(in_grant_group)
  );
  assign candidate = ready_i & in_grant_group;
  age_matrix #(.Slots(Warps)) u_ages (.clk_i, .enter_i(enter), .older_o(older));
  find_oldest #(.Slots(Warps)) u_oldest (.request_i(candidate), .older_i(older), .oldest_o(oldest));
  assign greedy_grant  = |(ready_i & greedy_q) && (grant_group & greedy_group_q) != '0;
  assign grant_valid_o = |ready_i;
  assign grant_o       = (greedy_grant ? greedy_q : oldest);
  slot_number #(.Slots(Warps)) u_number (.select_i(grant_o), .slot_o(grant_slot_o));

  always_ff @(posedge clk_i) begin
    greedy_q <= (issue_i ? grant_o : greedy_q) & ~leave;
    if (issue_i) greedy_group_q <= grant_group;
    if (!rst_ni) greedy_q <= '0;
  end

  // Whether this issue is a context switch: a warp of the group in turn is ready, and the first warp of that group is not.
  // This is known in parallel with the grant.
  logic [Warps-1:0] in_turn, oldest_in_turn, head;
  logic             greedy_in_turn, is_switch;
  one_hot_mux #(.Inputs(Groups), .Width(Warps)) u_in_turn (
    .select_i(turn_q), .data_i(member_q), .data_o(in_turn)
  );
  find_oldest #(.Slots(Warps)) u_head (.request_i(in_turn), .older_i(older), .oldest_o(oldest_in_turn));
  assign greedy_in_turn = |greedy_q && (greedy_group_q & turn_q) != '0;
  assign head           = (greedy_in_turn ? greedy_q : oldest_in_turn);
  assign is_switch      = |(ready_i & in_turn) && (ready_i & head) == '0 && (occupied & ~turn_q) != '0;

  // The budget of the group in turn, and the group after it; a turn also ends when its group does.
  logic [BudgetW-1:0] switches_q, budget;
  logic               spent, turn_ends, history_q;
  one_hot_mux #(.Inputs(Groups), .Width(BudgetW)) u_budget (.select_i(turn_q), .data_i(budget_i), .data_o(budget));
  assign spent     = switches_q == budget;
  assign turn_ends = (issue_i && is_switch && spent) || (turn_q & left_occupied) == '0;
  groups_in_turn #(.Groups(Groups)) u_next (
    .larger_i(larger), .wrapped_i(wrapped | turn_q), .present_i(left_occupied), .first_o(next)
  );

  always_ff @(posedge clk_i) begin
    if (issue_i && is_switch) switches_q <= switches_q + 1'b1;
    if (issue_i) history_q <= 1'b1;
    if (turn_ends) begin
      turn_q     <= next;
      switches_q <= '0;
    end
    // Without history, the group with the largest budget has the turn.
    if (!(history_q || issue_i) && (occupied == '0 || (turn_q & enters_larger) != '0) && enter_group != '0)
      turn_q <= enter_group;
    if (left_occupied == '0) history_q <= 1'b0;
    if (!rst_ni) begin
      turn_q     <= '0;
      switches_q <= '0;
      history_q  <= 1'b0;
    end
  end

  if (FullOrder) begin : gen_order
    // The warps in descending order of their groups' budgets, oldest first within a group; each with its group.
    localparam int unsigned WordW = SlotW + GroupW;
    logic [Warps-1:0]        list_valid;
    logic [WordW*Warps-1:0]  list;
    logic [Groups*Warps-1:0] in_group;  // positions with a warp of group g
    always_comb begin
      for (int unsigned g = 0; g < Groups; g++) begin
        in_group[g*Warps+:Warps] = list_valid;
        for (int unsigned k = 0; k < GroupW; k++)
          in_group[g*Warps+:Warps] = in_group[g*Warps+:Warps] & (list[(SlotW+k)*Warps+:Warps] ~^ {Warps{g[k]}});
      end
    end
    logic [Warps-1:0] of_smaller;
    one_hot_mux #(.Inputs(Groups), .Width(Warps)) u_of_smaller (
      .select_i(enters_larger), .data_i(in_group), .data_o(of_smaller)
    );
    sorted_list #(.Slots(Warps), .Width(WordW), .KeyW(SlotW)) u_list (
      .clk_i, .rst_ni, .enter_i(|enter), .enter_word_i({event_group_i, event_slot_i}),
      .behind_i(of_smaller | ~list_valid), .leave_i(|leave), .leave_key_i(event_slot_i), .valid_o(list_valid),
      .count_o(order_count_o), .plane_o(list)
    );

    // Moves the greedy warp to the front of its group, then the group in turn to the front.
    logic [SlotW-1:0]       greedy;
    logic [Warps-1:0]       greedy_part, is_greedy, unused_above, wrapped_part;
    logic [SlotW*Warps-1:0] greedy_first, rotated;
    slot_number #(.Slots(Warps)) u_greedy (.select_i(greedy_q), .slot_o(greedy));
    one_hot_mux #(.Inputs(Groups), .Width(Warps)) u_greedy_part (
      .select_i(greedy_group_q), .data_i(in_group), .data_o(greedy_part)
    );
    one_hot_mux #(.Inputs(Groups), .Width(Warps)) u_wrapped_part (
      .select_i(wrapped), .data_i(in_group), .data_o(wrapped_part)
    );
    compare_positions #(.Slots(Warps), .Width(SlotW)) u_is_greedy (
      .plane_i(list[SlotW*Warps-1:0]), .word_i(greedy), .above_o(unused_above), .equal_o(is_greedy)
    );
    to_front #(.Slots(Warps), .Width(SlotW)) u_front (
      .plane_i(list[SlotW*Warps-1:0]), .part_i(greedy_part), .at_i(is_greedy & list_valid & {Warps{|greedy_q}}),
      .word_i(greedy), .plane_o(greedy_first)
    );
    rotate_list #(.Slots(Warps), .Width(SlotW)) u_rotate (
      .plane_i(greedy_first), .count_i(order_count_o), .wrapped_i(wrapped_part), .plane_o(rotated)
    );
    list_words #(.Slots(Warps), .Width(SlotW)) u_words (.plane_i(rotated), .word_o(order_o));
    logic unused_matches;
    assign unused_matches = ^unused_above;
`ifdef VERILATOR
    order_contract #(.Slots(Warps), .Groups(Groups)) u_contract (
      .clk_i, .rst_ni, .member_i(member_q), .ready_i, .grant_i(grant_o), .order_i(order_o), .count_i(order_count_o)
    );
`endif
  end else begin : gen_no_order
    assign order_o       = '0;
    assign order_count_o = '0;
  end

  `GPUTLM_ASSERT(grant_one_hot, $onehot0(grant_o) && (|grant_o) == grant_valid_o)
  `GPUTLM_ASSERT(grant_ready, (grant_o & ~ready_i) == '0)
  `GPUTLM_ASSERT(work_conserving, grant_valid_o == |ready_i)
  `GPUTLM_ASSERT(turn_first, (ready_i & in_turn) == '0 || (grant_o & in_turn) != '0)
  `GPUTLM_ASSERT(head_first, (ready_i & head) == '0 || grant_o == head)
  `GPUTLM_ASSERT(one_turn, $onehot0(turn_q) && (turn_q & ~occupied) == '0 && (|turn_q) == (|occupied))
  `GPUTLM_ASSERT(within_budget, turn_q == '0 || switches_q <= budget)
  `GPUTLM_ASSERT(greedy_is_there, (greedy_q & ~valid) == '0 && $onehot0(greedy_q))
  `GPUTLM_ASSUME(enters_free_slot, (enter & valid) == '0)
  `GPUTLM_ASSUME(leaves_its_slot, (leave & ~valid) == '0)
  `GPUTLM_ASSUME(slot_exists, !event_valid_i || enter != '0 || leave != '0)
  `GPUTLM_ASSUME(group_exists, !(event_valid_i && event_assign_i) || enter_group != '0)
  `GPUTLM_ASSUME(ready_is_there, (ready_i & ~valid) == '0)
  `GPUTLM_ASSUME(issues_what_is_granted, !issue_i || ready_i != '0)
  `GPUTLM_COVER(switch, issue_i && is_switch && !spent)
  `GPUTLM_COVER(turn_passes, issue_i && is_switch && spent)
  `GPUTLM_COVER(turn_stalls, issue_i && (grant_o & in_turn) == '0)
  `GPUTLM_COVER(group_ends_in_turn, left_occupied != '0 && (turn_q & left_occupied) == '0)
  `GPUTLM_COVER(issues_and_leaves, issue_i && (grant_o & leave) != '0)
endmodule
