// A list of words that stays sorted while words enter and leave.
//
// At most one word enters or leaves per cycle: the words behind its place make room, or close the gap, by one position.
// So each bit needs a four-way multiplexer, whatever the order. `behind_i` defines the order: it compares the entering
// word with those in the list.
//
// Guarantee: positions 0 to count_o - 1 hold words, the others 0. Reset empties the list.
//
// Bits are stored as planes, bit k of all positions at [k*Slots +: Slots]: the gates are the same, but a simulator then
// moves all positions at once.
//
// Cost: Slots * (Width + 1) flip-flops with a multiplexer each, and a comparator of KeyW bits per position.
module sorted_list #(
  parameter  int unsigned Slots  = 16,
  parameter  int unsigned Width  = 5,  // bits of a word
  parameter  int unsigned KeyW   = 4,  // its lowest bits, unique to each word: they identify the leaving word
  localparam int unsigned CountW = $clog2(Slots + 1)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   enter_i,
  input  logic [Width-1:0]       enter_word_i,
  input  logic [Slots-1:0]       behind_i,      // the entering word goes before the word here; 1 at free positions
  input  logic                   leave_i,       // never together with enter_i
  input  logic [KeyW-1:0]        leave_key_i,
  output logic [Slots-1:0]       valid_o,       // positions with a word, which are the lowest ones
  output logic [CountW-1:0]      count_o,
  output logic [Width*Slots-1:0] plane_o
);
  logic [Slots-1:0] leaves, from_gap, fall, rise, load;
  always_comb begin
    leaves = valid_o;
    for (int unsigned k = 0; k < KeyW; k++)
      leaves = leaves & (plane_o[k*Slots+:Slots] ~^ {Slots{leave_key_i[k]}});
  end
  prefix_or #(.Width(Slots)) u_gap (.data_i(leaves), .prefix_o(from_gap));
  assign fall = from_gap & {Slots{leave_i}};
  assign load = behind_i & ~(behind_i << 1) & {Slots{enter_i}};
  assign rise = (behind_i << 1) & {Slots{enter_i}};

  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < Width; k++)
      plane_o[k*Slots+:Slots] <= (plane_o[k*Slots+:Slots] & ~fall & ~rise & ~load)
          | ((plane_o[k*Slots+:Slots] >> 1) & fall) | ((plane_o[k*Slots+:Slots] << 1) & rise)
          | (load & {Slots{enter_word_i[k]}});
    if (enter_i) valid_o <= (valid_o << 1) | Slots'(1);
    if (leave_i) valid_o <= valid_o >> 1;
    if (!rst_ni) begin
      plane_o <= '0;
      valid_o <= '0;
    end
  end

  // The first free position is the count.
  slot_number #(.Slots(Slots + 1)) u_count (.select_i({valid_o, 1'b1} & ~{1'b0, valid_o}), .slot_o(count_o));
endmodule
