// Share of an SM's room that blocks had over time.

// Mean weight of the boxes in each of `bins` equal parts of [0, until): a Float64Array by group. `start`, `end`, `weight`
// and `group` are by box.
export function meanOverTime({start, end, weight, group}, until, bins) {
  const length = until / bins;
  const slopes = new Map();
  for (let box = 0; box < start.length; ++box) {
    if (!slopes.has(group[box])) slopes.set(group[box], {whole: new Float64Array(bins + 1), part: new Float64Array(bins + 1)});
    const {whole, part} = slopes.get(group[box]);
    const first = Math.min(bins - 1, Math.floor(start[box] / length)), last = Math.min(bins - 1, Math.floor(end[box] / length));
    if (first === last) {
      part[first] += weight[box] * (end[box] - start[box]);
      continue;
    }
    part[first] += weight[box] * ((first + 1) * length - start[box]);
    part[last] += weight[box] * (end[box] - last * length);
    whole[first + 1] += weight[box];
    whole[last] -= weight[box];
  }
  const means = new Map();
  for (const [name, {whole, part}] of slopes) {
    const mean = new Float64Array(bins);
    let there = 0;
    for (let bin = 0; bin < bins; ++bin) {
      there += whole[bin];
      mean[bin] = there + part[bin] / length;
    }
    means.set(name, mean);
  }
  return means;
}
