import { chromium, type Page } from 'playwright';
import { launchArgs } from '../../../../scripts/find-browser.mjs';
import type { NatsServer } from '../../../nats/support/nats-server.ts';
import type { DeviceOptions } from './device.ts';

/** A browser of its own with one page, so that its death is that of a device. */
export interface RunningDevice {
  readonly page: Page;
  /** Ends the browser at once, as a crash does. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a browser, and a replica in its page. @param url address of the page */
export async function startDevice(
  url: string,
  { webSocketUrl, name }: Pick<NatsServer, 'webSocketUrl' | 'name'>,
  options: Omit<DeviceOptions, 'url' | 'serverName'>,
): Promise<RunningDevice> {
  const executablePath = process.env.CHROMIUM_SHELL_PATH ?? process.env.CHROMIUM_PATH;
  const server = await chromium.launchServer({ ...(executablePath && { executablePath }), args: [...launchArgs] });
  const browser = await chromium.connect(server.wsEndpoint());
  const page = await browser.newPage();
  await page.goto(url);
  await page.evaluate((its) => globalThis.device.begin(its), { url: webSocketUrl, serverName: name, ...options });
  return { page, kill: () => server.kill(), close: () => server.close() };
}
