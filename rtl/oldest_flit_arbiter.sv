`include "assertions.svh"

// Selects the input whose packet leaves next through an output of a switch: the input with the oldest packet; on a tie,
// inputs take turns. The reference is models/noc/oldest.cpp.
//
// Guarantee: a combinational, work-conserving grant from a register and the heads. A
// packet whose age has reached the maximum waits for at most Inputs - 1 packets of
// others, so if ages grow, no packet waits forever. After reset, input 0 is first.
//
// Cost: Inputs, AgeW: that of `largest`, with next_in_turn after it; log2(Inputs) flip-flops. Apps, LengthW and WeightW belong
// to the ports that all flit arbiters share: unused ports cost no hardware.
module oldest_flit_arbiter #(
  parameter  int unsigned Inputs  = 8,   // inputs of the switch; 2 to 256
  parameter  int unsigned Apps    = 4,   // applications; 1 to 8
  parameter  int unsigned LengthW = 4,   // bits of the number of flits of a packet; 1 to 8
  parameter  int unsigned AgeW    = 12,  // bits of a packet's age; 1 to 16
  parameter  int unsigned WeightW = 6,   // bits of an application's weight; 1 to 8
  localparam int unsigned AppW    = Apps > 1 ? $clog2(Apps) : 1,
  localparam int unsigned InputW  = $clog2(Inputs)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,         // synchronous, active low
  // At each input, the first packet for this output.
  input  logic [Inputs-1:0]         head_valid_i,
  input  logic [Inputs*AppW-1:0]    head_app_i,     // below Apps
  input  logic [Inputs*LengthW-1:0] head_flits_i,   // not 0
  input  logic [Inputs*AgeW-1:0]    head_age_i,     // cycles since it was issued; saturates
  input  logic [Apps*WeightW-1:0]   weight_i,       // flits per turn; not 0, constant after reset
  output logic                      grant_valid_o,
  output logic [Inputs-1:0]         grant_o,        // the input whose packet leaves, one-hot; 0 if none does
  output logic [InputW-1:0]         grant_input_o,  // its number; 0 if none does
  input  logic                      grant_ready_i   // the packet leaves at this edge
);
  if (Inputs < 2 || Inputs > 256) $error("Inputs must be 2 to 256");
  if (Apps < 1 || Apps > 8) $error("Apps must be 1 to 8");

  // A valid head has a larger key than an invalid one.
  localparam int unsigned KeyW = AgeW + 1;
  logic [Inputs*KeyW-1:0] key;
  logic [Inputs-1:0]      oldest;
  for (genvar i = 0; i < Inputs; i++) begin : gen_input
    assign key[i*KeyW+:KeyW] = {head_valid_i[i], head_age_i[i*AgeW+:AgeW]};
  end
  largest #(.Inputs(Inputs), .Width(KeyW)) u_oldest (.number_i(key), .largest_o(oldest));

  logic [InputW-1:0] last_q;
  next_in_turn #(.Inputs(Inputs)) u_turn (.last_i(last_q), .request_i(oldest & head_valid_i), .next_o(grant_o));
  slot_number #(.Slots(Inputs)) u_number (.select_i(grant_o), .slot_o(grant_input_o));
  assign grant_valid_o = |head_valid_i;
  always_ff @(posedge clk_i) begin
    if (grant_valid_o && grant_ready_i) last_q <= grant_input_o;
    if (!rst_ni) last_q <= InputW'(Inputs - 1);
  end

  logic unused;
  assign unused = ^{head_app_i, head_flits_i, weight_i};

  `GPUTLM_ASSERT(grant_one_hot, $onehot0(grant_o) && (|grant_o) == grant_valid_o)
  `GPUTLM_ASSERT(granted_waits, (grant_o & ~head_valid_i) == '0)
  `GPUTLM_ASSERT(work_conserving, grant_valid_o == |head_valid_i)
  `GPUTLM_COVER(as_old, (oldest & (oldest - 1'b1)) != '0)
endmodule
