// `gputlm report`: its page, and refused inputs.

import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {cpSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'node:test';
import {Table} from '../../platform/report/page/table.mjs';
import {dataOf, gputlm, mustRun, testFolder, workload} from './program.mjs';

const folder = testFolder();
const mixed = join(folder, 'mixed');
mustRun('run', workload('mixed.yaml'), '--gpu', 'xavier', '--out', mixed);

// A copy of a result with another content of one of its files, of which the record speaks.
function resultWith(name, file, content) {
  const copy = join(folder, name);
  cpSync(mixed, copy, {recursive: true});
  writeFileSync(join(copy, file), content);
  const record = JSON.parse(readFileSync(join(copy, 'result.json'), 'utf8'));
  record.files[file] = createHash('sha1').update(content).digest('hex');
  writeFileSync(join(copy, 'result.json'), JSON.stringify(record));
  return copy;
}

function report(...results) {
  const path = join(folder, `report-${report.count = (report.count ?? 0) + 1}.html`);
  mustRun('report', ...results, '-o', path);
  return path;
}

test('a block of blocks.csv is a box of the report, with the same times and place', () => {
  const lines = readFileSync(join(mixed, 'blocks.csv'), 'utf8').trim().split('\n');
  const header = lines.shift().split(',');
  const {blocks} = dataOf(report(mixed)).runs[0];
  const boxes = new Table(blocks.boxes), launches = new Table(blocks.launches);
  const found = Array.from({length: boxes.rows}, (_, row) => {
    const launch = boxes.at('launch', row), end = boxes.at('end', row);
    return {
      kernel: launches.at('kernel', launch), block: boxes.at('block', row), sm: boxes.at('sm', row), start_cycle: end - boxes.at('cycles', row),
      end_cycle: end, slot: boxes.at('slot', row), threads: launches.at('threads', launch), stream: launches.at('stream', launch), application: launches.at('application', launch),
    };
  });
  assert.deepEqual(found, lines.map((line) => {
    const cells = Object.fromEntries(line.split(',').map((cell, at) => [header[at], cell]));
    return Object.fromEntries(Object.keys(found[0]).map((name) => [name, /^\d+$/.test(cells[name]) ? Number(cells[name]) : cells[name]]));
  }));
});

test('tables come out of the report as they are in their files, whatever stands in them', () => {
  const rows = [
    ['number', 'fraction', 'double', 'text', 'sometimes', 'large'],
    ['0', '0.5', '0.3333333333333333', '1', '', '9007199254740993'],
    ['0', '-12.125', '1e-300', 'a "quoted", one', '5', '1'],
    ['0', '7', '2', 'line\nend', '', '2'],
    ['-3', '0.001', '-0.5', '', '', '3'],
    ['1000000000000', '100', '4', '</script>', '6', '4'],
  ];
  const quoted = (cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const csv = `${rows.map((row) => row.map(quoted).join(',')).join('\n')}\n`;
  const table = new Table(dataOf(report(resultWith('odd', 'jobs.csv', csv))).runs[0].tables.jobs);
  const names = rows.shift();
  const expected = rows.map((row) => row.map((cell, at) => (cell === '' ? undefined : names[at] === 'text' ? cell : Number(cell))));
  assert.deepEqual(Array.from({length: table.rows}, (_, row) => names.map((name) => table.at(name, row))), expected);
});

test('columns of every kind, and runs of one value of any length, are unpacked as they were', () => {
  const values = Array.from({length: 1000}, (_, row) => (row % 97 < 60 ? 5 : (row * 7919) % 301 - 150));
  const csv = `a,b\n${values.map((value, row) => `${value},${row % 5 === 0 ? '' : value * 3}`).join('\n')}\n`;
  const table = new Table(dataOf(report(resultWith('runs', 'jobs.csv', csv))).runs[0].tables.jobs);
  assert.deepEqual(Array.from(table.column('a')), values);
  assert.deepEqual(Array.from(table.column('b'), (value) => (Number.isNaN(value) ? '' : value)), values.map((value, row) => (row % 5 === 0 ? '' : value * 3)));
});

test('the same results give the same bytes', () => {
  assert.equal(readFileSync(report(mixed), 'utf8'), readFileSync(report(mixed), 'utf8'));
});

test('a result may be given by its folder or by its result.json', () => {
  assert.equal(dataOf(report(join(mixed, 'result.json'))).runs[0].blocks.boxes.rows, dataOf(report(mixed)).runs[0].blocks.boxes.rows);
});

test('names of input end no script of the page', () => {
  const name = '</script><script>document.title=1</script><!--';
  const file = join(folder, 'hostile.yaml');
  writeFileSync(file, readFileSync(workload('mixed.yaml'), 'utf8').replaceAll('spinner', JSON.stringify(name)));
  mustRun('run', file, '--gpu', 'xavier', '--out', join(folder, 'hostile'));
  const path = report(join(folder, 'hostile'));
  assert.equal(readFileSync(path, 'utf8').match(/<\/script>/g).length, 3);
  assert.ok(Array.from(new Table(dataOf(path).runs[0].kernels).column('kernel')).includes(name));
});

test('a page loads nothing: it has no address of anything else, and its policy allows none', () => {
  const page = readFileSync(report(mixed), 'utf8').replace(/<script[^]*?<\/script>/g, '');
  assert.match(page, /Content-Security-Policy"\s+content="default-src 'none'; script-src 'nonce-[0-9a-f]{40}'; style-src 'unsafe-inline'; img-src data:;/);
  assert.doesNotMatch(page, /\s(src|href|action)="(?!#|data:,)/);
});

test('a file that does not belong to the result is refused, and named', () => {
  const broken = join(folder, 'broken');
  cpSync(mixed, broken, {recursive: true});
  writeFileSync(join(broken, 'blocks.csv'), `${readFileSync(join(mixed, 'blocks.csv'))}\n`);
  const {code, err} = gputlm('report', broken, '-o', join(folder, 'broken.html'));
  assert.equal(code, 2);
  assert.match(err, /broken\/blocks\.csv: is not the file that result\.json lists/);
  assert.ok(!existsSync(join(folder, 'broken.html')));
});

test('what is no result is refused: a folder without one, JSON of something else, no JSON', () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  for (const [content, message] of [[undefined, /empty: has no result\.json, allowed: a folder that/], ['{"schema": "x"}', /is no result of gputlm run/], ['{"schema": 1}', /is no result of gputlm run/], ['[]', /is no JSON object/]]) {
    if (content) writeFileSync(join(empty, 'result.json'), content);
    const {code, err} = gputlm('report', empty, '-o', join(folder, 'none.html'));
    assert.equal(code, 2);
    assert.match(err, message);
  }
});

test('a file that is no report is replaced with --force only, a report without', () => {
  const path = join(folder, 'letter.html');
  writeFileSync(path, 'Dear reader');
  const {code, err} = gputlm('report', mixed, '-o', path);
  assert.equal(code, 2);
  assert.match(err, /letter\.html: exists and is not a report, allowed: another name, or --force/);
  assert.equal(readFileSync(path, 'utf8'), 'Dear reader');
  mustRun('report', mixed, '-o', path, '--force');
  mustRun('report', mixed, '-o', path);
});

test('of more blocks than a page holds, neighbours in a slot are one box, and none gets lost', () => {
  const blocks = 21_000, slots = 40;
  const lines = ['kernel,block,sm,start_cycle,end_cycle,start_ns,end_ns,slot,threads,stream,application'];
  for (let block = 0; block < blocks; ++block) {
    const slot = block % slots, start = 100 * Math.floor(block / slots) + slot;
    lines.push(`${Math.floor(block / slots) < 200 ? 'k' : 'l'},${block},${slot >> 3},${start},${start + 90},0,0,${slot & 7},64,s,a`);
  }
  const {blocks: packed} = dataOf(report(resultWith('many', 'blocks.csv', `${lines.join('\n')}\n`), '--boxes', '20000')).runs[0];
  const boxes = new Table(packed.boxes);
  assert.ok(boxes.rows <= 20_000);
  assert.equal(packed.merged_below_cycles, 128);
  const ofLaunch = (launch) => boxes.column('blocks').filter((_, box) => boxes.at('launch', box) === launch).reduce((sum, count) => sum + count);
  assert.deepEqual([0, 1].map(ofLaunch), [200 * slots, blocks - 200 * slots]);
});

test('of more intervals of a series than a chart shows, neighbours are added up', () => {
  const lines = ['start_cycle,interval_cycles,application,block.instructions,noc.flits'];
  for (let interval = 0; interval < 2500; ++interval) lines.push(`${interval * 10},10,a,${interval},`, `${interval * 10},10,b,1,`, `${interval * 10},10,,,-2`);
  const table = new Table(dataOf(report(resultWith('series', 'series.csv', `${lines.join('\n')}\n`))).runs[0].tables.series);
  const rows = Array.from({length: table.rows}, (_, row) => ['start_cycle', 'interval_cycles', 'application', 'block.instructions', 'noc.flits'].map((name) => table.at(name, row)));
  assert.deepEqual(rows.slice(0, 4), [[0, 30, 'a', 3, undefined], [0, 30, 'b', 3, undefined], [0, 30, undefined, undefined, -6], [30, 30, 'a', 12, undefined]]);
  assert.deepEqual(rows.slice(-1), [[24990, 10, undefined, undefined, -2]]);
  assert.equal(rows.filter(([, , application]) => application === 'a').reduce((sum, row) => sum + row[3], 0), 2499 * 1250);
});
