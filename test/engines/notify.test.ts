import { describe, expect, it } from 'vitest';
import { eventually } from '../e2e/support/eventually.ts';
import { during } from '../e2e/support/stage.ts';
import type { EngineTab } from './support/engine.ts';
import { servePage } from './support/site.ts';
import { engines, startEngine } from './support/start-engine.ts';

const site = servePage('notify');

describe.each(engines)('a notice, in %s', (name) => {
  const engine = during(
    () => startEngine(name),
    (its) => its.close(),
  );

  async function visit(): Promise<EngineTab> {
    const tab = await engine().open();
    await tab.goto(site());
    await eventually(() => tab.run(() => window.sessionId)).toBe('a');
    return tab;
  }

  it('is a number in the title of a hidden page without the permission, until the person looks', async () => {
    const tab = await visit();
    await tab.run(() => window.look(false));
    await tab.run(() => document.querySelector<HTMLElement>('#send')?.click());
    await eventually(() => tab.run(() => document.title)).toBe('(1) Chat');
    await tab.run(() => window.look(true));
    await eventually(() => tab.run(() => document.title)).toBe('Chat');
    expect(await tab.run(() => window.notifications.length)).toBe(0);
    await tab.close();
  });

  it('answers a question that a script asks, or leaves it to the person', async () => {
    const tab = await visit();
    await tab.run(() => document.querySelector<HTMLElement>('#ask')?.click());
    // Firefox counts a script of the driver as a gesture, and shows its question, which nothing answers here.
    if (name === 'firefox') expect(await tab.run(() => window.permission ?? 'open')).toBe('open');
    else
      await eventually(() => tab.run(() => window.permission ?? '')).toMatch(
        /in a handler of a click|denied|default|granted|unsupported/u,
      );
    await tab.close();
  });
});
