import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Readable } from 'node:stream';
import { pythonRole } from '../../../scripts/find-engines.mjs';
import { type Engine, type EngineTab, fromJson, type Key, type StartOptions, toProgram } from './engine.ts';
import { createFolder, findFreePort, type Program, start } from './processes.ts';
import { openSession, type WebDriver, WebDriverError } from './webdriver.ts';

/** ms for an element to appear. */
const patience = 15_000;

/** ms for a browser to start. */
const startLimit = 20_000;

/** Characters that mean keys: https://www.w3.org/TR/webdriver2/#keyboard-actions */
const keys: Readonly<Record<Key, string>> = { Enter: '\uE007', Escape: '\uE00C', Tab: '\uE004' };

/** Starts WebKitGTK's MiniBrowser on a display of its own: its databases are in memory, and outlive its pages. */
export const startWebKit = (options: StartOptions): Promise<Engine> => startDriven('webkit', options);

/** Starts WebKitGTK with its databases on the disk: see webkit-on-disk.py. */
export const startWebKitOnDisk = (options: StartOptions): Promise<Engine> => startDriven('webkit-disk', options);

async function startDriven(
  name: 'webkit' | 'webkit-disk',
  { programs, width = 1100, height = 800, features = [] }: StartOptions,
): Promise<Engine> {
  const { Xvfb = '', WebKitWebDriver = '', browser = '', [pythonRole]: python = '' } = programs;
  const data = await createFolder();
  // Without `-noreset` the display starts again when its last program ends, and loses the one that begins at that moment.
  const display = start(Xvfb, ['-displayfd', '3', '-noreset', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const running: Program[] = [display];
  const stop = async (): Promise<void> => {
    for (const program of running.reverse()) await program.stop();
    await data.remove();
  };
  try {
    const env = {
      DISPLAY: `:${await readLine(display)}`,
      WEBKIT_DATA: data.path,
      WEBKIT_FEATURES: features.join(','),
      WEBKIT_SIZE: `${width}x${height}`,
      HOME: data.path,
    };
    const onDisk = fileURLToPath(new URL('webkit-on-disk.py', import.meta.url));
    const { session, driver } = await startSession(WebKitWebDriver, env, {
      'webkitgtk:browserOptions':
        name === 'webkit'
          ? { binary: browser, args: ['--automation', ...(features.length > 0 ? [toSwitch(features)] : [])] }
          : { binary: python, args: [onDisk] },
    });
    running.push(driver);
    // The session ends with its last window: the first one stays, and opens the others.
    const first = await session.send<string>('GET', '/window');
    return {
      name,
      version: session.capabilities.browserVersion,
      open: async () => {
        const { handle } = await session.inWindow(first, () =>
          session.send<{ readonly handle: string }>('POST', '/window/new', { type: 'window' }),
        );
        const tab = tabOf(session, handle);
        await tab.resize(width, height).catch(() => {});
        return tab;
      },
      async close() {
        // Ends the processes of the browser, which lead groups of their own.
        await Promise.race([session.send('DELETE', '').catch(() => {}), sleep(5_000)]);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The argument of MiniBrowser that switches features on. */
const toSwitch = (features: readonly string[]): string => `--features=${features.map((one) => `+${one}`).join(',')}`;

/** Xvfb writes the number of a display that was free. */
async function readLine({ child }: Program): Promise<string> {
  const output = (child.stdio[3] as Readable).setEncoding('utf8');
  return new Promise((resolve, reject) => {
    output.once('data', (text: string) => resolve(text.trim()));
    child.once('exit', () => reject(new Error('Xvfb did not start.')));
  });
}

/** Starts a driver and its browser. A start that does not answer in time is given up: the next attempt has other processes. */
async function startSession(command: string, env: Readonly<Record<string, string>>, capabilities: object) {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    const driver = start(command, [`--port=${port}`, '--host=127.0.0.1'], { env });
    try {
      const base = `http://127.0.0.1:${port}`;
      await untilReady(base, driver);
      return { driver, session: await openSession(base, capabilities, startLimit) };
    } catch (error) {
      await driver.stop();
      if (attempt === 5) throw error;
    }
  }
}

/** Rejects where the driver ends: another program has taken the port meanwhile. */
async function untilReady(base: string, { child }: Program): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const isReady = await fetch(`${base}/status`, { signal: AbortSignal.timeout(startLimit) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(50);
  }
  throw new Error('WebKitWebDriver did not start.');
}

function tabOf(session: WebDriver, handle: string): EngineTab {
  const inTab = <Value>(work: () => Promise<Value>): Promise<Value> => session.inWindow(handle, work);
  const { send } = session;

  /** Waits for an element that takes input. */
  async function withElement(css: string, work: (path: string) => Promise<unknown>): Promise<void> {
    const end = Date.now() + patience;
    for (;;) {
      try {
        await inTab(async () => {
          const element = await send<Record<string, string>>('POST', '/element', { using: 'css selector', value: css });
          await work(`/element/${Object.values(element)[0]}`);
        });
        return;
      } catch (error) {
        if (!(error instanceof WebDriverError) || Date.now() > end) throw error;
        await sleep(50);
      }
    }
  }

  const pressAll = (values: readonly string[]): Promise<void> =>
    inTab(async () => {
      const actions = values.flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value })));
      await send('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
    });

  return {
    goto: (url) => inTab(() => send('POST', '/url', { url })),
    reload: () => inTab(() => send('POST', '/refresh', {})),
    back: () => inTab(() => send('POST', '/back', {})),
    url: () => inTab(() => send('GET', '/url')),
    async run(work, ...args) {
      const script = `const done = arguments[0]; ${toProgram(work, args)}.then((value) => done([value]), (error) => done([null, error + '\\n' + (error && error.stack)]))`;
      const [value, error] = await inTab(() =>
        send<readonly [string | null, string?]>('POST', '/execute/async', { script, args: [] }),
      );
      if (error !== undefined) throw new Error(error);
      return fromJson(value);
    },
    click: (css) => withElement(css, (path) => send('POST', `${path}/click`, {})),
    type: (css, text) =>
      withElement(css, (path) => send('POST', `${path}/value`, { text: text.replaceAll('\n', keys.Enter) })),
    clickAt: (x, y, times = 1) =>
      inTab(async () => {
        const click = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }));
        const move = { type: 'pointerMove', duration: 0, origin: 'viewport', x: Math.round(x), y: Math.round(y) };
        const actions = [move, ...click, ...(times === 2 ? click : [])];
        const mouse = { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions };
        await send('POST', '/actions', { actions: [mouse] });
      }),
    write: (text) => pressAll(Array.from(text, (character) => (character === '\n' ? keys.Enter : character))),
    press: (key) => pressAll([keys[key]]),
    resize: (width, height) => inTab(() => send('POST', '/window/rect', { width, height })),
    screenshot: async () => Buffer.from(await inTab(() => send<string>('GET', '/screenshot')), 'base64'),
    close: () => inTab(() => send('DELETE', '/window')),
    problems: () => [],
    reportsProblems: false,
  };
}
