// The figures of applications and kernels.

import {dataTable, h, numeric} from './dom.mjs';
import {addSection} from './sections.mjs';
import {bytes, dimensions, percent, short, whole} from './format.mjs';
import {hitShare, kernelGroups, statistics, sumOf} from './groups.mjs';

const kMaxSingle = 40;  // launches that are listed one by one

function deadlines(met, all) {
  if (!all) return '';
  const text = all > 1 ? `${whole(met)} of ${whole(all)}` : met ? 'met' : 'missed';
  return h('span', {class: met === all ? 'good' : 'bad'}, text);
}

function applicationRows(run) {
  return run.result.applications.filter((application) => application.kernels > 0).map((application) => {
    const dram = run.result.dram.applications?.[application.name];
    return [
      application.name, whole(application.kernels), short(run.us(application.first_block_cycle)), short(run.us(application.end_cycle)),
      whole(application.instructions), short(application.run?.ipc),
      percent(hitShare({hits: application.l1.sector_hits, misses: application.l1.sector_misses})),
      percent(hitShare({hits: application.l2.read_hits, misses: application.l2.read_misses})),
      dram ? bytes(dram.read_bytes + dram.written_bytes) : '',
      deadlines(application.deadlines_met, application.deadlines),
    ];
  });
}

const kApplicationHead = ['application', numeric('kernels'), numeric('from [us]'), numeric('to [us]'), numeric('warp instructions'),
  numeric('IPC of the run'), numeric('L1 hits'), numeric('L2 read hits'), numeric('DRAM'), numeric('deadlines met')];

function range(run, column, rows) {
  const {min, mean, max} = statistics(column, rows);
  return rows.length === 1 ? short(run.us(mean)) : `${short(run.us(mean))} (${short(run.us(min))} to ${short(run.us(max))})`;
}

function kernelRow(run, group, name) {
  const {rows} = group;
  const execution = sumOf(run, 'execution_cycles', rows);
  const share = (hits, misses) => percent(hitShare({hits: sumOf(run, hits, rows), misses: sumOf(run, misses, rows)}));
  const limits = rows.filter((row) => run.kernels.at('deadline_cycles', row) !== undefined);
  return [
    name, group.application, group.stream, whole(rows.length), dimensions(run.kernels.at('grid', rows[0])), dimensions(run.kernels.at('block', rows[0])),
    short(run.us(statistics(run.kernels.column('first_block_cycle'), rows).min)),
    range(run, run.kernels.column('execution_cycles'), rows), range(run, run.kernels.column('response_cycles'), rows),
    limits.length ? short(run.us(run.kernels.at('deadline_cycles', limits[0]))) : '',
    deadlines(limits.filter((row) => run.kernels.at('deadline_met', row) === 'true').length, limits.length),
    short(sumOf(run, 'instructions', rows) / execution),
    share('l1.sector_hits', 'l1.sector_misses'), share('l2.read_hits', 'l2.read_misses'),
  ];
}

const kKernelHead = ['kernel', 'application', 'stream', numeric('launches'), 'grid', 'block', numeric('first start [us]'),
  numeric('execution [us]'), numeric('response [us]'), numeric('deadline [us]'), numeric('met'), numeric('IPC'), numeric('L1 hits'), numeric('L2 read hits')];

function kernelTable(run) {
  const groups = kernelGroups(run);
  if (run.kernels.rows > kMaxSingle) {
    return dataTable(`Kernels of ${run.name}, launches together: mean (least to most)`, kKernelHead,
      groups.map((group) => kernelRow(run, group, group.kernel)));
  }
  const single = groups.flatMap((group) => group.rows.map((row) => ({...group, rows: [row]})));
  single.sort((a, b) => run.kernels.at('first_block_cycle', a.rows[0]) - run.kernels.at('first_block_cycle', b.rows[0]));
  return dataTable(`Kernel launches of ${run.name}, in the order of their starts`, kKernelHead.filter((_, at) => at !== 3),
    single.map((group) => kernelRow(run, group, String(run.kernels.at('kernel', group.rows[0]))).filter((_, at) => at !== 3)));
}

function unfinished(run) {
  const list = run.result.unfinished ?? [];
  if (list.length === 0) return undefined;
  return dataTable(`Launches of ${run.name} that had not ended`, ['launch', numeric('left the host [us]'), numeric('blocks'), numeric('ended'), numeric('running')],
    list.map((launch) => [launch.kernel, short(run.us(launch.submitted_cycle)), whole(launch.blocks), whole(launch.blocks_ended), whole(launch.blocks_running)]));
}

addSection({
  order: 20,
  id: 'summary',
  title: 'Summary',
  build(runs) {
    return runs.flatMap((run) => [
      runs.length > 1 ? h('h3', {}, run.name) : undefined,
      ...(run.kernels.rows > 0 ? [dataTable(`Applications of ${run.name}`, kApplicationHead, applicationRows(run)), kernelTable(run)]
        : [h('p', {}, 'No kernel ended.')]),
      unfinished(run),
    ]).filter(Boolean);
  },
});
