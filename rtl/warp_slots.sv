// Tracks which warp slots of a sub-core have a warp.
//
// Guarantee: `enter_o` and `leave_o` are the slot of this cycle's event, one-hot, or 0; `valid_o` marks the slots with a
// warp, before this cycle's event. Reset empties all slots.
//
// Cost: Slots flip-flops and a decoder.
module warp_slots #(
  parameter  int unsigned Slots = 16,
  localparam int unsigned SlotW = $clog2(Slots)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             event_valid_i,
  input  logic             event_assign_i,  // 1: a warp moves into the slot; 0: it leaves
  input  logic [SlotW-1:0] event_slot_i,
  output logic [Slots-1:0] enter_o,
  output logic [Slots-1:0] leave_o,
  output logic [Slots-1:0] valid_o
);
  logic [Slots-1:0] slot;
  always_comb begin
    for (int unsigned i = 0; i < Slots; i++) slot[i] = event_slot_i == SlotW'(i);
  end
  assign enter_o = slot & {Slots{event_valid_i && event_assign_i}};
  assign leave_o = slot & {Slots{event_valid_i && !event_assign_i}};

  always_ff @(posedge clk_i) begin
    valid_o <= (valid_o | enter_o) & ~leave_o;
    if (!rst_ni) valid_o <= '0;
  end
endmodule
