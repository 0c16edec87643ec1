import type { SendOptions } from 'brooklet';
import { describe, expect, test } from 'vitest';
import { call, createManualClient, say, settled } from '../../support/manual-client.ts';
import { callIdOf, recorded, textsOf } from '../../support/stage.ts';
import { createBrowser } from '../../support/tabs.ts';

const queue: SendOptions = { whenBusy: 'queue' };

describe('from a tab that does not run the session', () => {
  async function twoTabs() {
    const pay = recorded('pay', { needsApproval: true });
    const browser = createBrowser();
    const [one, other] = [createManualClient(), createManualClient()];
    const tabs = [one, other].map((client) => browser.open({ client, tools: [pay.tool] }));
    const id = tabs[0]?.agent.createSession() ?? '';
    await settled();
    const [a, b] = await Promise.all(tabs.map(({ agent }) => agent.openSession(id)));
    return { a: a ?? expect.unreachable(), b: b ?? expect.unreachable(), one, other, pay };
  }

  test('a message is queued while the run waits for a person; the tab that goes on answers it, once', async () => {
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

  test('a message is refused while another tab is at work', async () => {
    const { a, b } = await twoTabs();
    void a.send('buy');
    await settled();
    for (const whenBusy of ['queue', 'steer', 'interrupt'] as const)
      expect(() => b.send('second', { whenBusy })).toThrow(expect.objectContaining({ code: 'SESSION_BUSY' }));
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
