// Converts a one-hot word to the number of the selected slot.
//
// Guarantee: `slot_o` is the number of the set bit of `select_i`, or 0 if none is set. Combinational.
//
// Cost: Slots: an OR of half of the bits for each bit of the number.
module slot_number #(
  parameter  int unsigned Slots = 16,
  localparam int unsigned SlotW = $clog2(Slots)
) (
  input  logic [Slots-1:0] select_i,
  output logic [SlotW-1:0] slot_o
);
  for (genvar k = 0; k < SlotW; k++) begin : gen_bit
    logic [Slots-1:0] has_bit;
    for (genvar i = 0; i < Slots; i++) begin : gen_slot
      assign has_bit[i] = i[k];
    end
    assign slot_o[k] = |(select_i & has_bit);
  end
endmodule
