import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Mutation } from '../../support/mutant.ts';
import { type Browser, startBrowser } from './browser.ts';
import { closeCleanly } from './clean.ts';
import { startWire, type Wire } from './server.ts';
import type { Mode } from './build-page.ts';
import { type Site, startSite } from './site.ts';

/** A served page, the server that it sends requests to, and a browser. All exist from the first test to the last. */
export interface Stage {
  readonly wire: Wire;
  readonly site: Site;
  readonly browser: Browser;
  /** An unused address of the page, with the server's address in its query. */
  freshURL(query?: Readonly<Record<string, string>>): string;
}

/**
 * Sets the stage for the tests of a file. After each test its tabs are closed, unexpected errors fail the test, and the
 * server is reset.
 *
 * @param page folder of the page
 * @param start starts the browser
 */
export function setStage(
  page: URL,
  { mode, start = startBrowser }: { readonly mode?: Mode; readonly start?: () => Promise<Browser> } = {},
): Stage {
  const wire = during(startWire, (its) => its.stop());
  const site = setSite(page, mode);
  const browser = during(start, (its) => its.close());
  afterEach(async () => {
    wire().reset();
    await closeCleanly(browser());
  });
  return {
    get wire() {
      return wire();
    },
    get site() {
      return site();
    },
    get browser() {
      return browser();
    },
    freshURL: (query = {}) => `${site().freshURL()}?${new URLSearchParams({ baseURL: wire().baseURL, ...query })}`,
  };
}

/**
 * Serves a page for the tests of a file.
 *
 * @param mutations changes of the sources with which the page is built
 */
export function setSite(page: URL, mode: Mode = 'production', mutations: readonly Mutation[] = []): () => Site {
  return during(
    () => startSite(fileURLToPath(page), mode, mutations),
    (its) => its.stop(),
  );
}

/**
 * Starts a resource before the tests of this file or `describe`, and stops it after them. Returns a getter for use
 * during the tests.
 */
export function during<T extends object>(start: () => Promise<T>, stop: (started: T) => unknown): () => T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(async () => {
    if (started) await stop(started);
  });
  return () => started ?? expect.unreachable('It is asked for before it has been started.');
}
