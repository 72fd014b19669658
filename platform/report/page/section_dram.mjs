// Cycles of the DRAM's data buses: useful, wasted and idle.

import {stackedBars} from './charts.mjs';
import {dataTable, h, numeric} from './dom.mjs';
import {addSection} from './sections.mjs';
import {bytes, percent, short, whole, words} from './format.mjs';
import {namesCount, numberOf} from './names.mjs';

const kMaxChannels = 32;
const kMinBusy = 0.05;  // share of cycles that are not idle, for channels to be shown one by one

function cyclesOf(dram, names) {
  const {cycles, applications} = dram;
  const useful = Object.fromEntries(names.map((name, at) => [`useful: ${name}`, applications[at]?.useful_cycles ?? 0]));
  const attributed = Object.values(useful).reduce((sum, value) => sum + value, 0);
  const parts = {...useful};
  if (cycles.useful > attributed) parts['useful: other'] = cycles.useful - attributed;
  for (const [reason, count] of Object.entries(cycles.wasted_by)) parts[`wasted: ${words(reason)}`] = count;
  return {...parts, idle: cycles.idle, total: cycles.total};
}

// The colour of the application that owns the cycles; other cycles have colours without a name.
function colourOf(part, at) {
  const [, application] = part.match(/^useful: (.*)$/) ?? [];
  return application && application !== 'other' ? numberOf(application) : namesCount() + at;
}

function dramBars(id, title, entries) {
  const names = [...new Set(entries.flatMap(([, cycles]) => Object.keys(cycles)))].filter((name) => name !== 'total' && name !== 'idle');
  const share = (cycles, name) => (cycles[name] ?? 0) / (cycles.total || 1);
  return stackedBars({
    id, title, categories: entries.map(([name]) => name), unit: 'share of DRAM cycles', text: percent, most: 1,
    parts: [...names.map((name, at) => ({name, colour: colourOf(name, at), values: entries.map(([, cycles]) => share(cycles, name))})),
      {name: 'idle', colour: -1, values: entries.map(([, cycles]) => share(cycles, 'idle'))}],
  });
}

function applicationTable(runs) {
  const rows = runs.flatMap((run) => Object.entries(run.result.dram.applications ?? {}).map(([name, counters]) => {
    const requests = counters.row_hits + counters.row_misses + counters.row_conflicts;
    const moved = counters.read_bytes + counters.written_bytes;
    return [run.name, name, bytes(counters.read_bytes), bytes(counters.written_bytes), short(moved / (run.us(run.result.cycles) * 1000)),
      percent(counters.row_hits / requests), percent(counters.row_conflicts / requests), whole(counters.useful_cycles)];
  }));
  return dataTable('DRAM by application', ['run', 'application', numeric('read'), numeric('written'), numeric('GB/s over the run'),
    numeric('row hits'), numeric('row conflicts'), numeric('useful cycles')], rows);
}

// Runs whose GPU gives the energy of DRAM commands.
function energyTable(runs) {
  const known = runs.filter((run) => run.result.dram.energy);
  if (known.length === 0) return [];
  const microjoules = (pj) => short(pj / 1e6);
  return [dataTable('Energy of DRAM', ['run', numeric('activates [µJ]'), numeric('reads [µJ]'), numeric('writes [µJ]'), numeric('refreshes [µJ]'), numeric('standing by [µJ]'), numeric('pJ a bit')],
    known.map(({name, result: {dram: {energy}}}) => [name, ...['activate', 'read', 'write', 'refresh', 'background'].map((part) => microjoules(energy[`${part}_pj`])), short(energy.pj_per_bit)]))];
}

addSection({
  order: 60,
  id: 'dram',
  title: 'DRAM cycles',
  build(runs) {
    const used = runs.filter((run) => run.result.dram?.total.reads + run.result.dram?.total.writes > 0);
    if (used.length === 0) return [];
    const names = (run) => run.result.applications.map((application) => application.name);
    const totals = used.map((run) => [run.name, cyclesOf(run.result.dram.total, names(run))]);
    const busy = used.filter(({result: {dram: {total: {cycles}}}}) => cycles.useful + cycles.wasted >= kMinBusy * cycles.total).slice(0, 4);
    const channels = (run) => run.result.dram.channels.slice(0, kMaxChannels).map((channel, at) => [`channel ${at}`, cyclesOf(channel, names(run))]);
    return [
      h('p', {class: 'note'}, 'Cycles in which data moved (useful), in which requests waited but no data moved (wasted, by the reason), and in which nothing waited (idle).'),
      applicationTable(used),
      ...energyTable(used),
      h('div', {class: 'grid'},
        dramBars('dram-total', 'All channels', totals),
        ...busy.map((run, at) => dramBars(`dram-channels-${at}`, `Channels of ${run.name}${run.result.dram.channels.length > kMaxChannels ? `, the first ${kMaxChannels}` : ''}`, channels(run)))),
    ];
  },
});
