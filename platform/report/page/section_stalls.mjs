// Cycles of resident warps: issued instructions, and stalls by reason.

import {stackedBars} from './charts.mjs';
import {h} from './dom.mjs';
import {addSection} from './sections.mjs';
import {percent, words} from './format.mjs';
import {kernelGroups, sumOf} from './groups.mjs';

const kMaxGroups = 16;

// {name: warp cycles} of one bar: what was issued, and stalls by reason.
function applicationCycles(application) {
  return {issued: application.instructions, ...application.stall_warp_cycles};
}

function groupCycles(run, rows) {
  const reasons = Object.keys(run.kernels.packed).filter((name) => name.startsWith('stall_warp_cycles.'));
  const cycles = {issued: sumOf(run, 'instructions', rows)};
  for (const name of reasons) cycles[name.replace('stall_warp_cycles.', '')] = sumOf(run, name, rows);
  return cycles;
}

function stallBars(id, title, entries) {
  const reasons = [...new Set(entries.flatMap(([, cycles]) => Object.keys(cycles)))];
  const all = entries.map(([, cycles]) => Object.values(cycles).reduce((sum, value) => sum + value, 0) || 1);
  return stackedBars({
    id, title, categories: entries.map(([name]) => name), unit: 'share of warp cycles', text: percent, most: 1,
    parts: reasons.map((reason, at) => ({
      name: words(reason), colour: reason === 'issued' ? 2 : [0, 1, 3, 4, 5, 6, 7, 8][(at - 1) % 8],
      values: entries.map(([, cycles], entry) => (cycles[reason] ?? 0) / all[entry]),
    })),
  });
}

addSection({
  order: 50,
  id: 'stalls',
  title: 'Stalls',
  build(runs) {
    const named = (run, name) => (runs.length > 1 ? `${run.name}: ${name}` : name);
    const applications = runs.flatMap((run) => run.result.applications.filter((application) => application.kernels > 0)
      .map((application) => [named(run, application.name), applicationCycles(application)]));
    if (applications.length === 0) return [];
    const kernels = runs.flatMap((run) => kernelGroups(run).map((group) => [named(run, group.kernel), groupCycles(run, group.rows)]));
    return [
      h('p', {class: 'note'}, 'Cycles in which warps were resident: those in which they issued, and the others by the reason why they did not.'),
      h('div', {class: 'grid'},
        stallBars('stalls-applications', 'Warp cycles by application', applications),
        stallBars('stalls-kernels', `Warp cycles by kernel${kernels.length > kMaxGroups ? `, the first ${kMaxGroups}` : ''}`, kernels.slice(0, kMaxGroups))),
    ];
  },
});
