// Selects one of several words by a one-hot select: AND-OR, without priority or decoding.
//
// Guarantee: `data_o` is the word whose bit of `select_i` is set, or 0 if none is. With several bits set it is the OR of
// their words. Combinational.
//
// Cost: Inputs, Width: gates grow with their product, delay with the logarithm of Inputs.
module one_hot_mux #(
  parameter int unsigned Inputs = 32,
  parameter int unsigned Width  = 14
) (
  input  logic [Inputs-1:0]       select_i,
  input  logic [Inputs*Width-1:0] data_i,   // word i at [i*Width +: Width]
  output logic [Width-1:0]        data_o
);
  always_comb begin
    data_o = '0;
    for (int unsigned i = 0; i < Inputs; i++) data_o = data_o | (data_i[i*Width+:Width] & {Width{select_i[i]}});
  end
endmodule
