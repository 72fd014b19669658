// The first line of a page about a design: its agreement with a policy, the proof or its bound, its cost and gain, and a note
// if its tables have different sizes.

import {whole} from './format.mjs';

function rightOrWrong(check) {
  const {against, difference, proof, decisions, seeds} = check;
  const refuted = proof?.properties.find(({outcome}) => outcome === 'refuted');
  if (difference) return {bad: true, text: `is wrong: it differs from ${against} in cycle ${whole(difference.cycle)} of seed ${difference.seed}`};
  if (refuted) return {bad: true, text: `is wrong: its contract is refuted, ${refuted.name} by ${whole(refuted.cycles)} cycles`};
  if (!against) return {bad: false, text: 'keeps the contract of its kind, and was compared with no policy'};
  const traffic = check.traffic ? `those of ${check.traffic.run}` : `${whole(seeds.length)} ${seeds.length === 1 ? 'seed' : 'seeds'}`;
  return {bad: false, text: `agrees with ${against} in ${whole(decisions)} decisions of ${traffic}`};
}

function proved(proof) {
  if (!proof) return 'nothing of it is proved';
  const all = proof.properties, bounded = all.filter(({outcome}) => outcome === 'bounded');
  const of = proof.ordered ? 'its contract with the order of the policy' : 'its contract';
  if (bounded.length === 0) return `${of} is proved`;
  const least = Math.min(...bounded.map(({cycles}) => cycles));
  return `of ${of} ${whole(all.length - bounded.length)} of ${whole(all.length)} properties are proved, the others to ${whole(least)} cycles`;
}

// "5.1 % fewer gates", with the noise of the mapping.
function more(percent, noise, less, greater) {
  const text = `${Math.abs(percent).toFixed(1)} % ${percent < 0 ? less : greater}`;
  return noise !== undefined && Math.abs(percent) <= noise ? `${text} (within the noise of ${noise} %)` : text;
}

function costsInGates({points, noise_percent: noise}) {
  const [{cost, against, overhead}] = points;
  const gates = `${whole(cost.best.nand2_equivalents)} NAND2 equivalents and ${cost.best.critical_path_ns.toFixed(2)} ns`;
  const where = points.length > 1 ? ` in the first of ${points.length} sizes` : '';
  if (!overhead) return `it costs ${gates}${where}`;
  return `it costs ${gates}${where}, ${more(overhead.area_percent, noise?.area, 'fewer gates', 'more gates')} and a path ` +
    `${more(overhead.delay_percent, noise?.delay, 'shorter', 'longer')} than ${against.block}`;
}

// `rows`: results of fairness(), for runs whose kernels the page also has alone.
function buys(rows) {
  if (rows.length === 0) return [];
  return [`the worst slowdown of a kernel is ${rows.map(({run, worst}) => `${worst.toFixed(2)} in ${run.name}`).join(', ')}`];
}

function sizesOf(check, studies) {
  return [['the comparison', check?.against ? check.size : undefined], ['the proof', check?.proof?.size],
    ...studies.flatMap(({points, energy}) => points.map((point) => [energy ? 'the energy' : 'the gates', point.parameters]))].filter(([, size]) => size);
}

// The tables whose size differs from the first one's, by parameters that both have.
function oneSize(sizes) {
  if (sizes.length < 2) return [];
  const text = (size) => Object.entries(size).map(([name, value]) => `${name} ${value}`).join(' ');
  const [[, first]] = sizes;
  const others = sizes.filter(([, size]) => Object.keys(size).some((name) => name in first && size[name] !== first[name]));
  if (others.length === 0) return ['all of that is of one size'];
  return [`not of one size: ${sizes.map(([what, size]) => `${what} of ${text(size)}`).join(', ')}`];
}

// A line for each design.
export function designVerdicts(designs, checks, studies, rows) {
  return designs.map((design) => {
    const own = checks.filter((one) => one.design === design), check = own.find((one) => rightOrWrong(one).bad) ?? own[0];
    const measured = studies.filter(({points}) => points[0].cost.block === design), cost = measured.find(({points}) => points[0].overhead) ?? measured[0];
    const judged = check ? rightOrWrong(check) : {bad: false, text: 'was compared with no policy'};
    const parts = [judged.text, ...(check && !judged.bad ? [proved(check.proof)] : []), ...(cost ? [costsInGates(cost)] : []), ...buys(rows), ...oneSize(sizesOf(check, measured))];
    return {bad: judged.bad, text: `${design} ${parts.join('; ')}.`};
  });
}
