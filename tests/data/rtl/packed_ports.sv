// Inputs in turn, with a port that is a packed array and one that is a packed struct.
typedef struct packed { logic ready; } ready_t;
module packed_ports #(
  parameter  int unsigned Inputs  = 8,
  parameter  int unsigned Apps    = 4,
  parameter  int unsigned LengthW = 4,
  parameter  int unsigned AgeW    = 12,
  parameter  int unsigned WeightW = 6,
  localparam int unsigned AppW    = Apps > 1 ? $clog2(Apps) : 1,
  localparam int unsigned InputW  = $clog2(Inputs)
) (
  input  logic                      clk_i, rst_ni,
  input  logic [Inputs-1:0]         head_valid_i,
  input  logic [Inputs-1:0][AppW-1:0] head_app_i,
  input  logic [Inputs*LengthW-1:0] head_flits_i,
  input  logic [Inputs*AgeW-1:0]    head_age_i,
  input  logic [Apps*WeightW-1:0]   weight_i,
  output logic                      grant_valid_o,
  output logic [Inputs-1:0]         grant_o,
  output logic [InputW-1:0]         grant_input_o,
  input  ready_t                    grant_ready_i
);
  logic [InputW-1:0] last_q, pick;
  always_comb begin
    pick = '0;
    for (int unsigned k = Inputs; k > 0; k--) begin
      if (head_valid_i[InputW'((32'(last_q) + k) % Inputs)]) pick = InputW'((32'(last_q) + k) % Inputs);
    end
  end
  assign grant_valid_o = |head_valid_i;
  assign grant_input_o = pick;
  assign grant_o       = grant_valid_o ? Inputs'(1) << pick : '0;
  always_ff @(posedge clk_i) begin
    if (grant_valid_o && grant_ready_i.ready) last_q <= pick;
    if (!rst_ni) last_q <= InputW'(Inputs - 1);
  end
endmodule
