// Applies the rules to the events at a sorter's ports (models/sm/qaws.h, greedy_by_age.cpp, lrr.cpp): which slots have a warp,
// of which group, and in which order they came; the warp that issued last; whose turn it is, and the switches counted in it.
// At an edge, the issue comes first, then the event.
module sorter_reference #(
  parameter  int unsigned Warps   = 8,
  parameter  int unsigned Groups  = 2,
  parameter  int unsigned BudgetW = 2,
  localparam int unsigned SlotW   = $clog2(Warps),
  localparam int unsigned GroupW  = $clog2(Groups),
  localparam int unsigned CountW  = $clog2(Warps + 1)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      assign_i,
  input  logic                      release_i,
  input  logic [SlotW-1:0]          slot_i,
  input  logic [GroupW-1:0]         group_i,
  input  logic [Groups*BudgetW-1:0] budget_i,
  input  logic                      issue_i,
  input  logic [SlotW-1:0]          grant_slot_i,
  output logic [Warps-1:0]          valid_o,
  output logic [CountW-1:0]         count_o,       // how many slots have a warp
  output logic [Warps*GroupW-1:0]   group_o,       // group of the warp in each slot
  output logic [Warps*Warps-1:0]    before_o,      // [i*Warps+j]: the warp in slot j came before that in slot i
  output logic [Groups*BudgetW-1:0] budget_o,      // budget of each group, as it was when its first warp came
  output logic [Groups-1:0]         occupied_o,    // groups with a warp
  output logic                      greedy_valid_o,
  output logic [SlotW-1:0]          greedy_o,      // the warp that issued last, until it leaves
  output logic [SlotW-1:0]          last_o,        // the slot that issued last
  output logic [GroupW-1:0]         turn_o,        // the group whose turn it is, if there is a warp
  output logic [BudgetW-1:0]        switches_o,    // counted in this turn
  output logic                      history_o,     // a warp has issued since the slots were last empty
  output logic                      counted_o      // this issue is a context switch that counts
);
  always_comb begin
    occupied_o = '0;
    for (int unsigned i = 0; i < Warps; i++) if (valid_o[i]) occupied_o[group_o[i*GroupW+:GroupW]] = 1'b1;
  end

  // The first warp of the group whose turn it is: greedy, then oldest.
  logic [Warps-1:0] in_turn;
  logic [SlotW-1:0] head;
  always_comb begin
    for (int unsigned i = 0; i < Warps; i++) in_turn[i] = valid_o[i] && group_o[i*GroupW+:GroupW] == turn_o;
    head = '0;
    for (int unsigned i = 0; i < Warps; i++)
      if (in_turn[i] && (in_turn & before_o[i*Warps+:Warps]) == '0) head = SlotW'(i);
    if (greedy_valid_o && in_turn[greedy_o]) head = greedy_o;
  end

  // Step by step: the issue, ...
  logic [BudgetW-1:0] budget, issued_switches;
  logic [GroupW-1:0]  after_turn, issued_turn;
  logic               turn_ends;
  sorter_next_group #(.Groups(Groups), .BudgetW(BudgetW)) u_after_turn (
    .from_i(turn_o), .budget_i, .present_i(occupied_o), .next_o(after_turn)
  );
  always_comb begin
    budget    = budget_i[turn_o*BudgetW+:BudgetW];
    counted_o = issue_i && (occupied_o & (occupied_o - 1'b1)) != '0
        && in_turn[grant_slot_i] && grant_slot_i != head;
    turn_ends       = counted_o && switches_o >= budget;
    issued_turn     = turn_ends ? after_turn : turn_o;
    issued_switches = turn_ends ? '0 : switches_o + BudgetW'(counted_o);
  end

  // ... the warp that leaves, ...
  logic [Groups-1:0] stays;
  logic [GroupW-1:0] after_end, left_turn;
  logic              group_ends;
  always_comb begin
    stays = '0;
    for (int unsigned i = 0; i < Warps; i++)
      if (valid_o[i] && !(release_i && slot_i == SlotW'(i))) stays[group_o[i*GroupW+:GroupW]] = 1'b1;
  end
  sorter_next_group #(.Groups(Groups), .BudgetW(BudgetW)) u_after_end (
    .from_i(issued_turn), .budget_i, .present_i(stays), .next_o(after_end)
  );
  assign group_ends = occupied_o[issued_turn] && !stays[issued_turn];
  assign left_turn  = group_ends ? after_end : issued_turn;

  // ... the warp that comes.
  logic left_history, largest;
  assign left_history = (history_o || issue_i) && stays != '0;
  assign largest      = stays == '0 || budget_i[group_i*BudgetW+:BudgetW] > budget_i[left_turn*BudgetW+:BudgetW];

  always_ff @(posedge clk_i) begin
    turn_o     <= (assign_i && !left_history && largest ? group_i : left_turn);
    switches_o <= (group_ends ? '0 : issued_switches);
    history_o  <= left_history;
    count_o    <= count_o + CountW'(assign_i) - CountW'(release_i);
    if (issue_i) begin
      greedy_valid_o <= 1'b1;
      greedy_o       <= grant_slot_i;
      last_o         <= grant_slot_i;
    end
    if (release_i) begin
      valid_o[slot_i] <= 1'b0;
      if (slot_i == (issue_i ? grant_slot_i : greedy_o)) greedy_valid_o <= 1'b0;
    end
    for (int unsigned i = 0; i < Warps; i++) begin
      if (assign_i && slot_i == SlotW'(i)) before_o[i*Warps+:Warps] <= valid_o;
      else if (assign_i) before_o[i*Warps+slot_i] <= 1'b0;
    end
    if (assign_i) begin
      valid_o[slot_i]                  <= 1'b1;
      group_o[slot_i*GroupW+:GroupW]   <= group_i;
      budget_o[group_i*BudgetW+:BudgetW] <= budget_i[group_i*BudgetW+:BudgetW];
    end
    if (!rst_ni) begin
      valid_o        <= '0;
      count_o        <= '0;
      greedy_valid_o <= 1'b0;
      last_o         <= SlotW'(Warps - 1);
      turn_o         <= '0;
      switches_o     <= '0;
      history_o      <= 1'b0;
    end
  end
endmodule
