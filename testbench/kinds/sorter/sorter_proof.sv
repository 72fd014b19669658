// The proof of a warp sorter (module `DUT): its contract, and how long a group waits for its turn. The script `prove` and
// `gputlm check --proof` (proof.cpp) start here and set the parameters.
//
// prove lrr: Ages=0 Turns=0
// prove gto: Ages=1 Turns=0
// prove qaws: Ages=1 Turns=1
module sorter_proof #(
  parameter  int unsigned Warps     = 8,
  parameter  int unsigned Groups    = 2,
  parameter  int unsigned BudgetW   = 2,
  parameter  bit          Ordered   = 1'b1,  // see sorter_contract.sv, also for the next two
  parameter  bit          FullOrder = 1'b1,
  parameter  bit          BothForms = 1'b1,
  parameter  bit          Ages      = 1'b0,  // GTO, QAWS
  parameter  bit          Turns     = 1'b0,  // QAWS
  parameter  bit          Lemmas    = 1'b1,  // also asserts what links the sorter's state to the reference
  parameter  bit          Waiting   = 1'b0,  // see sorter_waiting.sv
  parameter  int unsigned Earlier   = 0,     // with Waiting: see sorter_waiting.sv
  localparam int unsigned SlotW     = $clog2(Warps),
  localparam int unsigned GroupW    = $clog2(Groups),
  localparam int unsigned CountW    = $clog2(Warps + 1),
  localparam int unsigned WordW     = Turns ? SlotW + GroupW : SlotW
) (
  input logic                      clk_i,
  input logic                      rst_ni,
  input logic                      event_valid_i,
  input logic                      event_assign_i,
  input logic [SlotW-1:0]          event_slot_i,
  input logic [GroupW-1:0]         event_group_i,
  input logic [Groups*BudgetW-1:0] budget_i,
  input logic [Warps-1:0]          ready_i,
  input logic                      issue_i
);
  // Arbitrary constants.
  (* anyconst *) logic [SlotW-1:0] a_slot;
  (* anyconst *) logic [SlotW-1:0] b_slot;
  (* anyconst *) logic [SlotW-1:0] c_slot;

  logic                   grant_valid;
  logic [Warps-1:0]       grant;
  logic [SlotW-1:0]       grant_slot;
  logic [Warps*SlotW-1:0] order;
  logic [CountW-1:0]      order_count;
  `DUT #(.Warps(Warps), .Groups(Groups), .BudgetW(BudgetW), .FullOrder(FullOrder)) dut (
    .*, .grant_valid_o(grant_valid), .grant_o(grant), .grant_slot_o(grant_slot), .order_o(order), .order_count_o(order_count)
  );
  // The form without the order makes the same decisions.
  logic [Warps-1:0] pick_grant;
  logic [SlotW-1:0] pick_slot;
  if (BothForms) begin : gen_pick
    `DUT #(.Warps(Warps), .Groups(Groups), .BudgetW(BudgetW), .FullOrder(1'b0)) pick (
      .*, .grant_valid_o(), .grant_o(pick_grant), .grant_slot_o(pick_slot), .order_o(), .order_count_o()
    );
  end else begin : gen_no_pick
    assign {pick_grant, pick_slot} = '0;
  end

  logic enter, leave;
  assign enter = event_valid_i && event_assign_i;
  assign leave = event_valid_i && !event_assign_i;

  logic [Warps-1:0]          valid;
  logic [CountW-1:0]         count;
  logic [Warps*GroupW-1:0]   group;
  logic [Warps*Warps-1:0]    before;
  logic [Groups*BudgetW-1:0] budget;
  logic [Groups-1:0]         occupied;
  logic                      greedy_valid, history, counted;
  logic [SlotW-1:0]          greedy, last;
  logic [GroupW-1:0]         turn;
  logic [BudgetW-1:0]        switches;
  sorter_reference #(.Warps(Warps), .Groups(Groups), .BudgetW(BudgetW)) u_reference (
    .clk_i, .rst_ni, .assign_i(enter), .release_i(leave), .slot_i(event_slot_i), .group_i(event_group_i), .budget_i,
    .issue_i, .grant_slot_i(grant_slot), .valid_o(valid), .count_o(count), .group_o(group), .before_o(before),
    .budget_o(budget), .occupied_o(occupied), .greedy_valid_o(greedy_valid), .greedy_o(greedy), .last_o(last), .turn_o(turn),
    .switches_o(switches), .history_o(history), .counted_o(counted)
  );

  // Assumptions about the environment.
  logic              running_q = 1'b0;
  logic [Groups-1:0] budget_moves, budget_meets, budget_zero;
  always_ff @(posedge clk_i) running_q <= 1'b1;
  always_comb begin
    for (int unsigned g = 0; g < Groups; g++) begin
      budget_moves[g] = occupied[g] && budget_i[g*BudgetW+:BudgetW] != budget[g*BudgetW+:BudgetW];
      budget_meets[g] = occupied[g] && GroupW'(g) != event_group_i
          && budget_i[g*BudgetW+:BudgetW] == budget_i[event_group_i*BudgetW+:BudgetW];
      budget_zero[g]  = budget_i[g*BudgetW+:BudgetW] == '0;
    end
    assume (running_q || !rst_ni);  // reset comes first
    assume (a_slot != b_slot && a_slot != c_slot && b_slot != c_slot);
    assume ({1'b0, a_slot} < (SlotW+1)'(Warps) && {1'b0, b_slot} < (SlotW+1)'(Warps));
    assume ({1'b0, c_slot} < (SlotW+1)'(Warps) && {1'b0, event_slot_i} < (SlotW+1)'(Warps));
    assume ({1'b0, event_group_i} < (GroupW+1)'(Groups));
    assume (!enter || !valid[event_slot_i]);
    assume (!leave || valid[event_slot_i]);
    assume ((ready_i & ~valid) == '0);
    assume (!issue_i || ready_i != '0);
    assume (budget_zero == '0);
    if (Turns || !Ordered) assume (budget_moves == '0);
    if (Turns || !Ordered) assume (!enter || budget_meets == '0);
  end

  // Whether A goes before B by the rules.
  logic [GroupW-1:0]  a_group, b_group, c_group;
  logic [BudgetW-1:0] a_budget, b_budget, turn_budget;
  logic               a_wraps, b_wraps, a_before_b;
  assign a_group     = group[a_slot*GroupW+:GroupW];
  assign b_group     = group[b_slot*GroupW+:GroupW];
  assign c_group     = group[c_slot*GroupW+:GroupW];
  assign a_budget    = budget_i[a_group*BudgetW+:BudgetW];
  assign b_budget    = budget_i[b_group*BudgetW+:BudgetW];
  assign turn_budget = budget_i[turn*BudgetW+:BudgetW];
  always_comb begin
    if (!Ages) begin  // cyclic order of the slots after the last one
      a_wraps    = a_slot <= last;
      b_wraps    = b_slot <= last;
      a_before_b = a_wraps == b_wraps ? a_slot < b_slot : b_wraps;
    end else if (Turns && a_group != b_group) begin  // descending cyclic order of budgets from the group in turn
      a_wraps    = a_budget > turn_budget;
      b_wraps    = b_budget > turn_budget;
      a_before_b = a_wraps == b_wraps ? a_budget > b_budget : b_wraps;
    end else begin  // greedy, then oldest
      a_wraps    = 1'b0;
      b_wraps    = 1'b0;
      a_before_b = (greedy_valid && greedy == a_slot) || (!(greedy_valid && greedy == b_slot) && before[b_slot*Warps+a_slot]);
    end
  end

  sorter_contract #(.Warps(Warps), .Groups(Groups), .Ordered(Ordered), .FullOrder(FullOrder), .BothForms(BothForms), .Turns(Turns)) u_contract (
    .rst_ni, .ready_i, .grant_valid_i(grant_valid), .grant_i(grant), .grant_slot_i(grant_slot), .order_i(order),
    .order_count_i(order_count), .pick_grant_i(pick_grant), .pick_slot_i(pick_slot), .valid_i(valid), .turn_i(turn),
    .a_slot_i(a_slot), .b_slot_i(b_slot), .c_slot_i(c_slot), .a_group_i(a_group), .b_group_i(b_group),
    .c_group_i(c_group), .a_before_b_i(a_before_b)
  );
  if (Turns) begin : gen_within_budget
    always_comb if (rst_ni) within_budget: assert (valid == '0 || switches <= turn_budget);
  end

  if (Waiting) begin : gen_waiting
    sorter_waiting #(.Groups(Groups), .BudgetW(BudgetW), .Earlier(Earlier), .Lemmas(Lemmas)) u_waiting (
      .clk_i, .rst_ni, .budget_i, .occupied_i(occupied), .turn_i(turn), .switches_i(switches), .history_i(history),
      .counted_i(counted)
    );
  end

  // Registers of the sorter, joined by name when the design is flattened.
  (* hierconn *) logic [Warps-1:0]         \dut.gen_order.u_list.valid_o ;
  (* hierconn *) logic [WordW*Warps-1:0]   \dut.gen_order.u_list.plane_o ;
  (* hierconn *) logic [Warps-1:0]         \dut.u_slots.valid_o ;
  (* hierconn *) logic [Warps-1:0]         \dut.after_q ;
  (* hierconn *) logic [Warps*Warps-1:0]   \dut.u_ages.older_o ;
  (* hierconn *) logic [Warps-1:0]         \dut.greedy_q ;
  (* hierconn *) logic [Groups*Warps-1:0]  \dut.member_q ;
  (* hierconn *) logic [Groups-1:0]        \dut.greedy_group_q ;
  (* hierconn *) logic [Groups-1:0]        \dut.turn_q ;
  (* hierconn *) logic [BudgetW-1:0]       \dut.switches_q ;
  (* hierconn *) logic                     \dut.history_q ;
  (* hierconn *) logic [Groups*Groups-1:0] \dut.u_ranks.larger_o ;
  (* hierconn *) logic [Warps-1:0]         \gen_pick.pick.u_slots.valid_o ;
  (* hierconn *) logic [Warps-1:0]         \gen_pick.pick.after_q ;
  (* hierconn *) logic [Warps*Warps-1:0]   \gen_pick.pick.u_ages.older_o ;
  (* hierconn *) logic [Warps-1:0]         \gen_pick.pick.greedy_q ;
  (* hierconn *) logic [Groups*Warps-1:0]  \gen_pick.pick.member_q ;
  (* hierconn *) logic [Groups-1:0]        \gen_pick.pick.greedy_group_q ;
  (* hierconn *) logic [Groups-1:0]        \gen_pick.pick.turn_q ;
  (* hierconn *) logic [BudgetW-1:0]       \gen_pick.pick.switches_q ;
  (* hierconn *) logic                     \gen_pick.pick.history_q ;
  (* hierconn *) logic [Groups*Groups-1:0] \gen_pick.pick.u_ranks.larger_o ;

  if (Lemmas) begin : gen_lemmas
    logic [Warps-1:0]         dut_after, dut_greedy;
    logic [Warps*Warps-1:0]   dut_older;
    logic [Groups*Warps-1:0]  dut_member;
    logic [Groups-1:0]        dut_greedy_group, dut_turn;
    logic [BudgetW-1:0]       dut_switches;
    logic                     dut_history;
    logic [Groups*Groups-1:0] dut_larger;
    logic [Warps*Warps-1:0]   pick_older;
    logic [Groups-1:0]        pick_greedy_group;
    logic [Groups*Groups-1:0] pick_larger;
    logic                     same_order, same_turns;  // the forms agree on this state
    // Not every sorter has every register.
    if (Ages) begin : gen_ages
      assign dut_after  = '0;
      assign dut_older  = \dut.u_ages.older_o ;
      assign dut_greedy = \dut.greedy_q ;
      assign pick_older = \gen_pick.pick.u_ages.older_o ;
      assign same_order = \dut.greedy_q == \gen_pick.pick.greedy_q ;
    end else begin : gen_no_ages
      assign dut_after  = \dut.after_q ;
      assign dut_older  = '0;
      assign dut_greedy = '0;
      assign pick_older = '0;
      assign same_order = \dut.after_q == \gen_pick.pick.after_q ;
    end
    if (Turns) begin : gen_turns
      assign dut_member       = \dut.member_q ;
      assign dut_greedy_group = \dut.greedy_group_q ;
      assign dut_turn         = \dut.turn_q ;
      assign dut_switches     = \dut.switches_q ;
      assign dut_history      = \dut.history_q ;
      assign dut_larger       = \dut.u_ranks.larger_o ;
      assign pick_greedy_group = \gen_pick.pick.greedy_group_q ;
      assign pick_larger       = \gen_pick.pick.u_ranks.larger_o ;
      assign same_turns        = {\dut.member_q , \dut.turn_q , \dut.switches_q , \dut.history_q }
          == {\gen_pick.pick.member_q , \gen_pick.pick.turn_q , \gen_pick.pick.switches_q , \gen_pick.pick.history_q };
    end else begin : gen_no_turns
      assign {dut_member, dut_greedy_group, dut_turn, dut_switches, dut_history, dut_larger} = '0;
      assign {pick_greedy_group, pick_larger} = '0;
      assign same_turns = 1'b1;
    end
    sorter_lemmas #(.Warps(Warps), .Groups(Groups), .BudgetW(BudgetW), .Ages(Ages), .Turns(Turns)) u_lemmas (
      .rst_ni, .dut_valid_i(\dut.u_slots.valid_o ), .dut_after_i(dut_after), .dut_older_i(dut_older),
      .dut_greedy_i(dut_greedy), .dut_member_i(dut_member), .dut_greedy_group_i(dut_greedy_group),
      .dut_turn_i(dut_turn), .dut_switches_i(dut_switches), .dut_history_i(dut_history), .dut_larger_i(dut_larger),
      .valid_i(valid), .count_i(count), .group_i(group), .budget_i(budget), .occupied_i(occupied), .greedy_valid_i(greedy_valid),
      .greedy_i(greedy), .last_i(last), .turn_i(turn), .switches_i(switches), .history_i(history), .before_i(before)
    );
    sorter_list_lemmas #(.Warps(Warps), .Groups(Groups), .BudgetW(BudgetW), .Ages(Ages), .Turns(Turns)) u_list (
      .rst_ni, .list_valid_i(\dut.gen_order.u_list.valid_o ), .list_i(\dut.gen_order.u_list.plane_o ), .valid_i(valid),
      .count_i(count), .group_i(group), .before_i(before), .budget_i(budget)
    );
    sorter_same_state #(.Warps(Warps), .Groups(Groups), .BudgetW(BudgetW)) u_same (
      .rst_ni, .valid_i(valid), .occupied_i(occupied), .greedy_valid_i(greedy_valid), .older_i(dut_older),
      .pick_older_i(pick_older), .greedy_group_i(dut_greedy_group), .pick_greedy_group_i(pick_greedy_group),
      .larger_i(dut_larger), .pick_larger_i(pick_larger),
      .same_i(\dut.u_slots.valid_o == \gen_pick.pick.u_slots.valid_o && same_order && same_turns)
    );
  end
endmodule
