// The first line of a page about a design.

import assert from 'node:assert/strict';
import test from 'node:test';

import {designVerdicts} from '../../platform/report/page/design_verdict.mjs';

const kCheck = {design: 'mine', against: 'fr_rr_fcfs', size: {Entries: 8, Banks: 4}, decisions: 200000, seeds: [{}, {}], traffic: null, difference: null,
  proof: {size: {Entries: 8, Banks: 4}, ordered: true, properties: [{name: 'a', outcome: 'proved', cycles: null}, {name: 'b', outcome: 'bounded', cycles: 4}]}};
const kCost = {noise_percent: {area: 6, delay: 25}, points: [{parameters: {Entries: 8, Banks: 4, RowW: 14}, cost: {block: 'mine', best: {nand2_equivalents: 2667, critical_path_ns: 2.64}},
  against: {block: 'fr_fcfs_arbiter'}, overhead: {area_percent: -5.1, delay_percent: 31.4}}]};

function verdict(check, cost, rows = []) {
  const [line] = designVerdicts(['mine'], check ? [check] : [], cost ? [cost] : [], rows);
  return line;
}

test('a design that is right: to which bound, what it costs and buys, and that all is of one size', () => {
  const {bad, text} = verdict(kCheck, kCost, [{run: {name: 'fr_fcfs'}, worst: 1.371}, {run: {name: 'mine'}, worst: 1.368}]);
  assert.equal(bad, false);
  assert.equal(text, 'mine agrees with fr_rr_fcfs in 200,000 decisions of 2 seeds; of its contract with the order of the policy 1 of 2 properties are proved, ' +
    'the others to 4 cycles; it costs 2,667 NAND2 equivalents and 2.64 ns, 5.1 % fewer gates (within the noise of 6 %) and a path 31.4 % longer than fr_fcfs_arbiter; ' +
    'the worst slowdown of a kernel is 1.37 in fr_fcfs, 1.37 in mine; all of that is of one size.');
});

test('a design that is wrong: where, by a run or by a proof', () => {
  const differs = verdict({...kCheck, proof: null, difference: {cycle: 5055, seed: 1}});
  assert.equal(differs.bad, true);
  assert.match(differs.text, /^mine is wrong: it differs from fr_rr_fcfs in cycle 5,055 of seed 1/);
  const refuted = verdict({...kCheck, proof: {...kCheck.proof, properties: [{name: 'grant_if_any', outcome: 'refuted', cycles: 3}]}});
  assert.equal(refuted.bad, true);
  assert.match(refuted.text, /its contract is refuted, grant_if_any by 3 cycles/);
});

test('what is missing is said: a proof, a policy', () => {
  assert.match(verdict({...kCheck, proof: null}).text, /; nothing of it is proved\.$/);
  assert.match(verdict({...kCheck, against: ''}).text, /^mine keeps the contract of its kind, and was compared with no policy;/);
  assert.match(verdict(undefined, kCost).text, /^mine was compared with no policy; it costs/);
});

test('tables of different sizes are named', () => {
  const small = {...kCheck, proof: {...kCheck.proof, size: {Entries: 8, Banks: 2}}};
  assert.match(verdict(small, kCost).text, /; not of one size: the comparison of Entries 8 Banks 4, the proof of Entries 8 Banks 2, the gates of Entries 8 Banks 4 RowW 14\.$/);
  const other = {...kCost, points: [{...kCost.points[0], parameters: {Entries: 16, Banks: 4}}]};
  assert.match(verdict(kCheck, other).text, /; not of one size: .*, the gates of Entries 16 Banks 4\.$/);
});
