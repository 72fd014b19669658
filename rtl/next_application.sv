// Round-robin: finds the first application after the last one, in cyclic order of the ids, that has a request.
//
// Guarantee: `next_o` is one-hot if `present_i` is not 0, else 0. Combinational. The order depends only on
// `last_i`, which settles before `present_i`; the path from `present_i` is two gates long. Source: fr-rr-fcfs,
// section 4.2 ("a simple rotating function").
//
// Cost: Apps: gates grow with its square, which is small (8 applications: 56 pairs).
module next_application #(
  parameter  int unsigned Apps = 4,
  localparam int unsigned AppW = Apps > 1 ? $clog2(Apps) : 1
) (
  input  logic [AppW-1:0] last_i,     // below Apps
  input  logic [Apps-1:0] present_i,
  output logic [Apps-1:0] next_o
);
  logic [Apps-1:0] up_to_last;
  always_comb begin
    for (int unsigned a = 0; a < Apps; a++) up_to_last[a] = AppW'(a) <= last_i;
  end

  for (genvar a = 0; a < Apps; a++) begin : gen_app
    logic [Apps-1:0] earlier;  // applications whose turn comes before a's
    always_comb begin
      earlier = '0;
      for (int b = 0; b < Apps; b++) begin
        if (b < a) earlier[b] = !(up_to_last[b] && !up_to_last[a]);
        if (b > a) earlier[b] = up_to_last[a] && !up_to_last[b];
      end
    end
    assign next_o[a] = present_i[a] && (present_i & earlier) == '0;
  end
endmodule
