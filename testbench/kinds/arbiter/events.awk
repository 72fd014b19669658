# Turns the signals of a counter-example, as yosys' sat prints them, into a list of what happens at the watched bank:
#   enter ID app A row R | activate R | precharge | serve ID | repeat (what follows can be repeated without end)
# In a cycle the arbiter decides before the request that enters is visible, so `enter` comes last.
$2 ~ /^\\/ && $1 ~ /^[0-9]+$/ {
  value[$1, substr($2, 2)] = $3
  if ($1 > last) last = $1
}
END {
  # The last cycle only shows the state again.
  for (t = 1; t < last; t++) {
    if (!value[t, "rst_ni"]) continue
    if (value[t, "mark_i"] && !marked) {
      print "repeat"
      marked = 1
    }
    if (value[t, "row_valid_i"]) print value[t, "row_open_i"] ? "activate " value[t, "row_row_i"] : "precharge"
    if (value[t, "served"]) print "serve " value[t, "grant_id"]
    if (value[t, "enter"])
      print "enter " value[t, "req_id_i"] " app " value[t, "req_app_i"] " row " value[t, "req_row_i"]
  }
}
