// Selects one of several words by a one-hot select: AND-OR, without priority or decoding.
//
// Guarantee: `data_o` is the word whose bit of `select_i` is set, or 0 if none is. With several bits set it is the OR of
// their words. Combinational. Like one_hot_mux, but for words that are stored as bit planes.
//
// Cost: Inputs, Width: gates grow with their product, delay with the logarithm of Inputs.
module plane_mux #(
  parameter int unsigned Inputs = 32,
  parameter int unsigned Width  = 14
) (
  input  logic [Inputs-1:0]       select_i,
  input  logic [Width*Inputs-1:0] data_i,   // bit k of all words at [k*Inputs +: Inputs]
  output logic [Width-1:0]        data_o
);
  always_comb begin
    for (int unsigned k = 0; k < Width; k++) data_o[k] = |(data_i[k*Inputs+:Inputs] & select_i);
  end
endmodule
