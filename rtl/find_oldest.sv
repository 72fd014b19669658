// Finds the oldest of several requests.
//
// Guarantee: `oldest_o` is the request that entered before all others, one-hot; 0 if `request_i` is 0. Combinational.
//
// Cost: about two gates for each pair of slots; delay grows with the logarithm of Slots. It sorts nothing: an OR over the
// earlier requests tells whether a request has to wait.
module find_oldest #(
  parameter int unsigned Slots = 16
) (
  input  logic [Slots-1:0]       request_i,
  input  logic [Slots*Slots-1:0] older_i,  // from age_matrix: [i*Slots+j], j < i
  output logic [Slots-1:0]       oldest_o
);
  // The lower slots that a request waits for, and the lower slots that it holds back.
  logic [Slots*Slots-1:0] waits_for, holds;
  for (genvar i = 0; i < Slots; i++) begin : gen_slot
    localparam logic [Slots-1:0] Lower = ~({Slots{1'b1}} << i);
    assign waits_for[i*Slots+:Slots] = request_i & older_i[i*Slots+:Slots] & Lower;
    assign holds[i*Slots+:Slots]     = ~older_i[i*Slots+:Slots] & {Slots{request_i[i]}} & Lower;
  end

  logic [Slots-1:0] held;
  always_comb begin
    held = '0;
    for (int unsigned i = 0; i < Slots; i++) begin
      held    = held | holds[i*Slots+:Slots];
      held[i] = held[i] | (|waits_for[i*Slots+:Slots]);
    end
  end
  assign oldest_o = request_i & ~held;
endmodule
