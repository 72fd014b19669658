// A headless Chromium, driven by chromedriver (https://www.w3.org/TR/webdriver2/).

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';

const kElement = 'element-6066-11e4-a52e-4f735466cecf';
export const kKeys = {tab: '\ue004', left: '\ue012', up: '\ue013', right: '\ue014', down: '\ue015', home: '\ue011', enter: '\ue007'};

export class Browser {
  static async start() {
    const browser = new Browser();
    browser.profile = mkdtempSync(join(tmpdir(), 'gputlm_browser_'));
    browser.driver = spawn(process.env.CHROMEDRIVER, ['--port=0'], {stdio: ['ignore', 'pipe', 'ignore'], env: {...process.env, HOME: browser.profile}});
    for await (const line of createInterface({input: browser.driver.stdout})) {
      const port = line.match(/started successfully on port (\d+)/)?.[1];
      if (port) {
        browser.address = `http://127.0.0.1:${port}/session`;
        break;
      }
    }
    browser.driver.stdout.resume();
    const {sessionId} = await browser.ask('POST', '', {capabilities: {alwaysMatch: {
      browserName: 'chrome', 'goog:loggingPrefs': {browser: 'ALL'},
      'goog:chromeOptions': {binary: process.env.CHROMIUM, args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-dev-shm-usage', '--no-first-run',
        '--disable-background-networking', '--disable-component-update', '--disable-sync', '--window-size=1280,900', `--user-data-dir=${browser.profile}`]},
    }}});
    browser.address += `/${sessionId}`;
    return browser;
  }

  async ask(method, path, body) {
    const response = await fetch(this.address + path, {method, body: body && JSON.stringify(body)});
    const {value} = await response.json();
    if (!response.ok) throw new Error(`${path}: ${value.message}`);
    return value;
  }

  async stop() {
    await this.ask('DELETE', '');
    this.driver.kill();
    await once(this.driver, 'exit');
    rmSync(this.profile, {recursive: true, force: true});
  }

  open(file) {
    return this.ask('POST', '/url', {url: `file://${file}`});
  }

  // What a function of the page returns.
  run(code, ...args) {
    return this.ask('POST', '/execute/sync', {script: `return (${code})(...arguments)`, args});
  }

  // Everything that came to the console since it was last asked.
  async console() {
    return (await this.ask('POST', '/se/log', {type: 'browser'})).map((entry) => `${entry.level}: ${entry.message}`);
  }

  async element(selector) {
    return (await this.ask('POST', '/element', {using: 'css selector', value: selector}))[kElement];
  }

  async click(selector) {
    return this.ask('POST', `/element/${await this.element(selector)}/click`, {});
  }

  // Keys to what has the focus.
  press(...keys) {
    const actions = keys.flatMap((value) => [{type: 'keyDown', value}, {type: 'keyUp', value}]);
    return this.ask('POST', '/actions', {actions: [{type: 'key', id: 'keyboard', actions}]});
  }

  // The pointer to a place in the window.
  point(x, y) {
    return this.ask('POST', '/actions', {actions: [{type: 'pointer', id: 'mouse', actions: [{type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0}]}]});
  }

  resize(width, height) {
    return this.ask('POST', '/window/rect', {width, height});
  }

  command(cmd, params) {
    return this.ask('POST', '/goog/cdp/execute', {cmd, params});
  }
}
