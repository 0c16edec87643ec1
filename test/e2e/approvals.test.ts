import { describe, expect, it } from 'vitest';
import type { Tab } from './support/browser.ts';
import { readStored } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { setStage } from './support/stage.ts';

const stage = setStage(new URL('support/strict-page', import.meta.url));

interface Call {
  readonly name: string;
  readonly arguments: string;
}

const lines = ({ page }: Tab) => page.evaluate(() => globalThis.session && globalThis.lines());
const status = ({ page }: Tab) => page.evaluate(() => globalThis.session?.getStatus());
const ran = ({ page }: Tab): Promise<readonly unknown[]> =>
  page.evaluate(() => {
    const list: readonly unknown[] = JSON.parse(localStorage.getItem('ran') ?? '[]');
    return list;
  });

/** The ids of the calls in a tab, oldest first. */
const callIds = ({ page }: Tab): Promise<readonly string[]> =>
  page.evaluate(() =>
    globalThis.session
      .getMessages()
      .flatMap(({ content }) => content.flatMap((part) => (part.type === 'tool' ? part.callId : []))),
  );

async function approve({ page }: Tab, callId = '', input?: { readonly amount: number }): Promise<void> {
  await page.evaluate(([callId, input]) => globalThis.session.approve(callId, input && { input }), [
    callId,
    input,
  ] as const);
}

/** Lets a page show the calls that wait in all sessions. */
const watchInbox = ({ page }: Tab) => page.evaluate(() => void globalThis.agent.pending$.subscribe());
const inbox = ({ page }: Tab) =>
  page.evaluate(() => globalThis.agent.getPending().map(({ title, name, isOpen }) => [title, name, isOpen]));

/** Opens a tab in which the model has requested these calls. The calls await an approval, and are stored. */
async function openWaiting(...toolCalls: readonly Call[]): Promise<Tab> {
  stage.wire.mock
    .on({ userMessage: 'bill', hasToolResult: false }, { toolCalls: [...toolCalls] })
    .on({ userMessage: 'bill', hasToolResult: true }, { content: 'So be it.' });
  const tab = await stage.browser.open(stage.freshURL());
  await eventually(() => status(tab)).toBe('idle');
  await tab.page.evaluate(() => void globalThis.session.send('Pay the bill.'));
  await eventually(() => status(tab)).toBe('waiting');
  await tab.page.evaluate(() => globalThis.session.flushed());
  return tab;
}

/** The results of the calls in the last request to the model, oldest first. */
const results = (): unknown[] =>
  (stage.wire.exchanges.at(-1)?.body.messages ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content);

const pay = (amount: number): Call => ({ name: 'pay', arguments: JSON.stringify({ amount }) });
const bid = (amount: number): Call => ({ name: 'bid', arguments: JSON.stringify({ amount }) });

describe('a run that waits for an approval', () => {
  it('outlives its tab: another tab approves with an edited input, the tool runs once, and the run completes', async () => {
    const tab = await openWaiting(pay(40));
    const url = tab.page.url();
    await tab.crash();

    const other = await stage.browser.open(url);
    await eventually(() => lines(other)).toEqual(['Pay the bill.', 'pay awaiting-approval']);
    expect(await ran(other)).toEqual([]);
    const [callId] = await callIds(other);
    await expect(approve(other, callId, { amount: 400 })).rejects.toThrow('does not fit');
    expect(await status(other)).toBe('waiting');
    await approve(other, callId, { amount: 4 });
    await eventually(() => lines(other)).toEqual(['Pay the bill.', 'pay succeeded', 'So be it.']);
    await eventually(() => status(other)).toBe('idle');

    expect(await ran(other)).toMatchObject([{ name: 'pay', amount: 4, attempt: 1 }]);
    expect(results()).toEqual([expect.stringMatching(/^The user changed the input to \{"amount":4\}.*pay did 4$/s)]);
    expect(stage.wire.exchanges).toHaveLength(2);

    // The original input of the call is kept, also in the store.
    await other.page.evaluate(() => globalThis.session.flushed());
    await other.page.reload();
    await eventually(() => lines(other)).toEqual(['Pay the bill.', 'pay succeeded', 'So be it.']);
    expect(await readStored(other.page)).toContain('{\\"amount\\":40}');
    expect(await ran(other)).toHaveLength(1);
    expect(stage.wire.exchanges).toHaveLength(2);
  });

  it('is in the inbox of a page that was reloaded and has not opened its session, and of every other tab until it is decided', async () => {
    const tab = await openWaiting(pay(40));
    const url = new URL(tab.page.url());
    const sessionId = url.hash.slice(1);
    await tab.page.close();
    url.hash = '';
    const other = await stage.browser.open(url.href);
    const third = await stage.browser.open(url.href);
    await other.page.reload();
    for (const one of [other, third]) {
      await watchInbox(one);
      await eventually(() => inbox(one)).toEqual([['Pay the bill.', 'pay', false]]);
      expect(await one.page.evaluate((id) => globalThis.agent.getSession(id) === undefined, sessionId)).toBe(true);
    }

    const shown = await other.page.evaluate(async () => {
      const [pending] = globalThis.agent.getPending();
      const session = await globalThis.agent.openSession(pending?.sessionId ?? '');
      const [open, ...more] = globalThis.agent.getPending();
      await session.approve(open?.callId ?? '');
      return [open?.isOpen, open?.call?.input, more.length, pending?.callId === open?.callId];
    });
    expect(shown).toEqual([true, { amount: 40 }, 0, true]);
    for (const one of [other, third]) await eventually(() => inbox(one)).toEqual([]);
    await eventually(() => ran(other)).toMatchObject([{ name: 'pay', amount: 40, attempt: 1 }]);
    await eventually(() => stage.wire.exchanges.length).toBe(2);
    await other.page.evaluate((id) => globalThis.agent.getSession(id)?.flushed(), sessionId);
    await other.page.reload();
    await watchInbox(other);
    await eventually(() => inbox(third)).toEqual([]);
    expect([await inbox(other), (await ran(other)).length]).toEqual([[], 1]);
  });

  it('is decided in a second tab while the first tab is open', async () => {
    const tab = await openWaiting(pay(40));
    const other = await stage.browser.open(tab.page.url());
    await eventually(() => lines(other)).toEqual(['Pay the bill.', 'pay awaiting-approval']);
    const [callId] = await callIds(other);
    await approve(other, callId, { amount: 4 });
    for (const one of [tab, other]) {
      await eventually(() => lines(one)).toEqual(['Pay the bill.', 'pay succeeded', 'So be it.']);
      await eventually(() => status(one)).toBe('idle');
    }
    expect(await ran(tab)).toMatchObject([{ name: 'pay', amount: 4, attempt: 1 }]);
    expect(stage.wire.exchanges).toHaveLength(2);
    await expect(approve(tab, callId)).rejects.toThrow(/nothing to decide any more/);
    expect(await ran(tab)).toHaveLength(1);
  });

  it('is decided by two tabs at the same time: one decision is accepted, and the tool runs once or never', async () => {
    const tab = await openWaiting(pay(40));
    const other = await stage.browser.open(tab.page.url());
    await eventually(() => lines(other)).toEqual(['Pay the bill.', 'pay awaiting-approval']);
    const [callId = ''] = await callIds(other);
    const decided = await Promise.allSettled([
      approve(tab, callId),
      other.page.evaluate((id) => globalThis.session.reject(id), callId),
    ]);
    expect(decided.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const approved = decided[0].status === 'fulfilled';
    for (const one of [tab, other])
      await eventually(() => lines(one)).toEqual([
        'Pay the bill.',
        `pay ${approved ? 'succeeded' : 'rejected'}`,
        'So be it.',
      ]);
    expect(await ran(tab)).toHaveLength(approved ? 1 : 0);
    expect(stage.wire.exchanges).toHaveLength(2);
  });

  it('has three calls: one expires while no tab is open, the others are decided in another order, one of them rejected', async () => {
    const tab = await openWaiting(pay(1), bid(2), pay(3));
    const url = tab.page.url();
    await tab.page.evaluate(() => localStorage.setItem('later', '3600000'));
    await tab.crash();

    const other = await stage.browser.open(url);
    await eventually(() => lines(other)).toEqual([
      'Pay the bill.',
      'pay awaiting-approval',
      'bid expired',
      'pay awaiting-approval',
    ]);
    expect(await status(other)).toBe('waiting');
    const [first, , third = ''] = await callIds(other);
    await other.page.evaluate((id) => globalThis.session.reject(id, { reason: 'Not that one.' }), third);
    expect(stage.wire.exchanges).toHaveLength(1);
    await approve(other, first);
    await eventually(() => lines(other)).toEqual([
      'Pay the bill.',
      'pay succeeded',
      'bid expired',
      'pay rejected',
      'So be it.',
    ]);
    expect(await ran(other)).toMatchObject([{ name: 'pay', amount: 1, attempt: 1 }]);
    expect(results()).toEqual([
      'pay did 1',
      expect.stringContaining('No person approved this call in time'),
      expect.stringContaining('Not that one.'),
    ]);
    expect(stage.wire.exchanges).toHaveLength(2);
  });
});

describe('a page whose policy forbids eval', () => {
  it('validates inputs by zod schemas and by JSON Schema', async () => {
    const tab = await openWaiting(pay(400), { name: 'bid', arguments: '{"amount":"x"}' }, pay(40));
    expect(await tab.page.evaluate(() => globalThis.mayEval)).toBe(false);
    await eventually(() => lines(tab)).toEqual([
      'Pay the bill.',
      'pay invalid',
      'bid invalid',
      'pay awaiting-approval',
    ]);
    await approve(tab, (await callIds(tab))[2]);
    await eventually(() => lines(tab)).toContain('So be it.');
    expect(await ran(tab)).toMatchObject([{ name: 'pay', amount: 40 }]);
    expect(results()).toEqual([
      expect.stringContaining('input.amount'),
      expect.stringContaining('input.amount must be number'),
      'pay did 40',
    ]);
  });
});
