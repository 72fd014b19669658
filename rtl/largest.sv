// Finds the largest of several numbers, including ties.
//
// Guarantee: `largest_o` marks every number that equals the maximum. Combinational.
//
// Cost: a tournament: Inputs - 1 nodes, each with two comparisons of Width bits and a multiplexer; delay grows with the
// logarithm of Inputs times that of Width.
module largest #(
  parameter int unsigned Inputs = 8,
  parameter int unsigned Width  = 12
) (
  input  logic [Inputs*Width-1:0] number_i,  // number i at [i*Width +: Width]
  output logic [Inputs-1:0]       largest_o
);
  localparam int unsigned Rounds = $clog2(Inputs);
  localparam int unsigned Places = 1 << Rounds;
  for (genvar r = 0; r <= Rounds; r++) begin : gen_round
    // After r rounds, for each group of 2**r numbers: the maximum, and which numbers equal it.
    logic [(Places>>r)*Width-1:0] number;
    logic [Places-1:0]            winners;
    if (r == 0) begin : gen_start
      assign number  = (Places*Width)'(number_i);
      assign winners = Places'({Inputs{1'b1}});
    end else begin : gen_play
      localparam int unsigned Half = 1 << (r - 1);
      for (genvar g = 0; g < Places >> r; g++) begin : gen_group
        logic [Width-1:0] lower, upper;
        logic             lower_wins, upper_wins;
        assign lower      = gen_round[r-1].number[2*g*Width+:Width];
        assign upper      = gen_round[r-1].number[(2*g+1)*Width+:Width];
        assign lower_wins = lower >= upper;
        assign upper_wins = upper >= lower;
        assign number[g*Width+:Width]      = lower_wins ? lower : upper;
        assign winners[2*g*Half+:Half]     = gen_round[r-1].winners[2*g*Half+:Half] & {Half{lower_wins}};
        assign winners[(2*g+1)*Half+:Half] = gen_round[r-1].winners[(2*g+1)*Half+:Half] & {Half{upper_wins}};
      end
    end
  end
  assign largest_o = gen_round[Rounds].winners[Inputs-1:0];
  logic unused;
  assign unused = ^{gen_round[Rounds].number, gen_round[Rounds].winners};
endmodule
