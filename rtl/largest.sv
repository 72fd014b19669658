// Which of several numbers are the largest.
//
// Guarantee: `largest_o` has the bit of each number that is as large as the largest. Combinational.
//
// Cost: a tournament: Inputs - 1 comparisons of Width bits with a multiplexer each, delay with the logarithm of Inputs times
// that of Width.
module largest #(
  parameter int unsigned Inputs = 8,
  parameter int unsigned Width  = 12
) (
  input  logic [Inputs*Width-1:0] number_i,  // number i at [i*Width +: Width]
  output logic [Inputs-1:0]       largest_o
);
  localparam int unsigned Places = 1 << $clog2(Inputs);
  // The winner of a round is where its first number was, with all that are as large.
  logic [Places*Width-1:0]  number;
  logic [Places*Inputs-1:0] winners;
  logic                     first, second;
  always_comb begin
    number  = '0;
    winners = '0;
    first   = 1'b0;
    second  = 1'b0;
    for (int unsigned i = 0; i < Inputs; i++) begin
      number[i*Width+:Width] = number_i[i*Width+:Width];
      winners[i*Inputs+i]    = 1'b1;
    end
    for (int unsigned step = 1; step < Places; step = step * 2) begin
      for (int unsigned i = 0; i < Places; i = i + 2 * step) begin
        first  = number[i*Width+:Width] >= number[(i+step)*Width+:Width];
        second = number[(i+step)*Width+:Width] >= number[i*Width+:Width];
        winners[i*Inputs+:Inputs] = (winners[i*Inputs+:Inputs] & {Inputs{first}})
            | (winners[(i+step)*Inputs+:Inputs] & {Inputs{second}});
        number[i*Width+:Width] = first ? number[i*Width+:Width] : number[(i+step)*Width+:Width];
      end
    end
    largest_o = winners[Inputs-1:0];
  end
endmodule
