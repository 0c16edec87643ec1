import { afterAll, describe, expect, it } from 'vitest';
import { listen } from '../e2e/support/server.ts';
import { eventually } from '../e2e/support/eventually.ts';
import { during } from '../e2e/support/stage.ts';
import { engines, startEngine } from './support/start-engine.ts';

const site = await listen((request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(`<!doctype html><title>${request.url}</title><h1>${request.url}</h1><input><button onclick="h1.textContent = 'clicked'">Go</button>
    <script>const h1 = document.querySelector('h1'); document.querySelector('input').onkeydown = ({ key, target }) => { if (key === 'Enter') h1.textContent = 'entered ' + target.value; };</script>`);
});
const base = `http://${site.host}`;
afterAll(() => site.stop());

describe.each(engines)('the driver of %s', (name) => {
  const engine = during(
    () => startEngine(name),
    (its) => its.close(),
  );

  it('goes, comes back and reloads', async () => {
    const tab = await engine().open();
    await tab.goto(`${base}/one`);
    await tab.goto(`${base}/two`);
    expect(await tab.url()).toBe(`${base}/two`);
    await tab.back();
    await eventually(() => tab.run(() => document.title)).toBe('/one');
    await tab.run(() => void (document.title = 'changed'));
    await tab.reload();
    await eventually(() => tab.run(() => document.title)).toBe('/one');
    await tab.close();
  });

  it('runs functions in the page', async () => {
    const tab = await engine().open();
    await tab.goto(`${base}/run`);
    expect(await tab.run((one: number, other: readonly number[]) => [one, ...other], 1, [2, 3])).toEqual([1, 2, 3]);
    expect(await tab.run(async () => ({ at: await Promise.resolve(location.pathname) }))).toEqual({ at: '/run' });
    expect(await tab.run(() => undefined)).toBeNull();
    await expect(tab.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await tab.close();
  });

  it('types, presses keys and clicks', async () => {
    const tab = await engine().open();
    await tab.goto(`${base}/`);
    await tab.type('input', 'a word\n');
    expect(await tab.run(() => document.querySelector('h1')?.textContent)).toBe('entered a word');
    await tab.type('input', ' more');
    await tab.press('Enter');
    expect(await tab.run(() => document.querySelector('h1')?.textContent)).toBe('entered a word more');
    await tab.click('button');
    expect(await tab.run(() => document.querySelector('h1')?.textContent)).toBe('clicked');
    await tab.close();
  });

  it('keeps tabs apart, and shares their storage', async () => {
    const [one, other] = [await engine().open(), await engine().open()];
    await one.goto(`${base}/one`);
    await other.goto(`${base}/other`);
    await one.run(() => localStorage.setItem('from', location.pathname));
    // Two tabs may be two processes.
    await eventually(() => other.run(() => [location.pathname, localStorage.getItem('from')])).toEqual([
      '/other',
      '/one',
    ]);
    await one.close();
    expect(await other.run(() => location.pathname)).toBe('/other');
    await other.close();
  });

  it('takes pictures of a window of the size that was asked for', async () => {
    const tab = await engine().open();
    await tab.goto(`${base}/`);
    await tab.resize(600, 700);
    await eventually(() => tab.run(() => innerWidth)).toBe(600);
    expect((await tab.screenshot()).subarray(1, 4).toString()).toBe('PNG');
    await tab.close();
  });

  it('reports errors of the page, where the engine does', async () => {
    const tab = await engine().open();
    await tab.goto(`${base}/`);
    await tab.run(() => {
      console.error('in the console');
      setTimeout(() => {
        throw new Error('uncaught');
      });
    });
    if (tab.reportsProblems) {
      await eventually(() => tab.problems().join()).toContain('uncaught');
      expect(tab.problems().join()).toContain('in the console');
    }
    await tab.close();
  });
});
