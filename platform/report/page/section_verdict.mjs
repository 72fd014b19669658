// Designs in SystemVerilog: their agreement with a policy, their hardware cost, and their effect in the runs of the page.

import {dataTable, h, numeric} from './dom.mjs';
import {designVerdicts} from './design_verdict.mjs';
import {addSection} from './sections.mjs';
import {ratio, short, whole} from './format.mjs';
import {slowdowns} from './section_compare.mjs';

// The designs that checks and costs of the page are about, each once.
export function designsOf(data) {
  return [...new Set([...data.checks.map((check) => check.result.design), ...data.costs.flatMap((cost) => cost.result.points.map((point) => point.cost.block))])];
}

function numbersText(numbers) {
  return Object.entries(numbers).map(([name, value]) => `${name} ${value}`).join(', ');
}

function checkRow({result}) {
  const reached = result.points.filter((point) => point.hits > 0).length;
  const {difference} = result;
  return [result.design, result.against, numbersText(result.size), whole(result.seeds.length), whole(result.decisions), `${reached} of ${result.points.length}`,
    difference ? h('span', {class: 'bad'}, `differs in cycle ${whole(difference.cycle)} of seed ${difference.seed}`) : 'no difference'];
}

function checks(data) {
  if (data.checks.length === 0) return [];
  const different = data.checks.filter(({result}) => result.difference);
  return [
    dataTable('In lockstep with a policy', ['design', 'policy', 'size', numeric('seeds'), numeric('decisions'), numeric('coverage points'), 'found'], data.checks.map(checkRow)),
    ...different.map(({result: {design, difference}}) => h('div', {class: 'warnings', role: 'note'}, h('strong', {}, `${design} in cycle ${whole(difference.cycle)}`),
      h('pre', {}, difference.text), h('p', {}, 'Again: ', h('code', {}, difference.again)))),
  ];
}

const kOutcomes = {proved: () => 'proved', bounded: ({cycles}) => `no counterexample in ${whole(cycles)} cycles`, refuted: ({cycles}) => h('span', {class: 'bad'}, `refuted by ${whole(cycles)} cycles`)};

// The contract of its kind, a row a property: `gputlm check --proof`.
function proofs(data) {
  const proved = data.checks.filter(({result}) => result.proof);
  if (proved.length === 0) return [];
  return [dataTable('Its contract', ['design', 'size', 'property', 'found'], proved.flatMap(({result: {design, proof}}) =>
    proof.properties.map((property) => [design, numbersText(proof.size), property.name, kOutcomes[property.outcome](property)])))];
}

function implementationCells({best}) {
  return [whole(best.nand2_equivalents), short(best.critical_path_ns), whole(best.frequency_mhz)];
}

function added(percent) {
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)} %`;
}

function costRows({result}) {
  return result.points.flatMap((point) => {
    const row = [point.cost.block, numbersText(point.geometry), ...implementationCells(point.cost)];
    if (!point.against) return [row];
    return [[...row, `${added(point.overhead.area_percent)} area, ${added(point.overhead.delay_percent)} delay`],
      [point.against.block, numbersText(point.geometry), ...implementationCells(point.against)]];
  });
}

function costs(data) {
  return data.costs.map((cost) => dataTable(`In gates of ${cost.result.library.name}`,
    ['block', 'size', numeric('NAND2 equivalents'), numeric('critical path [ns]'), numeric('MHz'), 'over the other'], costRows(cost)));
}

// In the order of the blocks; at each point the reference block comes first.
function energyAdded({points, energy}, at) {
  const compared = points[0].against && at % 2 === 1;
  return compared ? added(100 * (energy.blocks[at].pj_served / energy.blocks[at - 1].pj_served - 1)) : '';
}

function energies(data) {
  const played = data.costs.filter(({result}) => result.energy);
  if (played.length === 0) return [];
  return [...played.map((cost) => dataTable(`Energy in cells of ${cost.result.library.name}, with the decisions of ${cost.result.energy.run}`,
    ['block', 'size', numeric('decisions'), numeric('served'), numeric('pJ a decision'), numeric('pJ served'), numeric('pJ served, clock gated'), 'over the other'],
    cost.result.energy.blocks.map((block, at) => [block.block, block.size, whole(block.decisions), whole(block.served), short(block.pj_decision), short(block.pj_served), short(block.gated_pj_served), energyAdded(cost.result, at)]))),
  h('p', {class: 'note'}, 'A decision is an answer for a command; an arbiter serves bursts. Wires and the clock tree are not included.')];
}

// Metrics of each run over its kernels that another run has alone (srtf, section 6.1); turnaround is the mean response.
export function fairness(runs) {
  const alone = slowdowns(runs, 'response_cycles').filter((kernel) => kernel.alone);
  return runs.map((run, at) => {
    const values = alone.filter((kernel) => kernel.base !== at && kernel.over[at] !== undefined).map((kernel) => kernel.over[at]);
    return {run, values};
  }).filter(({values}) => values.length > 1).map(({run, values}) => ({
    run,
    stp: values.reduce((sum, value) => sum + 1 / value, 0),
    antt: values.reduce((sum, value) => sum + value, 0) / values.length,
    fairness: Math.min(...values) / Math.max(...values),
    worst: Math.max(...values),
  }));
}

function gains(runs) {
  const rows = fairness(runs);
  if (rows.length === 0) return [];
  return [dataTable('Effect: kernels beside each other compared with each of them alone',
    ['run', numeric('STP'), numeric('ANTT'), numeric('fairness'), numeric('worst slowdown')],
    rows.map((row) => [row.run.name, short(row.stp), short(row.antt), short(row.fairness), ratio(row.worst)])),
  h('p', {class: 'note'}, 'STP: sum of the kernels\' speeds relative to alone. ANTT: mean slowdown. Fairness: smallest slowdown divided by the largest; 1 is fair.')];
}

function verdicts(runs, data) {
  return designVerdicts(designsOf(data), data.checks.map(({result}) => result), data.costs.map(({result}) => result), fairness(runs))
    .map(({bad, text}) => h('p', bad ? {class: 'bad'} : {}, text));
}

addSection({
  order: 5,
  id: 'verdict',
  title: 'Verdict',
  build(runs, data) {
    if (designsOf(data).length === 0) return [];
    return [...verdicts(runs, data), ...checks(data), ...proofs(data), ...costs(data), ...energies(data), ...gains(runs)];
  },
});
