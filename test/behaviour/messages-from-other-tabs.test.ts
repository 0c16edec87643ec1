import type { SendOptions, Tool } from 'brooklet';
import { evolve, initialState } from 'brooklet/core';
import { filter } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { call, createManualClient, say, settled } from '../support/manual-client.ts';
import { callIdOf, recorded, textsOf } from '../support/stage.ts';
import { createBrowser } from '../support/tabs.ts';

const queue: SendOptions = { whenBusy: 'queue' };

describe('from a tab that does not run the session', () => {
  async function twoTabs(tools: readonly Tool[] = []) {
    const pay = recorded('pay', { needsApproval: true });
    const browser = createBrowser();
    const [one, other] = [createManualClient(), createManualClient()];
    const tabs = [one, other].map((client) => browser.open({ client, tools: [pay.tool, ...tools] }));
    const id = tabs[0]?.agent.createSession() ?? '';
    await settled();
    const [a, b] = await Promise.all(tabs.map(({ agent }) => agent.openSession(id)));
    return { browser, tabs, a: a ?? expect.unreachable(), b: b ?? expect.unreachable(), one, other, pay };
  }

  test('a message is queued while the run awaits approval; the tab that continues the run answers it, once', async () => {
    const { a, b, one, other } = await twoTabs();
    void a.send('buy');
    await settled();
    call(one.last(), ['pay', '{}']);
    await settled();
    const second = b.send('second', queue);
    await settled();
    expect(a.getState().queue).toHaveLength(1);
    await a.approve(callIdOf(a));
    await settled();
    say(one.last(), 'paid');
    await settled();
    say(one.last(), '2');
    expect(await second).toMatchObject({ outcome: 'completed', message: { content: [{ text: '2' }] } });
    await settled();
    expect(textsOf(b)).toEqual(['buy', '', 'paid', 'second', '2']);
    expect(b.getState()).toEqual(a.getState());
    expect(other.asked).toHaveLength(0);
  });

  test('a message is queued while another tab runs; that tab answers the message after its run', async () => {
    const { browser, tabs, a, b, one, other } = await twoTabs();
    const first = a.send('one');
    await settled();
    one.last().chunks.next({ type: 'text', text: 're: ' });
    const second = b.send('two', queue);
    await settled();
    tabs[0]?.ports.pass(100);
    await settled();
    expect(a.getState().queue).toMatchObject([{ mode: 'queue', message: { content: [{ text: 'two' }] } }]);
    expect(one.last().aborted).toBe(false);
    say(one.last(), 'one');
    expect((await first).outcome).toBe('completed');
    await settled();
    say(one.last(), 're: two');
    expect(await second).toMatchObject({ outcome: 'completed', message: { content: [{ text: 're: two' }] } });
    await settled();
    expect(textsOf(b)).toEqual(['one', 're: one', 'two', 're: two']);
    expect([a, b].map((tab) => tab.getStorage().state)).toEqual(['saved', 'saved']);
    expect(b.getState()).toEqual(a.getState());
    expect(other.asked).toHaveLength(0);
    // Each part of a reply is one event, although another tab wrote between its chunks.
    const stored = (await browser.store.read(a.id))?.events ?? [];
    expect(stored.filter(({ type }) => type === 'run.started')).toHaveLength(2);
    expect(stored.reduce(evolve, initialState(a.id))).toEqual(a.getState());
  });

  test('the promise of a steering message settles in a tab that reads the whole run at once', async () => {
    const look = recorded('look');
    const browser = createBrowser();
    const one = createManualClient();
    let isPaused = false;
    const [tab, paused] = [
      browser.open({ client: one, tools: [look.tool] }),
      browser.open({ client: createManualClient() }, (store) => ({
        ...store,
        changes$: store.changes$.pipe(filter(() => !isPaused)),
      })),
    ];
    const id = tab.agent.createSession();
    await settled();
    const [a, b] = [await tab.agent.openSession(id), await paused.agent.openSession(id)];
    void a.send('one');
    await settled();
    isPaused = true;
    const second = b.send('and two', { whenBusy: 'steer' });
    await settled();
    call(one.last(), ['look', '{}']);
    await settled();
    say(one.last(), 'both');
    await settled();
    isPaused = false;
    paused.ports.show();
    await settled();
    expect(textsOf(b)).toEqual(['one', '', 'and two', 'both']);
    expect(await Promise.race([second, Promise.resolve('nothing yet')])).toMatchObject({
      outcome: 'completed',
      message: { content: [{ text: 'both' }] },
    });
  });

  test('a message steers a run of another tab: the next request contains it', async () => {
    const look = recorded('look');
    const { a, b, one } = await twoTabs([look.tool]);
    void a.send('one');
    await settled();
    const second = b.send('and two', { whenBusy: 'steer' });
    await settled();
    call(one.last(), ['look', '{}']);
    await settled();
    expect(textsOf(a)).toEqual(['one', '', 'and two', '']);
    say(one.last(), 'both');
    expect((await second).outcome).toBe('completed');
    await settled();
    expect(b.getState()).toEqual(a.getState());
  });

  test('a message that is queued just when the run ends is answered, in either order', async () => {
    for (let turns = 0; turns < 40; turns++) {
      const { a, b, one, other } = await twoTabs();
      const first = a.send('one');
      await settled();
      say(one.last(), 're: one');
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      const second = b.getStatus() === 'running' ? b.send('two', queue) : b.send('two');
      await settled();
      say((other.asked.length > 0 ? other : one).last(), 're: two');
      expect([(await first).outcome, (await second).outcome], `after ${turns} turns`).toEqual([
        'completed',
        'completed',
      ]);
      await settled();
      expect(textsOf(a)).toEqual(['one', 're: one', 'two', 're: two']);
      expect(b.getState()).toEqual(a.getState());
    }
  });

  test('a message that interrupts stops the run of another tab', async () => {
    const { a, b, one, other } = await twoTabs();
    const first = a.send('one');
    await settled();
    const second = b.send('two', { whenBusy: 'interrupt' });
    await settled();
    expect((await first).outcome).toBe('cancelled');
    expect(one.last().aborted).toBe(true);
    say(other.last(), 're: two');
    expect((await second).outcome).toBe('completed');
    await settled();
    expect(textsOf(a)).toEqual(['one', 'two', 're: two']);
    expect(b.getState()).toEqual(a.getState());
  });

  test('a message that is queued while the other tab decides is not lost', async () => {
    const { a, b, one, other } = await twoTabs();
    void a.send('buy');
    await settled();
    call(one.last(), ['pay', '{}']);
    await settled();
    const approved = a.approve(callIdOf(a));
    const second = b.send('second', queue);
    await approved;
    await settled();
    for (let answers = 0; answers < 2; answers++) {
      for (const { aborted, chunks } of [...one.asked.slice(1), ...other.asked])
        if (!aborted && !chunks.closed) {
          chunks.next({ type: 'text', text: 'ok' });
          chunks.next({ type: 'finish', reason: 'stop' });
          chunks.complete();
        }
      await settled();
    }
    expect((await second).outcome).toBe('completed');
    expect(textsOf(a).filter((text) => text === 'second')).toHaveLength(1);
    expect(a.getState()).toEqual(b.getState());
  });
});
