import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium, type LaunchOptions, type Page } from 'playwright';
import { paceKey } from '../../../demo/src/offline/pace.ts';
import { launchArgs } from '../../../scripts/find-browser.mjs';

/** A page, and its errors. */
export interface Tab {
  readonly page: Page;
  /** All messages in the console of the page. */
  readonly console: readonly string[];
  /** Uncaught errors and console errors that no test has declared as expected. */
  readonly problems: () => readonly string[];
  /** Kills the process of the page, like the browser when memory runs out, and closes the rest. */
  crash(): Promise<void>;
  /** Declares a console error like this as expected: the browser logs each failed request. */
  expectProblem(pattern: RegExp): void;
}

/** How a page is opened. The defaults leave out what takes most of the time of a test and shows it nothing. */
interface OpenOptions {
  /** For a test without the network: Studio loads all its rooms in idle time, as for a person who does not save data. */
  readonly loadsAhead?: boolean;
  /** Factor of the pauses in the answers of Studio's demo model. 1, the speed of a real model, is for a test that does something meanwhile. Default: 0. */
  readonly pace?: number;
}

/** A Chromium, or one profile in it. */
export interface Browser {
  readonly context: BrowserContext;
  open(url: string, options?: OpenOptions): Promise<Tab>;
  /** All tabs that were opened since the last `closeTabs`. */
  readonly tabs: () => readonly Tab[];
  closeTabs(): Promise<void>;
  close(): Promise<void>;
}

/** A Chromium with a profile on disk. */
export interface BrowserOnDisk extends Browser {
  /** Folder of the profile. */
  readonly profile: string;
}

/** Pages share a process: to open one takes two thirds of the time. */
const frugal = ['--renderer-process-limit=1'];

const launchOptions = (args: readonly string[]): LaunchOptions => {
  const executablePath = process.env.CHROMIUM_SHELL_PATH ?? process.env.CHROMIUM_PATH;
  return { ...(executablePath && { executablePath }), args: [...launchArgs, ...args] };
};

const contextOptions: BrowserContextOptions = {
  viewport: { width: 1100, height: 800 },
  // Without a graphics card, what moves takes up to half of a core.
  reducedMotion: 'reduce',
};

/** The Chromium of `startFrugalBrowser`. It ends with the process of the tests. */
let shared: Awaited<ReturnType<typeof chromium.launch>> | undefined;

/**
 * Creates a profile in memory, in a browser that the test files of a process share, and whose pages share a process. Not for tests of the disk, of
 * crashes, or of tabs that work at once.
 */
export async function startFrugalBrowser(): Promise<Browser> {
  // One that has ended must not fail the files after it.
  if (!shared?.isConnected()) shared = await chromium.launch(launchOptions(frugal));
  const context = await shared.newContext(contextOptions);
  // The process of the pages ends with the last of them.
  await context.newPage();
  return browserOf(context, () => context.close());
}

/** Starts a browser with a profile on disk whose pages share a process: see `startFrugalBrowser`. */
export const startFrugalBrowserOnDisk = (): Promise<BrowserOnDisk> => startBrowser(frugal);

/** @param args for the browser, in addition to those that all tests need */
export async function startBrowser(args: readonly string[] = []): Promise<BrowserOnDisk> {
  const profile = await mkdtemp(join(tmpdir(), 'brooklet-e2e-'));
  const context = await chromium.launchPersistentContext(profile, { ...launchOptions(args), ...contextOptions });
  return {
    ...browserOf(context, async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    }),
    profile,
  };
}

function browserOf(context: BrowserContext, close: () => Promise<void>): Browser {
  context.setDefaultTimeout(15_000);
  // The development server sends some hundred modules, one by one.
  context.setDefaultNavigationTimeout(45_000);
  let tabs: Tab[] = [];

  return {
    context,
    tabs: () => tabs,
    async open(url, { loadsAhead = false, pace = 0 } = {}) {
      const tab = watch(await context.newPage());
      tabs.push(tab);
      // To load all rooms of Studio takes as long as to open it.
      if (!loadsAhead) await tab.page.addInitScript(saveData);
      await tab.page.addInitScript(keepPace, [paceKey, String(pace)] as const);
      await tab.page.goto(url);
      return tab;
    },
    async closeTabs() {
      await Promise.all(tabs.map(({ page }) => page.close()));
      tabs = [];
    },
    close,
  };
}

function saveData(): void {
  const { connection } = navigator;
  if (connection) Object.defineProperty(connection, 'saveData', { value: true });
}

function keepPace([key, pace]: readonly [string, string]): void {
  // A page without an origin, or in a frame that has none, has no storage.
  if (location.protocol.startsWith('http') && window === top) sessionStorage.setItem(key, pace);
}

/** A browser with a window asks for the icon of its tab again, past the service worker: without the network that request fails, and the tab keeps its icon. */
const isIconOffline = /net::ERR_INTERNET_DISCONNECTED \(.*\/icon\.svg\)$/u;

function watch(page: Page): Tab {
  const lines: string[] = [];
  const problems: string[] = [];
  const expected: RegExp[] = [];
  page.on('console', (message) => {
    const line = `${message.type()}: ${message.text()} (${message.location().url})`;
    lines.push(line);
    if (message.type() === 'error') problems.push(line);
  });
  page.on('pageerror', (error) => {
    lines.push(String(error));
    problems.push(String(error));
  });
  return {
    page,
    console: lines,
    async crash() {
      const crashed = page.waitForEvent('crash');
      // The promise never settles.
      page.goto('chrome://crash').catch(() => {});
      await crashed;
      await page.close();
    },
    problems: () => problems.filter((line) => ![isIconOffline, ...expected].some((pattern) => pattern.test(line))),
    expectProblem: (pattern) => void expected.push(pattern),
  };
}
