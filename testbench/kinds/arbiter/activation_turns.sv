// FR-RR-FCFS under a controller that follows its grants, if applications do not share rows: a round-robin turn is a row
// opened for an application and a request served from it, and no turn is skipped. Between two turns of one application,
// every other application with a request for the bank throughout is served. Request A is the witness of the other one: a
// request stays until it is served. This holds with and without a row-hit cap.
module activation_turns #(
  parameter  int unsigned Apps = 2,
  localparam int unsigned AppW = Apps > 1 ? $clog2(Apps) : 1
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            first_here_i,   // the watched bank serves the first request from its open row
  input  logic            serve_here_i,
  input  logic [AppW-1:0] grant_app_i,
  input  logic            a_here_i,
  input  logic            a_leaves_i,
  input  logic [AppW-1:0] a_app_i,
  input  logic [AppW-1:0] turn_app_i,     // any application
  output logic            passed_over_o   // turn_app_i had a turn while A waits, and A's application had none since
);
  logic turn;
  assign turn = first_here_i && grant_app_i == turn_app_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !a_here_i || a_leaves_i || (serve_here_i && grant_app_i == a_app_i)) passed_over_o <= 1'b0;
    else if (turn) passed_over_o <= a_app_i != turn_app_i;
  end

  always_comb begin
    if (rst_ni) no_turn_skipped: assert (!(turn && passed_over_o && a_here_i));
  end
endmodule
