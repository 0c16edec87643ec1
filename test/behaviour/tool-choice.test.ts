import { describe, expect, test } from 'vitest';
import { call, say, settled } from '../support/manual-client.ts';
import { recorded, stage } from '../support/stage.ts';

describe('the tool choice of a run', () => {
  test.each([['required' as const], [{ name: 'look' }]])(
    '%o forces a call in the first request only, so that the run can end',
    async (toolChoice) => {
      const { session, client } = stage({ tools: [recorded('look').tool] });
      const sent = session.send('go', { toolChoice });
      await settled();
      call(client.last(), ['look', '{}']);
      await settled();
      say(client.last(), 'Done.');
      expect((await sent).outcome).toBe('completed');
      expect(client.asked.map(({ request }) => request.toolChoice)).toEqual([toolChoice, undefined]);
    },
  );

  test('"none" applies to every request of the run, and again when the run is regenerated', async () => {
    const { session, client, events } = stage({ tools: [recorded('look').tool] });
    void session.send('go', { toolChoice: 'none' });
    await settled();
    call(client.last(), ['look', '{}']);
    await settled();
    say(client.last(), 'Done.');
    await settled();
    void session.regenerate();
    await settled();
    expect(client.asked.map(({ request }) => request.toolChoice)).toEqual(['none', 'none', 'none']);
    expect(events.flatMap((event) => (event.type === 'reply.started' ? [event.request?.toolChoice] : []))).toEqual([
      'none',
      'none',
      'none',
    ]);
  });

  test('is in no request of an agent without tools', async () => {
    const { session, client } = stage();
    void session.send('go', { toolChoice: 'required' });
    await settled();
    expect(client.last().request).not.toHaveProperty('toolChoice');
  });
});
