// Finds the first group with a request, in descending cyclic
// order of the groups' budgets, from a given place in that order.
//
// Guarantee: `first_o` is one-hot if `present_i` is not 0, else 0. Combinational. The order depends only on `wrapped_i`
// and `larger_i`, which settle before `present_i`; the path from `present_i` is two gates long.
//
// Cost: Groups: gates grow with its square (8 groups: 56 pairs).
module groups_in_turn #(
  parameter int unsigned Groups = 2
) (
  input  logic [Groups*Groups-1:0] larger_i,   // [g*Groups+h]: the budget of g is larger than that of h
  input  logic [Groups-1:0]        wrapped_i,  // groups that come after the descending order wraps
  input  logic [Groups-1:0]        present_i,
  output logic [Groups-1:0]        first_o
);
  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic [Groups-1:0] earlier;  // groups that go before g
    always_comb begin
      for (int unsigned h = 0; h < Groups; h++)
        earlier[h] = (wrapped_i[h] == wrapped_i[g] ? larger_i[h*Groups+g] : !wrapped_i[h]);
      earlier[g] = 1'b0;
    end
    assign first_o[g] = present_i[g] && (present_i & earlier) == '0;
  end
endmodule
