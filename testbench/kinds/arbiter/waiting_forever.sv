// To be refuted: a request is never passed for ever.
//
// The counter-example is a loop: the state at one moment (`mark_i`, chosen by the solver), events in which request A
// waits and another one is served, and the same state again. The events can be repeated without end.
module waiting_forever #(
  parameter int unsigned StateW  = 8,
  parameter int unsigned Entries = 8,
  localparam int unsigned IdW    = $clog2(Entries)
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic              mark_i,
  input logic [StateW-1:0] state_i,
  input logic              complete_i,  // no other state decides
  input logic              enter_i,
  input logic [IdW-1:0]    req_id_i,
  input logic              serve_i,
  input logic [IdW-1:0]    grant_id_i,
  input logic              passes_i,    // it passes A: that is what is to be seen
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

  // What is looked for.
  always_comb begin
    assume (!mark_i || (complete_i && a_waiting_i && !marked_q && rst_ni));
    assume (!((mark_i || marked_q) && (a_leaves_i || !rst_ni)));
    assume (!(enter_i && names_q[req_id_i]));  // a real controller's trace: no name twice at a time, whosever it is
  end

  always_comb begin
    if (rst_ni) waits_not_forever: assert (!(marked_q && passed_q && complete_i && state_i == state_q));
  end
endmodule
