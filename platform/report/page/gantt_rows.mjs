// The rows of a run's Gantt chart: contexts, streams and copy engines if the run has them, then its SMs.

import {withoutNumber} from './run.mjs';
import {LayoutBuilder, piecesIn, stack} from './gantt_layout.mjs';
import {bytes, dimensions, short, whole} from './format.mjs';
import {numberOf} from './names.mjs';

const kGap = 2;
const kLine = 16;  // pixels of a row that is not an SM
const kWaiting = 5;

// The properties that can colour boxes.
export const kColourings = {
  kernel: (launch) => launch.kernel,
  application: (launch) => launch.application,
  stream: (launch) => `${launch.application} / ${launch.stream}`,
};

// Names in the order of their first use. The number of a name's boxes is that of its colour plus one; 0 is not a kernel.
export class Legend {
  constructor() {
    this.entries = new Map([[0, 'waiting or switching']]);
  }

  number(name) {
    const number = numberOf(name) + 1;
    this.entries.set(number, name);
    return number;
  }
}

function cyclesText(run, start, end) {
  return [
    `${short(run.us(start))} to ${short(run.us(end))} us, for ${short(run.us(end - start))} us`,
    `cycles ${whole(start)} to ${whole(end)}: ${whole(end - start)}`,
  ];
}

function addContexts(builder, run, colourOf) {
  const slices = run.tables.slices;
  if (!slices || slices.rows === 0) return;
  const describe = (row) => [
    `Slice of ${slices.at('application', row)}`,
    ...cyclesText(run, slices.at('start_cycle', row), slices.at('end_cycle', row)),
    `ended by ${slices.at('ended_by', row)}`,
    `${whole(slices.at('preempted_blocks', row))} blocks taken off (${bytes(slices.at('saved_bytes', row))}), ` +
      `${whole(slices.at('resumed_blocks', row))} brought back (${bytes(slices.at('restored_bytes', row))})`,
  ];
  const rows = new Map();
  for (let i = 0; i < slices.rows; ++i) {
    const application = String(slices.at('application', i));
    if (!rows.has(application)) rows.set(application, builder.addRow(`context ${application}`, kLine, describe, () => [application]));
    const row = rows.get(application);
    const [come, start, end, off] = ['come', 'start', 'end', 'off'].map((name) => slices.at(`${name}_cycle`, i));
    if (start > come) builder.addBox(row, 0, kWaiting, come, start, 0, i);
    builder.addBox(row, 0, kLine, start, end, colourOf({kernel: application, application, stream: ''}), i);
    if (off > end) builder.addBox(row, 0, kWaiting, end, off, 0, i);
  }
}

function addStreams(builder, run, colourOf) {
  const kernels = run.kernels;
  if (kernels.rows === 0) return;
  const at = (name, row) => kernels.at(name, row);
  const describe = (row) => [
    `Kernel ${at('kernel', row)} of ${run.streamName(at('application', row), at('stream', row))}`,
    ...cyclesText(run, at('first_block_cycle', row), at('end_cycle', row)),
    `released at ${short(run.us(at('released_cycle', row)))} us, response ${short(run.us(at('response_cycles', row)))} us` +
      (at('deadline_cycles', row) === undefined ? '' : `, deadline ${short(run.us(at('deadline_cycles', row)))} us: ` +
        (at('deadline_met', row) === 'true' ? 'met' : 'missed')),
    `grid ${dimensions(at('grid', row))}, block ${dimensions(at('block', row))}, IPC ${short(at('ipc', row))}`,
  ];
  const order = run.result.streams.map((stream) => [stream.application, stream.name]);
  const rows = new Map();
  for (const [application, stream] of order) rows.set(JSON.stringify([application, stream]), []);
  for (let row = 0; row < kernels.rows; ++row) {
    rows.get(JSON.stringify([at('application', row), at('stream', row)]))?.push(row);
  }
  for (const [key, launches] of rows) {
    if (launches.length === 0) continue;
    const [application, stream] = JSON.parse(key);
    const line = builder.addRow(`stream ${run.streamName(application, stream)}`, kLine, describe, (row) => [String(at('kernel', row))]);
    let free = 0;
    for (const row of launches.sort((a, b) => at('first_block_cycle', a) - at('first_block_cycle', b))) {
      const start = at('first_block_cycle', row), waits = Math.max(free, at('released_cycle', row));
      if (start > waits) builder.addBox(line, 0, kWaiting, waits, start, 0, row);
      builder.addBox(line, 0, kLine, start, at('end_cycle', row),
        colourOf({kernel: at('name', row), application, stream}), row);
      free = at('end_cycle', row);
    }
  }
}

function addCopies(builder, run, colourOf) {
  const copies = run.tables.copies;
  if (!copies) return;
  const describe = (row) => [
    `Copy ${copies.at('copy', row)} of ${run.streamName(copies.at('application', row), copies.at('stream', row))}`,
    ...cyclesText(run, copies.at('start_cycle', row), copies.at('end_cycle', row)),
    `${copies.at('kind', row).replaceAll('_', ' ')}, ${bytes(copies.at('bytes', row))}`,
  ];
  const rows = new Map();
  for (const engine of [...new Set(copies.column('engine') ?? [])].sort((a, b) => a - b)) {
    const name = engine === run.result.configuration?.copy_engine?.engines ? 'copies by SMs' : `copy engine ${engine}`;
    rows.set(engine, builder.addRow(name, kLine, describe, (row) => [String(copies.at('copy', row))]));
  }
  for (let row = 0; row < copies.rows; ++row) {
    const application = String(copies.at('application', row)), stream = String(copies.at('stream', row));
    builder.addBox(rows.get(copies.at('engine', row)), 0, kLine, copies.at('start_cycle', row), copies.at('end_cycle', row),
      colourOf({kernel: withoutNumber(String(copies.at('copy', row))), application, stream}), row);
  }
}

function addSms(builder, run, colourOf, wanted) {
  const height = Math.min(120, Math.max(12, Math.round(620 / wanted.length)));
  const {boxes, launches} = run;
  const sm = boxes.column('sm'), ends = boxes.column('end'), cycles = boxes.column('cycles'), launchOf = boxes.column('launch');
  const describe = (box) => {
    const launch = launches[launchOf[box]], count = boxes.at('blocks', box) ?? 1;
    return [
      count > 1 ? `${whole(count)} blocks of ${launch.label}, from block ${whole(boxes.at('block', box))} on`
        : `Block ${whole(boxes.at('block', box))} of ${launch.label}`,
      ...cyclesText(run, ends[box] - cycles[box], ends[box]),
      `SM ${sm[box]}, slot ${boxes.at('slot', box)}, ${whole(launch.threads)} threads`,
      run.streamName(launch.application, launch.stream),
    ];
  };
  const labels = (box) => {
    const {label} = launches[launchOf[box]];
    return boxes.at('blocks', box) > 1 ? [label] : [`${label}: ${boxes.at('block', box)}`, String(boxes.at('block', box))];
  };
  const bySm = new Map();
  for (const [id] of wanted) bySm.set(id, []);
  for (let box = 0; box < boxes.rows; ++box) bySm.get(sm[box])?.push(box);
  const threads = run.result.configuration.sm.threads;
  for (const [id, alike] of wanted) {
    const pieces = {start: [], end: [], size: [], box: []};
    for (const box of bySm.get(id)) {
      const launch = launches[launchOf[box]];
      for (const [start, end] of piecesIn(run.onEngine.get(launch.application), ends[box] - cycles[box], ends[box])) {
        pieces.start.push(start), pieces.end.push(end), pieces.size.push(launch.threads), pieces.box.push(box);
      }
    }
    const {order, bottom, height: high} = stack(pieces.start, pieces.end, pieces.size);
    const scale = height / Math.max(threads, high);
    const row = builder.addRow(alike ? `SM ${id}, and ${alike} alike` : `SM ${id}`, height, describe, labels);
    for (const i of order) {
      builder.addBox(row, bottom[i] * scale, pieces.size[i] * scale, pieces.start[i], pieces.end[i],
        colourOf(launches[launchOf[pieces.box[i]]]), pieces.box[i]);
    }
  }
}

// Groups of SMs that ran the same number of blocks of each kernel: [[the first of them, the number of others]].
export function alikeSms({boxes, launches}, count) {
  const sm = boxes.column('sm'), launchOf = boxes.column('launch');
  const kernels = Array.from({length: count}, () => new Map());
  for (let box = 0; box < boxes.rows; ++box) {
    const {kernel} = launches[launchOf[box]], counts = kernels[sm[box]];
    counts.set(kernel, (counts.get(kernel) ?? 0) + (boxes.at('blocks', box) ?? 1));
  }
  const alike = new Map();
  kernels.forEach((counts, id) => {
    const what = JSON.stringify([...counts].sort());
    if (alike.has(what)) ++alike.get(what)[1];
    else alike.set(what, [id, 0]);
  });
  return [...alike.values()];
}

// The initial text of a chart's `SMs`: on GPUs with many SMs of few kinds, one of each kind.
export function smsAtFirst(run) {
  const count = run.result.configuration.sms;
  return run.boxes && count > 16 && alikeSms(run, count).length <= 8 ? 'alike' : 'all';
}

// The SMs that a chart's `SMs` selects by `alike`, `all`, or a list such as "0-3, 8": [[SM, number of others alike]].
export function smsOf(text, run) {
  const count = run.result.configuration.sms;
  if (text.trim() === 'alike') return alikeSms(run, count);
  const all = Array.from({length: count}, (_, sm) => [sm, 0]);
  const parts = text.split(',').map((part) => part.trim().match(/^(\d+)(?:\s*-\s*(\d+))?$/)).filter((part) => part);
  if (parts.length === 0) return all;
  return all.filter(([sm]) => parts.some(([, low, high]) => sm >= Number(low) && sm <= Number(high ?? low)));
}

// `colouring`: of kColourings; `sms`: input of smsOf(); `legend`: receives the names of the colours.
export function layoutOf(run, colouring, sms, legend) {
  const builder = new LayoutBuilder();
  const colourOf = (launch) => legend.number(kColourings[colouring](launch));
  addStreams(builder, run, colourOf);
  addContexts(builder, run, (launch) => (colouring === 'application' ? colourOf(launch) : legend.number(`context ${launch.application}`)));
  addCopies(builder, run, (launch) => (colouring === 'kernel' ? legend.number('copy') : colourOf(launch)));
  if (run.boxes) addSms(builder, run, colourOf, smsOf(sms, run));
  return builder.finish(kGap);
}
