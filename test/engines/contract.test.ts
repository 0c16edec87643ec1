import { createMemoryStore } from 'brooklet/storage';
import { storeContract } from 'brooklet/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { during } from '../e2e/support/stage.ts';
import type { EngineTab } from './support/engine.ts';
import type { Form } from './support/parts/main.ts';
import { servePage } from './support/site.ts';
import { engines, startEngine } from './support/start-engine.ts';

const site = servePage('parts');

/** The names alone: each behaviour runs in the page. */
const names = storeContract(() => createMemoryStore()).map(({ name }) => name);

const forms: readonly Form[] = ['plain', 'encrypted'];

describe.each(engines)('the IndexedDB store in %s', (engineName) => {
  const engine = during(
    () => startEngine(engineName),
    (its) => its.close(),
  );
  let tab: EngineTab;
  beforeAll(async () => {
    tab = await engine().open();
    await tab.goto(site());
  });
  afterAll(() => tab?.close());

  describe.each(forms)('with %s sessions', (form) => {
    it.each(names)('%s', async (name) => {
      expect(await tab.run((...its: [Form, string]) => globalThis.parts.behave(...its), form, name)).toBe('');
    });
  });
});
