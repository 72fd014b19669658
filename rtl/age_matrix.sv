// Stores the order of entry: one bit for each pair of slots.
//
// Guarantee: `older_o[i*Slots+j]`, for j < i, is 1 if the entry in slot j is older than that in slot i. The bits of empty
// slots are undefined. One entry may enter per cycle, as the youngest; an entry may leave without notice. The bits at
// j >= i are 0: the other half of the matrix is the complement of this one and is not stored.
//
// Cost: Slots * (Slots - 1) / 2 flip-flops with two gates each.
module age_matrix #(
  parameter int unsigned Slots = 16
) (
  input  logic                   clk_i,
  input  logic [Slots-1:0]       enter_i,  // the slot that is filled; one-hot or 0
  output logic [Slots*Slots-1:0] older_o
);
  assign older_o[Slots-1:0] = '0;
  for (genvar i = 1; i < Slots; i++) begin : gen_slot
    logic [i-1:0] older_q;
    always_ff @(posedge clk_i) older_q <= (older_q | {i{enter_i[i]}}) & ~enter_i[i-1:0];
    assign older_o[i*Slots+:Slots] = {{(Slots - i){1'b0}}, older_q};
  end
endmodule
