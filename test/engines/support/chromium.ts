import { type BrowserContext, chromium, type Page } from 'playwright';
import { launchArgs } from '../../../scripts/find-browser.mjs';
import { type Engine, type EngineTab, fromJson, type StartOptions, toProgram } from './engine.ts';
import { createFolder } from './processes.ts';

/** Starts Chromium with a profile on the disk, and with the page cache that Playwright switches off. */
export async function startChromium({ programs, width = 1100, height = 800 }: StartOptions): Promise<Engine> {
  const profile = await createFolder();
  try {
    const context = await chromium.launchPersistentContext(profile.path, {
      ...(programs.browser !== undefined && { executablePath: programs.browser }),
      args: launchArgs,
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
      viewport: { width, height },
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(15_000);
    return {
      name: 'chromium',
      version: await versionOf(context),
      open: async () => tabOf(await context.newPage()),
      async close() {
        await context.close();
        await profile.remove();
      },
    };
  } catch (error) {
    await profile.remove();
    throw error;
  }
}

async function versionOf(context: BrowserContext): Promise<string> {
  const page = context.pages()[0] ?? (await context.newPage());
  const session = await context.newCDPSession(page);
  const { product } = await session.send('Browser.getVersion');
  await session.detach();
  return product.replace(/^.*\//u, '');
}

function tabOf(page: Page): EngineTab {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    // A page that comes out of the page cache fires no `load`.
    back: async () => void (await page.goBack({ waitUntil: 'commit' })),
    url: async () => page.url(),
    run: async (work, ...args) => fromJson(await page.evaluate(toProgram(work, args))),
    click: (css) => page.click(css),
    async type(css, text) {
      await page.focus(css);
      await page.keyboard.type(text);
    },
    clickAt: (x, y, times = 1) => page.mouse.click(x, y, { clickCount: times }),
    write: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    resize: (width, height) => page.setViewportSize({ width, height }),
    screenshot: () => page.screenshot(),
    close: () => page.close(),
    problems: () => problems,
    reportsProblems: true,
  };
}
