// Reports in a browser: without errors, with everything visible, and usable without a mouse.

import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {after, before} from 'node:test';
import {Browser, kKeys} from './browser.mjs';
import {mustRun, testFolder, workload} from './program.mjs';

const folder = testFolder();
let browser;
before(async () => {
  browser = await Browser.start();
});
after(() => browser.stop());

// Runs each, {name: words of `gputlm run`}, unless that is in its folder already, and opens the report of all, after those of
// `designs`.
const ran = {};
async function openReport(runs, designs = []) {
  for (const [name, words] of Object.entries(runs)) {
    if (ran[name] !== words.join(' ')) mustRun('run', ...words, '--out', join(folder, name));
    ran[name] = words.join(' ');
  }
  const path = join(folder, 'report.html');
  mustRun('report', ...designs, ...Object.keys(runs).map((name) => join(folder, name)), '-o', path);
  await browser.open(path);
  assert.deepEqual(await browser.console(), []);
  assert.equal(await browser.run(() => document.documentElement.dataset.ready), 'true');
}

const sectionsShown = () => browser.run(() => Array.from(document.querySelectorAll('main > section'), (section) => section.id));
const textOf = (selector) => browser.run((wanted) => document.querySelector(wanted).textContent, selector);

// The text of a workload with `by` in the place of `what`, which is there.
function smaller(name, what, by) {
  const text = readFileSync(workload(name), 'utf8');
  assert.ok(text.includes(what), `${name}: ${what}`);
  return text.replace(what, by);
}

const kMixed = {mixed: [workload('mixed.yaml'), '--gpu', 'xavier']};
// A quarter of the blocks of its longest kernel: enough for preemptions.
const kShortSlices = join(folder, 'short_slices.yaml');
writeFileSync(kShortSlices, smaller('time_slices.yaml', 'grid: 1920', 'grid: 480'));
const kTimeSlices = [kShortSlices, '--gpu', 'rtx2060', '--set', 'work_distributor.application=time_sliced',
  '--set', 'work_distributor.time_sliced.instruction_preemption=true', '--set', 'work_distributor.kernel_order=srtf', '--probe', 'slices', '--series', '1us:gpu'];

test('the demonstration: two runs side by side, with slowdowns and differences', async () => {
  await openReport({isolated: [workload('most_room/isolated.yaml'), '--gpu', 'turing68'], colocated: [workload('most_room/colocated.yaml'), '--gpu', 'turing68']});
  assert.deepEqual(await sectionsShown(), ['what', 'summary', 'placement', 'time', 'stalls', 'dram', 'slowdowns', 'differences']);
  assert.equal(await browser.run(() => document.querySelectorAll('.gantt canvas').length), 2);
  assert.match(await textOf('#slowdowns'), /A.*isolated.*1\.4\d\d ×/s);
});

test('two contexts that share the SMs by time, with copies and preemptions', async () => {
  await openReport({slices: kTimeSlices});
  const labels = await textOf('#placement');
  for (const name of ['detect', 'track', 'plan', 'context vision', 'copy']) assert.ok(labels.includes(name), name);
  assert.match(await textOf('#stalls'), /preempted/);
  assert.deepEqual(await browser.run(() => Array.from(document.querySelectorAll('#time figure'), (figure) => figure.id)),
    ['ipc-0', 'threads-0', 'warps-0', 'bandwidth-0', 'hits-0', 'dram-cycles-0']);
});

// As `gputlm check` and `gputlm cost` write them (docs/rtl.md, docs/cost.md); what the page does not read is left out.
const kCheck = {schema: 'gputlm-check-1', design: 'mine', against: 'fr_rr_fcfs', size: {Entries: 32}, decisions: 1463, seeds: [{seed: 7}],
  difference: {seed: 7, cycle: 2984, text: '* grant_id_o expected 0x19, found 0x1b', again: 'gputlm check mine.sv --seed 7'}, points: [{hits: 3}, {hits: 0}],
  proof: {size: {Entries: 8}, properties: [{name: 'grant_asked', outcome: 'proved', cycles: null}, {name: 'oldest', outcome: 'bounded', cycles: 12}, {name: 'grant_if_any', outcome: 'refuted', cycles: 3}]}};
const implementation = (nand2, ns) => ({best: {nand2_equivalents: nand2, critical_path_ns: ns, frequency_mhz: 1000 / ns}});
const kCost = {schema: 'gputlm-cost-1', library: {name: 'cells'}, points: [{geometry: {entries: 16},
  cost: {block: 'mine', ...implementation(7654.25, 3.5)}, against: {block: 'fr_fcfs_arbiter', ...implementation(7000, 4)},
  overhead: {area_percent: 9.3, delay_percent: -12.5}}],
  energy: {run: 'both', blocks: [{block: 'fr_fcfs_arbiter', size: 'entries=16', decisions: 1500, served: 1000, pj_decision: 13.3, pj_served: 20, gated_pj_served: 18},
    {block: 'mine', size: 'entries=16', decisions: 1500, served: 1000, pj_decision: 20, pj_served: 30, gated_pj_served: 25}]}};

test('a verdict: what a design does, what it costs, and what it gave in runs', async () => {
  const designs = Object.entries({check: kCheck, cost: kCost}).map(([name, content]) => {
    const path = join(folder, `${name}.json`);
    writeFileSync(path, JSON.stringify(content, null, 2));
    return path;
  });
  await openReport({isolated: [workload('most_room/isolated.yaml'), '--gpu', 'turing68', '--set', 'dram.energy.read_pj=400']}, designs);
  assert.match(await textOf('#dram'), /Energy of DRAM.*pJ a bit.*isolated.*1\.56/s);  // 400 pJ for 32 bytes, and nothing else
  assert.deepEqual((await sectionsShown()).slice(0, 2), ['verdict', 'what']);
  assert.equal(await textOf('#title'), 'mine, isolated');
  const verdict = await textOf('#verdict');
  assert.match(verdict, /1,463.*1 of 2.*differs in cycle 2,984 of seed 7.*expected 0x19.*gputlm check mine\.sv --seed 7/s);
  assert.match(verdict, /grant_asked.*proved.*oldest.*no counterexample in 12 cycles.*grant_if_any.*refuted by 3 cycles/s);
  assert.match(verdict, /with the decisions of both.*fr_fcfs_arbiter.*1,500.*1,000.*13\.30.*20\.00.*18\.00.*mine.*20\.00.*30\.00.*25\.00.*\+50\.0 %/s);
  assert.match(verdict, /mine.*7,654.*3\.500.*\+9\.3 % area, −12\.5 % delay.*fr_fcfs_arbiter.*7,000/s);
  await openReport({}, designs);
  assert.deepEqual(await sectionsShown(), ['verdict']);
});

test('ways to share: what each costs whom, as a picture, and to what time was lost', async () => {
  const out = join(folder, 'ways');
  mustRun('share', kShortSlices, '--gpu', 'rtx2060', '--way', 'mps', '--way', 'time-slices', '--no-cache', '--out', out);
  await openReport({}, [out]);
  assert.deepEqual(await sectionsShown(), ['share']);
  assert.equal(await textOf('#title'), 'vision and planner');
  assert.match(await textOf('#share'), /alone.*vision.*time-slices.*planner.*mps-50-50/s);
  assert.equal(await browser.run(() => document.querySelectorAll('#share-0 svg').length), 1);
  assert.match(await textOf('#share-0-lost-0'), /turn of others/);
});

test('a study: bars with intervals, and over its baseline', async () => {
  const out = join(folder, 'study'), file = join(folder, 'study.yaml');
  const small = JSON.stringify(smaller('gups.yaml', 'grid: 120', 'grid: 15'));
  writeFileSync(file, `gpus: [gtx480]\nvary: {sm.warp_scheduler: [lrr, gto]}\nworkloads: [small]\ntexts: {small: ${small}}\nseeds: [1, 2]\n`);
  mustRun('sweep', file, '--baseline', 'sm.warp_scheduler=lrr', '--no-cache', '--out', out);
  await openReport({}, [out]);
  assert.deepEqual(await sectionsShown(), ['study']);
  assert.equal(await textOf('#title'), 'study study');
  assert.match(await textOf('#study'), /sm\.warp_scheduler \(2\); means of 2 seeds.*Cycles of the run.*lrr.*\d \(.* to .*\).*Cycles by application.*Cycles of the run, over sm\.warp_scheduler=lrr/s);
  assert.equal(await browser.run(() => document.querySelectorAll('#study svg').length), 4);
});

// What a browser would be given to save, by the button of a figure.
const savedBy = (selector) => browser.run(async (wanted) => {
  const create = URL.createObjectURL;
  let blob;
  URL.createObjectURL = (object) => ((blob = object), 'blob:none');
  HTMLAnchorElement.prototype.click = function () { this.dataset.clicked = this.download; blob.name = this.download; };
  document.querySelector(`${wanted} .save`).click();
  URL.createObjectURL = create;
  delete HTMLAnchorElement.prototype.click;
  return {name: blob.name, type: blob.type, text: await blob.text()};
}, selector);

test('every chart can be saved as SVG: well-formed, in light colours, with its names', async () => {
  await openReport(kMixed);
  assert.equal(await browser.run(() => Array.from(document.querySelectorAll('figure')).filter((figure) => figure.querySelector('.chart') && !figure.querySelector('.save')).length), 0);
  await browser.run(() => document.getElementById('theme').click());
  for (const selector of ['.placement', '#stalls figure']) {
    const {name, type, text} = await savedBy(selector);
    assert.match(name, /^[a-z0-9-]+\.svg$/);
    assert.equal(type, 'image/svg+xml');
    const errors = await browser.run((svg) => new DOMParser().parseFromString(svg, 'image/svg+xml').querySelectorAll('parsererror').length, text);
    assert.equal(errors, 0, text.slice(0, 500));
    assert.match(text, /width="700"/);
    assert.match(text, /<rect width="100%" height="100%" fill="#ffffff"/);
    assert.ok(text.length > 2000, name);
  }
  const {text} = await savedBy('.placement');
  for (const kernel of ['tiles', 'histogram']) assert.ok(text.includes(`>${kernel}<`), kernel);
});

test('deadlines: who missed them is said in words', async () => {
  await openReport({lrr: [workload('deadlines.yaml'), '--gpu', 'titan_v'], qaws: [workload('deadlines.yaml'), '--gpu', 'titan_v', '--set', 'sm.warp_scheduler=qaws']});
  assert.match(await textOf('#responses'), /0 of 4.*4 of 4/s);
  assert.match(await textOf('#what .warnings'), /budgets of launches have no effect/);
  assert.match(await textOf('#differences'), /sm\.warp_scheduler/);
});

test('worst cases: percentiles that the jobs cannot support, and who held the slowest job up', async () => {
  await openReport({service: [workload('service.yaml'), '--gpu', 'xavier', '--probe', 'responses']});
  assert.match(await textOf('#worst'), /cannot support p95 of frame.*control#.*frame.*100\.0 %/s);
  assert.deepEqual(await browser.run(() => Array.from(document.querySelectorAll('#worst figure'), (figure) => figure.id)), ['histogram-0', 'worst-parts-0']);
});

test('what was run fits a window of 1280 pixels, whatever the number of runs', async () => {
  const boxes = () => browser.run(() => Array.from(document.querySelectorAll('#what .scroll'), (box) => [box.scrollWidth, box.clientWidth]));
  for (const runs of [1, 2, 3, 6]) {
    await openReport(Object.fromEntries(Array.from({length: runs}, (_, at) => [`compute_${at}`, [workload('compute.yaml'), '--gpu', 'tx2', '--seed', String(at)]])));
    for (const [needed, there] of await boxes()) assert.ok(needed <= there, `${runs} runs: ${needed} of ${there} pixels`);
  }
});

test('every section is named in the contents, every chart has a name and a table', async () => {
  await openReport(kMixed);
  const lacking = await browser.run(() => [
    ...Array.from(document.querySelectorAll('main > section'), (section) => `#${section.id}`).filter((id) => !document.querySelector(`nav a[href="${id}"]`)),
    ...Array.from(document.querySelectorAll('.chart')).filter((chart) => !chart.getAttribute('aria-label') || !chart.getAttribute('role')).map((chart) => chart.outerHTML),
    ...Array.from(document.querySelectorAll('figure:not(.placement)')).filter((figure) => !figure.querySelector('details table') && !figure.nextElementSibling?.querySelector('table')).map((figure) => figure.id),
    ...Array.from(document.querySelectorAll('table')).filter((table) => !table.querySelector('caption') || !table.querySelector('th[scope]')).map((table) => table.outerHTML),
    ...Array.from(document.querySelectorAll('button, select, input')).filter((element) => !(element.ariaLabel || element.textContent || element.labels.length)).map((element) => element.outerHTML),
  ]);
  assert.deepEqual(lacking, []);
});

test('the page loads nothing', async () => {
  assert.deepEqual(await browser.run(() => performance.getEntriesByType('resource').map((entry) => entry.name)), []);
});

test('the chart of placement is used by keys: it zooms, moves, goes from box to box and says where it is', async () => {
  const said = () => textOf('.placement .said');
  const rangeOf = async () => (await said()).match(/From (\S+) to (\S+) us/).slice(1).map(Number);
  await browser.run(() => document.querySelector('#placement .tools button:last-of-type').focus());
  await browser.press(kKeys.tab);
  assert.ok(await browser.run(() => document.activeElement.classList.contains('gantt')), 'the chart comes behind its buttons');
  await browser.press(kKeys.up);
  const [from, to] = await rangeOf();
  await browser.press(kKeys.right);
  const [moved] = await rangeOf();
  assert.ok(moved > from && moved < to);
  await browser.press(kKeys.home);
  assert.ok((await rangeOf())[1] > to);
  await browser.press('n');
  assert.match(await said(), /^stream first \/ s0\. Kernel tiles/);
  assert.ok(await browser.run(() => !document.querySelector('.placement .tip').hidden));
  await browser.press('p', 'p');
  assert.match(await said(), /^SM 7\. Block \d+ of /);
  assert.deepEqual(await browser.console(), []);
});

test('the pointer on a box says whose it is', async () => {
  const place = await browser.run(() => {
    const chart = document.querySelector('.gantt');
    chart.scrollIntoView({block: 'center'});
    const {left, bottom} = chart.getBoundingClientRect();
    return [left + 200, bottom - 80];
  });
  await browser.point(...place);
  assert.match(await textOf('.placement .tip'), /^Block \d+ of tiles.*us.*cycles.*SM 7, slot \d+, 256 threads/);
});

test('SMs are chosen by their numbers, colours by what they stand for', async () => {
  const height = () => browser.run(() => document.querySelector('.gantt').clientHeight);
  const all = await height();
  await browser.run(() => {
    const input = document.querySelector('#placement input');
    input.value = '0-1';
    input.dispatchEvent(new Event('change'));
  });
  assert.ok(await height() < all);
  await browser.run(() => {
    const select = document.querySelector('#placement select');
    select.value = 'application';
    select.dispatchEvent(new Event('change'));
  });
  assert.match(await textOf('.placement .key'), /first.*second/);
});

test('dark and light are one key apart, and the printer gets light', async () => {
  const paper = () => browser.run(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await browser.click('#theme');
  assert.notEqual(await paper(), light);
  assert.equal(await browser.run(() => document.querySelector('#theme').getAttribute('aria-pressed')), 'true');
  const {data} = await browser.command('Page.printToPDF', {preferCSSPageSize: true});
  assert.equal(Buffer.from(data, 'base64').subarray(0, 5).toString(), '%PDF-');
  assert.notEqual(await paper(), light, 'after printing it is as before');
  await browser.click('#theme');
  await browser.click('#patterns');
  assert.deepEqual(await browser.console(), []);
});

test('a narrow window cuts nothing off', async () => {
  await browser.resize(500, 900);  // Chromium's windows are not narrower
  await browser.command('Emulation.setDeviceMetricsOverride', {width: 400, height: 900, deviceScaleFactor: 1, mobile: false});
  assert.ok(await browser.run(() => new Promise((done) => setTimeout(() => done(document.scrollingElement.scrollWidth <= 400), 100))));
  await browser.command('Emulation.clearDeviceMetricsOverride', {});
  await browser.resize(1280, 900);
});

test('names are text, whatever stands in them', async () => {
  const name = '</script><img src=x onerror="document.title=1"><b>';
  const file = join(folder, 'hostile.yaml');
  writeFileSync(file, readFileSync(workload('mixed.yaml'), 'utf8').replaceAll('spinner', JSON.stringify(name)));
  await openReport({hostile: [file, '--gpu', 'xavier']});
  assert.ok((await textOf('#summary')).includes(name));
  assert.equal(await browser.run(() => document.querySelectorAll('img, main b').length), 0);
});
