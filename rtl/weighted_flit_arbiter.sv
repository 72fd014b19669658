`include "assertions.svh"

// Selects the input whose packet leaves next through an output of a switch. Applications take turns, each for as many flits as
// its weight; the inputs with a packet of the application in turn take turns among themselves. The reference is
// models/noc/weighted.cpp.
//
// Guarantee: a combinational, work-conserving grant from registers and the heads. A turn ends with the packet that
// uses up its application's weight, or when the application has no packet. So while an application has a packet, at most as
// many packets of others leave before one of its own as the sum of their weights; and at most Inputs - 1 of its own packets
// leave before that of a given input. After reset, application 0 and input 0 are first.
//
// Cost: an input number for each application, a count of flits; Apps finders of valid
// heads, and one next_in_turn. LengthW and WeightW set the width of an adder and a
// comparison after the grant. AgeW belongs to the ports that all flit arbiters share.
module weighted_flit_arbiter #(
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

  // Whose turn it is or was, the flits sent in it, and whether it is over. The last input of each application.
  logic [AppW-1:0]        turn_q;
  logic [WeightW-1:0]     had_q;
  logic                   over_q;
  logic [Apps*InputW-1:0] last_q;

  // The heads by application.
  logic [Apps*Inputs-1:0] of_app;
  logic [Apps-1:0]        present, holds, next, app;
  for (genvar a = 0; a < Apps; a++) begin : gen_app
    for (genvar i = 0; i < Inputs; i++) begin : gen_input
      assign of_app[a*Inputs+i] = head_valid_i[i] && head_app_i[i*AppW+:AppW] == AppW'(a);
    end
    assign present[a] = |of_app[a*Inputs+:Inputs];
    assign holds[a]   = turn_q == AppW'(a) && !over_q && present[a];
  end
  logic goes_on;
  assign goes_on = |holds;
  next_application #(.Apps(Apps)) u_next (.last_i(turn_q), .present_i(present), .next_o(next));
  assign app = goes_on ? holds : next;

  // The next input of this application.
  logic [Inputs-1:0] heads;
  logic [InputW-1:0] last;
  one_hot_mux #(.Inputs(Apps), .Width(Inputs)) u_heads (.select_i(app), .data_i(of_app), .data_o(heads));
  one_hot_mux #(.Inputs(Apps), .Width(InputW)) u_last (.select_i(app), .data_i(last_q), .data_o(last));
  next_in_turn #(.Inputs(Inputs)) u_turn (.last_i(last), .request_i(heads), .next_o(grant_o));
  slot_number #(.Slots(Inputs)) u_number (.select_i(grant_o), .slot_o(grant_input_o));
  assign grant_valid_o = |head_valid_i;

  // The flits of the turn, including this packet.
  localparam int unsigned SumW = (WeightW > LengthW ? WeightW : LengthW) + 1;
  logic [AppW-1:0]    number;
  logic [LengthW-1:0] flits;
  logic [WeightW-1:0] weight, so_far;
  logic [SumW-1:0]    had;
  logic               take;
  always_comb begin
    number = '0;
    for (int unsigned a = 0; a < Apps; a++) number = number | (AppW'(a) & {AppW{app[a]}});
  end
  one_hot_mux #(.Inputs(Inputs), .Width(LengthW)) u_flits (.select_i(grant_o), .data_i(head_flits_i), .data_o(flits));
  one_hot_mux #(.Inputs(Apps), .Width(WeightW)) u_weight (.select_i(app), .data_i(weight_i), .data_o(weight));
  assign so_far = had_q & {WeightW{goes_on}};
  assign had    = SumW'(so_far) + SumW'(flits);
  assign take   = grant_valid_o && grant_ready_i;
  always_ff @(posedge clk_i) begin
    if (take) begin
      turn_q <= number;
      had_q  <= had[WeightW-1:0];
      over_q <= had >= SumW'(weight);
    end
    for (int unsigned a = 0; a < Apps; a++) begin
      if (take && app[a]) last_q[a*InputW+:InputW] <= grant_input_o;
      if (!rst_ni) last_q[a*InputW+:InputW] <= InputW'(Inputs - 1);
    end
    if (!rst_ni) begin
      turn_q <= AppW'(Apps - 1);
      over_q <= 1'b1;
    end
  end

  logic unused;
  assign unused = ^head_age_i;

  `GPUTLM_ASSERT(grant_one_hot, $onehot0(grant_o) && (|grant_o) == grant_valid_o)
  `GPUTLM_ASSERT(granted_waits, (grant_o & ~head_valid_i) == '0)
  `GPUTLM_ASSERT(work_conserving, grant_valid_o == |head_valid_i)
  `GPUTLM_ASSERT(turn_goes_on, !goes_on || (grant_o & ~of_app[turn_q*Inputs+:Inputs]) == '0)
  `GPUTLM_ASSUME(weight_is_constant, $stable(weight_i))
  `GPUTLM_COVER(turn_given_up, !over_q && !goes_on && take)
  `GPUTLM_COVER(turn_exceeded, take && had > SumW'(weight))
endmodule
