// Groups of launches: those of one kernel, application and stream.

// [{application, stream, kernel, rows}] in the order of their first starts; `rows`: of run.kernels.
export function kernelGroups(run) {
  const {kernels} = run;
  const groups = new Map();
  const starts = kernels.column('first_block_cycle') ?? [];
  const order = Array.from({length: kernels.rows}, (_, row) => row).sort((a, b) => starts[a] - starts[b] || a - b);
  for (const row of order) {
    const [application, stream, kernel] = ['application', 'stream', 'name'].map((name) => String(kernels.at(name, row)));
    const key = JSON.stringify([application, stream, kernel]);
    if (!groups.has(key)) groups.set(key, {application, stream, kernel, rows: []});
    groups.get(key).rows.push(row);
  }
  return [...groups.values()];
}

// The mean of a column over rows.
export function statistics(column, rows) {
  let min = Infinity, max = -Infinity, sum = 0;
  for (const row of rows) {
    const value = column[row];
    min = Math.min(min, value), max = Math.max(max, value), sum += value;
  }
  return {min, max, sum, mean: sum / rows.length};
}

export function sumOf(run, name, rows) {
  const column = run.kernels.column(name);
  return column ? statistics(column, rows).sum : 0;
}

// Share of hits, from the counters `hits` and `misses`; NaN if both are 0.
export function hitShare(counters) {
  return counters.hits / (counters.hits + counters.misses);
}
