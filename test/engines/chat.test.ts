import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../e2e/support/eventually.ts';
import { during } from '../e2e/support/stage.ts';
import type { Shown } from './support/chat/main.tsx';
import type { EngineTab } from './support/engine.ts';
import { type Conversation, type Pace, startModelServer } from './support/model-server.ts';
import { servePage } from './support/site.ts';
import { engines, startEngine } from './support/start-engine.ts';

const site = servePage('chat');
const model = during(startModelServer, (its) => its.stop());

/** An answer that goes on until it is stopped. */
const slow: Pace = { everyMs: 25, pieces: 100_000 };
/** An answer that takes some hundred ms. */
const quick: Pace = { everyMs: 10, pieces: 20 };

const nothing: Shown = { rows: [], status: 'opening', isSaved: false, error: '' };
/** What a tab shows; nothing while it is loaded. */
const shown = (tab: EngineTab): Promise<Shown> => tab.run(() => globalThis.chat.shown()).catch(() => nothing);
const rows = async (tab: EngineTab): Promise<readonly string[]> => (await shown(tab)).rows;
const last = async (tab: EngineTab): Promise<string> => (await rows(tab)).at(-1) ?? '';
const status = async (tab: EngineTab): Promise<string> => (await shown(tab)).status;
/** What the page shows, and the state behind it, which explains what is missing. */
const text = (tab: EngineTab): Promise<string> =>
  tab
    .run(() => {
      const { status: state, isSaved, error } = chat.shown();
      return `${document.body.innerText}\n${JSON.stringify({ state, isSaved, error })}`;
    })
    .catch(() => '');
const approve = 'p:not([data-role]) button';

/** The button moves down with each line of the answer, away from under a pointer on a busy machine; readme.test.ts has one that stays. */
const stop = (tab: EngineTab) => tab.run(() => document.querySelector<HTMLButtonElement>('#stop')?.click());

/** Waits until an answer has this many words, and more. */
const hasWords = (tab: EngineTab, count: number) => eventually(() => last(tab)).toContain(`word ${count} `);

describe.each(engines)('the chat of the README in %s', (name) => {
  const engine = during(
    () => startEngine(name),
    (its) => its.close(),
  );
  let conversation: Conversation;
  let one: EngineTab;
  let other: EngineTab;
  beforeAll(async () => {
    conversation = model().converse(quick);
    const query = new URLSearchParams({ model: conversation.baseURL, report: conversation.reportURL });
    one = await engine().open();
    await one.goto(`${site()}?${query}`);
  });
  afterAll(async () => {
    for (const tab of [one, other]) await tab?.close().catch(() => {});
  });

  // The tests are the steps of one visit.
  it('streams an answer', async () => {
    await one.type('input', 'hello\n');
    await eventually(() => last(one)).toMatch(/^assistant: word 0 .*word 19 END$/u);
    await eventually(() => status(one)).toBe('idle');
  });

  it('stops an answer', async () => {
    conversation.pace(slow);
    await one.type('input', 'slowly\n');
    await hasWords(one, 8);
    await stop(one);
    await eventually(() => status(one)).toBe('idle');
    expect(conversation.answers.at(-1)).toMatchObject({ isWhole: false });
    await eventually(() => conversation.answers.at(-1)?.closedAt).toBeDefined();
    expect(await last(one)).toContain('word 8 ');
  });

  it('shows an answer in a second tab as it arrives, which can stop it', async () => {
    await one.type('input', 'slowly again\n');
    await hasWords(one, 5);
    other = await engine().open();
    await other.goto(await one.url());
    await hasWords(other, 20);
    const seen = (await last(other)).length;
    await eventually(async () => (await last(other)).length).toBeGreaterThan(seen + 40);
    await stop(other);
    await eventually(() => status(one)).toBe('idle');
    await eventually(() => status(other)).toBe('idle');
    await eventually(async () => (await last(other)) === (await last(one))).toBe(true);
  });

  it('asks for approval in both tabs, also after a reload', async () => {
    await one.type('input', 'Pay 20 for invoice A-17.\n');
    await eventually(() => text(one)).toContain('Approve');
    await eventually(() => text(other)).toContain('Approve');
    await one.reload();
    await eventually(() => text(one)).toContain('Approve');
    expect(await status(one)).toBe('waiting');
  });

  it('goes on in both tabs once one of them has approved', async () => {
    await other.click(approve);
    for (const tab of [one, other]) await eventually(() => last(tab)).toContain('The tool said: Paid 20 for A-17.');
    for (const tab of [one, other]) await eventually(() => text(tab)).not.toContain('Approve');
    await eventually(async () => (await shown(other)).isSaved).toBe(true);
  });

  it('shows everything again after a reload', async () => {
    const before = await rows(one);
    expect(before.length).toBeGreaterThan(6);
    await one.reload();
    await eventually(() => rows(one)).toEqual(before);
  });

  it('keeps an answer that a reload cuts off, and resumes it', async () => {
    // The other tab would go on as the owner of the session.
    await other.close();
    const before = await rows(one);
    conversation.pace(slow);
    await one.type('input', 'slowly, the last time\n');
    await hasWords(one, 9);
    await one.reload();
    await eventually(() => status(one)).toBe('interrupted');
    const after = await rows(one);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.at(before.length)).toBe('user: slowly, the last time');
    expect(after.at(-1)).toMatch(/^assistant: word 0 word 1 word 2 word 3 /u);
    conversation.pace(quick);
    await one.click('#resume');
    await eventually(() => last(one)).toMatch(/END$/u);
    await eventually(() => status(one)).toBe('idle');
  });

  it('has no error in its console', () => {
    expect(one.problems()).toEqual([]);
    expect(other.problems()).toEqual([]);
  });
});
