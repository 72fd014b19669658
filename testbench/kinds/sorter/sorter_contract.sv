// The contract of the warp sorters, as assertions on their ports: what holds for every sorter and, with Ordered, the order
// of the policy.
//
// The contract follows three slots, A, B and C. They are arbitrary, different constants, so what holds for them holds for
// each pair and each triple. `a_before_b_i` tells whether A goes before B by the rules (sorter_proof.sv).
module sorter_contract #(
  parameter  int unsigned Warps     = 8,
  parameter  int unsigned Groups    = 2,
  parameter  bit          Ordered   = 1'b1,
  parameter  bit          FullOrder = 1'b1,  // the sorter outputs the order of all warps
  parameter  bit          BothForms = 1'b1,  // compares it with the form that does not
  parameter  bit          Turns     = 1'b0,  // groups take turns (QAWS)
  localparam int unsigned SlotW     = $clog2(Warps),
  localparam int unsigned GroupW    = $clog2(Groups),
  localparam int unsigned CountW    = $clog2(Warps + 1)
) (
  input logic                   rst_ni,
  input logic [Warps-1:0]       ready_i,
  input logic                   grant_valid_i,
  input logic [Warps-1:0]       grant_i,
  input logic [SlotW-1:0]       grant_slot_i,
  input logic [Warps*SlotW-1:0] order_i,
  input logic [CountW-1:0]      order_count_i,
  input logic [Warps-1:0]       pick_grant_i,    // from the form without the order
  input logic [SlotW-1:0]       pick_slot_i,
  // The reference.
  input logic [Warps-1:0]       valid_i,
  input logic [GroupW-1:0]      turn_i,
  input logic [SlotW-1:0]       a_slot_i,
  input logic [SlotW-1:0]       b_slot_i,
  input logic [SlotW-1:0]       c_slot_i,
  input logic [GroupW-1:0]      a_group_i,
  input logic [GroupW-1:0]      b_group_i,
  input logic [GroupW-1:0]      c_group_i,
  input logic                   a_before_b_i     // A goes before B, if both have a warp
);
  logic a, b, c;
  assign a = valid_i[a_slot_i];
  assign b = valid_i[b_slot_i];
  assign c = valid_i[c_slot_i];

  // Positions of the followed slots; thermometer codes: A, or C, is here or before.
  logic [Warps-1:0] at_a, at_b, at_c, from_a, from_c, rest;
  always_comb begin
    for (int unsigned p = 0; p < Warps; p++) begin
      at_a[p] = CountW'(p) < order_count_i && order_i[p*SlotW+:SlotW] == a_slot_i;
      at_b[p] = CountW'(p) < order_count_i && order_i[p*SlotW+:SlotW] == b_slot_i;
      at_c[p] = CountW'(p) < order_count_i && order_i[p*SlotW+:SlotW] == c_slot_i;
      rest[p] = CountW'(p) >= order_count_i && order_i[p*SlotW+:SlotW] != '0;
    end
    from_a = at_a;
    from_c = at_c;
    for (int unsigned p = 1; p < Warps; p++) begin
      from_a[p] = at_a[p] || from_a[p-1];
      from_c[p] = at_c[p] || from_c[p-1];
    end
  end

  // The script `prove` proves labels that begin with order_ in a separate step.
  if (FullOrder) begin : gen_order
    always_comb begin
      if (rst_ni) begin
        // The order is a permutation of the resident warps.
        order_count: assert ($countones(valid_i) == order_count_i);
        order_once:  assert ((at_a & (from_a << 1)) == '0 && from_a[Warps-1] == a);
        order_rest:  assert (rest == '0);
      end
    end
  end
  always_comb begin
    if (rst_ni) begin
      grant_if_any:  assert (grant_valid_i == |ready_i);
      grant_one_hot: assert ((grant_i & (grant_i - 1'b1)) == '0 && (|grant_i) == grant_valid_i);
      grant_number:  assert (grant_valid_i ? grant_i[grant_slot_i] : grant_slot_i == '0);
      grant_ready:   assert ((grant_i & ~ready_i) == '0);
    end
  end
  if (BothForms) begin : gen_both
    always_comb if (rst_ni) pick_is_same: assert (pick_grant_i == grant_i && pick_slot_i == grant_slot_i);
  end

  // The grant is the first ready warp of the order.
  if (Ordered) begin : gen_policy
    always_comb if (rst_ni) grant_first: assert (!(grant_i[b_slot_i] && ready_i[a_slot_i] && a_before_b_i));
  end
  if (Ordered && FullOrder) begin : gen_policy_order
    always_comb if (rst_ni) order_is_that: assert (!(a && b) || ((at_b & from_a) != '0) == a_before_b_i);
  end
  if (!Ordered && FullOrder) begin : gen_any_order
    always_comb if (rst_ni) order_of_grant: assert (!(grant_i[b_slot_i] && ready_i[a_slot_i] && (at_b & from_a) != '0));
  end

  if (Turns && FullOrder) begin : gen_turns
    always_comb begin
      if (rst_ni) begin
        order_groups:    assert (!(a && b && c && a_group_i == b_group_i && c_group_i != a_group_i
                                   && (at_c & from_a) != '0 && (at_b & from_c) != '0));
        order_turn:      assert (!at_a[0] || a_group_i == turn_i);
      end
    end
  end
endmodule
