import { expect } from 'vitest';
import { soon } from './soon.ts';
import type { Engine } from '../engine.ts';
import { type Control, createHands, type Hands } from './hands.ts';
import type { Asked, Model } from './model.ts';
import { type Names, type Sample, usualNames } from './samples.ts';
import type { Site } from './site.ts';

/** One person at one sample, with a browser profile that has never seen it. */
export interface Visit {
  readonly sample: Sample;
  readonly model: Model;
  readonly url: string;
  readonly hands: Hands;
  readonly field: Control;
  readonly send: Control;
  readonly stop: Control;
  readonly goOn: Control;
  readonly again: Control;
  readonly newChat: Control;
  /** Reloads the page as far as the field. */
  reload(): Promise<void>;
  /** What a person does until there is a field again. */
  settle(): Promise<void>;
  /** Opens another tab at an address, as far as the field. */
  openTab(url: string): Promise<Hands>;
  /** Sends a message by the Enter key, and waits for its request. */
  ask(text: string, begin?: string): Promise<Asked>;
  /** Sends a message, and waits for its whole answer. */
  hear(text: string, answer: string): Promise<void>;
  /** Waits until the page shows a text exactly once. */
  seesOnce(text: string): Promise<void>;
  /** The request of this number, from 0, once it is there. */
  request(number: number): Promise<Asked>;
  isIdle(): Promise<boolean>;
  end(): Promise<void>;
}

/** How often a text is in another one. */
export const timesIn = (text: string, part: string): number => text.split(part).length - 1;

export async function startVisit(engine: Engine, sample: Sample, site: Site): Promise<Visit> {
  const { model } = site;
  const url = `${site.url}${sample.path}`;
  const names: Names = { ...usualNames, ...sample.names };
  const opened: Hands[] = [];
  const field: Control = { role: 'textbox', name: names.field };
  const stop: Control = { role: 'button', name: names.stop };
  const send: Control = { role: 'button', name: names.send };

  async function openTab(address: string): Promise<Hands> {
    const hands = createHands(await engine.open());
    opened.push(hands);
    await hands.tab.goto(address);
    await settle(hands);
    return hands;
  }
  /** Until a person can write. */
  async function settle(hands: Hands): Promise<void> {
    const { setUp } = sample;
    if (setUp) {
      await soon(async () => (await hands.has(setUp.needs)) || (await hands.has(field))).toBe(true);
      if ((await hands.has(setUp.needs)) && (await hands.valueOf(setUp.needs)) === '') await setUp.act(hands, url);
    }
    await soon(() => hands.has('message' in sample.lacks ? send : field)).toBe(true);
  }
  const hands = await openTab(url);

  const visit: Visit = {
    sample,
    model,
    url,
    hands,
    field,
    send,
    stop,
    goOn: { role: 'button', name: names.goOn },
    again: { role: 'button', name: names.again },
    newChat: { role: 'link', name: names.newChat },
    async reload() {
      await hands.tab.reload();
      await settle(hands);
    },
    settle: () => settle(hands),
    openTab,
    async request(number) {
      await soon(() => model.asked.length).toBeGreaterThan(number);
      return model.asked[number] ?? expect.unreachable();
    },
    async ask(text, begin) {
      const before = model.asked.length;
      await hands.fill(field, text);
      await hands.press('Enter');
      const asked = await visit.request(before);
      expect(asked.question).toContain(text);
      if (begin !== undefined) {
        asked.write(begin);
        await soon(() => hands.read()).toContain(begin.trim());
      }
      return asked;
    },
    async hear(text, answer) {
      const asked = await visit.ask(text, answer);
      asked.end();
      await soon(visit.isIdle).toBe(true);
    },
    seesOnce: (text) => soon(async () => timesIn(await hands.read(), text)).toBe(1),
    async isIdle() {
      const isOpen = model.asked.some((asked) => asked.isOpen());
      return !isOpen && ('stop' in sample.lacks || !(await hands.isEnabled(stop)));
    },
    async end() {
      try {
        for (const one of opened) expect(await one.readProblems().catch(() => [])).toEqual([]);
        expect(model.refusals).toEqual([]);
      } finally {
        for (const one of opened) await one.tab.close().catch(() => {});
        site.stop();
      }
    },
  };
  return visit;
}
