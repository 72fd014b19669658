// A run as the sections see it.

import {Table} from './table.mjs';

// A launch's label without the suffix of a repetition: "#2", "@3".
export function withoutNumber(label) {
  return label.replace(/@\d+$/, '').replace(/#\d+$/, '');
}

function launchesOf(table, kernelOf) {
  return Array.from({length: table.rows}, (_, row) => {
    const label = String(table.at('kernel', row) ?? '');
    return {
      label,
      kernel: kernelOf.get(label) ?? withoutNumber(label),
      application: String(table.at('application', row) ?? ''),
      stream: String(table.at('stream', row) ?? ''),
      threads: table.at('threads', row) ?? 1,
    };
  });
}

// Intervals in which an application could have blocks on the SMs, by application; undefined if slices are not known.
function intervalsOf(slices) {
  const intervals = new Map();
  for (let i = 0; slices && i < slices.rows; ++i) {
    const application = String(slices.at('application', i));
    if (!intervals.has(application)) intervals.set(application, []);
    intervals.get(application).push([slices.at('come_cycle', i), slices.at('off_cycle', i)]);
  }
  return intervals;
}

export class Run {
  // `packed`: an entry of `runs` of the page's data (platform/report/run_data.cpp).
  constructor(packed) {
    this.path = packed.path;
    this.name = packed.path.replace(/\/result\.json$/, '').replace(/\/+$/, '').split('/').pop();
    this.result = packed.result;
    this.performance = packed.performance ?? {};
    this.kernels = new Table(packed.kernels);
    this.tables = Object.fromEntries(Object.entries(packed.tables).map(([name, table]) => [name, new Table(table)]));
    this.onEngine = intervalsOf(this.tables.slices);
    this.mhz = this.result.configuration.core_mhz;
    const labels = this.kernels.column('kernel') ?? [];
    const kernelOf = new Map(Array.from(labels, (label, row) => [String(label), String(this.kernels.at('name', row))]));
    if (packed.blocks) {
      this.launches = launchesOf(new Table(packed.blocks.launches), kernelOf);
      this.boxes = new Table(packed.blocks.boxes);
      this.mergedBelow = packed.blocks.merged_below_cycles;
    }
    this.end = Math.max(1, this.result.cycles, maximum(this.boxes?.column('end') ?? []));  // latest cycle of what is shown
  }

  us(cycles) {
    return cycles / this.mhz;
  }

  // Whether streams need the names of their applications, too.
  get severalApplications() {
    return this.result.applications.length > 1;
  }

  streamName(application, stream) {
    return this.severalApplications ? `${application} / ${stream}` : stream;
  }
}

function maximum(values) {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
}

// Names of runs. If folders have the same name, the names include the folders around them as far as needed.
export function nameRuns(runs) {
  const paths = runs.map((run) => run.path.replace(/\/result\.json$/, '').replace(/\/+$/, '').split('/'));
  const ending = (path, names) => path.slice(-names).join('/');
  runs.forEach((run, number) => {
    const path = paths[number];
    let names = 1;
    while (names < path.length && paths.filter((other) => ending(other, names) === ending(path, names)).length > 1) ++names;
    run.name = ending(path, names);
  });
}
