// Round-robin over many inputs: finds the first input after the last one, in cyclic order, that has a request.
//
// Guarantee: `next_o` is one-hot if `request_i` is not 0, else 0. Combinational.
//
// Cost: Inputs: two find_first, so gates grow with Inputs times its logarithm and delay with the logarithm. next_application
// does the same for few inputs: its gates grow with the square, and its path from the request is two gates long.
module next_in_turn #(
  parameter  int unsigned Inputs = 8,           // at least 2
  localparam int unsigned InputW = $clog2(Inputs)
) (
  input  logic [InputW-1:0] last_i,             // below Inputs
  input  logic [Inputs-1:0] request_i,
  output logic [Inputs-1:0] next_o
);
  logic [Inputs-1:0] behind, first_behind, first;
  logic              any_behind, any;
  always_comb begin
    for (int unsigned i = 0; i < Inputs; i++) behind[i] = InputW'(i) > last_i;
  end
  find_first #(.Width(Inputs)) u_behind (.request_i(request_i & behind), .first_o(first_behind), .any_o(any_behind));
  find_first #(.Width(Inputs)) u_all (.request_i(request_i), .first_o(first), .any_o(any));
  assign next_o = any_behind ? first_behind : first;

  logic unused;
  assign unused = any;
endmodule
