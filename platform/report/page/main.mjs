// Puts the report together.

import {h} from './dom.mjs';
import {addDrawing, appearance, drawAll} from './figures.mjs';
import {numberNames} from './names.mjs';
import {nameRuns, Run} from './run.mjs';
import {sections} from './sections.mjs';
import {designsOf} from './section_verdict.mjs';
import {Table} from './table.mjs';

function button(id, act) {
  const element = document.getElementById(id);
  element.addEventListener('click', () => act(element));
  return element;
}

function isDark() {
  return appearance.dark;
}

function setDark(dark) {
  appearance.dark = dark;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.getElementById('theme').setAttribute('aria-pressed', String(dark));
}

function wire() {
  button('theme', () => (setDark(!isDark()), drawAll()));
  button('patterns', (element) => {
    appearance.patterns = !appearance.patterns;
    element.setAttribute('aria-pressed', String(appearance.patterns));
    drawAll();
  });
  button('print', () => window.print());
  const preference = matchMedia('(prefers-color-scheme: dark)');
  preference.addEventListener('change', () => (setDark(preference.matches), drawAll()));
  const printing = (now) => () => ((appearance.printing = now), drawAll());
  addEventListener('beforeprint', printing(true));
  addEventListener('afterprint', printing(false));
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth === width || appearance.printing) return;
    width = innerWidth;
    drawAll();
  });
}

function start() {
  const data = JSON.parse(document.getElementById('data').textContent);
  const runs = data.runs.map((run) => new Run(run));
  nameRuns(runs);
  numberNames(runs, data.studies.map(({summary}) => new Table(summary)));
  const names = runs.length > 3 ? [`${runs.length} runs`] : runs.map((run) => run.name);
  const title = [...data.studies.map(({path}) => `study ${path.replace(/\/+$/, '').split('/').pop()}`), ...data.shares.map(({result}) => result.programs.join(' and ')), ...designsOf(data), ...names].join(', ');
  document.title = `${title} - report of gputlm`;
  document.getElementById('title').textContent = title;
  setDark(matchMedia('(prefers-color-scheme: dark)').matches);
  const content = document.getElementById('content'), contents = document.getElementById('contents');
  const list = h('ul');
  for (const section of sections()) {
    const parts = section.build(runs, data);
    if (parts.length === 0) continue;
    content.append(h('section', {id: section.id, 'aria-labelledby': `${section.id}-title`},
      h('h2', {id: `${section.id}-title`}, section.title), parts));
    list.append(h('li', {}, h('a', {href: `#${section.id}`}, section.title)));
  }
  contents.append(list);
  drawAll();
  wire();
  document.documentElement.dataset.ready = 'true';
}

start();
