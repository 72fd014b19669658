// To be refuted: no request is overtaken forever.
//
// The counter-example is a loop: the state at one moment (`mark_i`, chosen by the solver), then events in which request A
// waits and another one is served, then the same state again. The events can repeat without end.
module waiting_forever #(
  parameter int unsigned StateW  = 8,
  parameter int unsigned Entries = 8,
  localparam int unsigned IdW    = $clog2(Entries)
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic              mark_i,
  input logic [StateW-1:0] state_i,
  input logic              complete_i,  // state_i is all the state that decides
  input logic              enter_i,
  input logic [IdW-1:0]    req_id_i,
  input logic              serve_i,
  input logic [IdW-1:0]    grant_id_i,
  input logic              passes_i,    // it overtakes A, which the loop must show
  input logic              a_waiting_i,
  input logic              a_leaves_i
);
  logic               marked_q, passed_q;
  logic [StateW-1:0]  state_q;
  logic [Entries-1:0] names_q, leaving;
  assign leaving = Entries'(serve_i) << grant_id_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      marked_q <= 1'b0;
      names_q  <= '0;
    end else begin
      if (mark_i) marked_q <= 1'b1;
      names_q <= (names_q & ~leaving) | (Entries'(enter_i) << req_id_i);
    end
    if (mark_i) state_q <= state_i;
    passed_q <= passes_i || (marked_q && passed_q);
  end

  // What the solver looks for.
  always_comb begin
    assume (!mark_i || (complete_i && a_waiting_i && !marked_q && rst_ni));
    assume (!((mark_i || marked_q) && (a_leaves_i || !rst_ni)));
    assume (!(enter_i && names_q[req_id_i]));  // as in a real controller: no two waiting requests share an id
  end

  always_comb begin
    if (rst_ni) waits_not_forever: assert (!(marked_q && passed_q && complete_i && state_i == state_q));
  end
endmodule
