import { createAgent, createChatCompletionsClient, extractTextContent } from 'brooklet';
import { foldLog } from '../../src/core/model/fold.ts';
import type { FinishReason } from 'brooklet/core';
import { createMemoryStore } from 'brooklet/storage';
import { lastValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { type Asked, say, settled } from '../support/manual-client.ts';
import { sessionOf, stage, textsOf } from '../support/stage.ts';
import { problemsOnTheWire } from '../support/wire.ts';

function sayPart(asked: Asked, text: string, reason: FinishReason): void {
  asked.chunks.next({ type: 'text', text });
  asked.chunks.next({ type: 'finish', reason });
  asked.chunks.complete();
}

describe('the result of a run', () => {
  test.each<[FinishReason]>([['stop'], ['length'], ['content-filter'], ['unknown']])(
    'states that its last reply ended with "%s", and so does the last output of chat()',
    async (reason) => {
      const { agent, session, client } = stage();
      const sent = session.send('Tell me.');
      await settled();
      sayPart(client.last(), 'Once', reason);
      expect(await sent).toMatchObject({ outcome: 'completed', finish: reason });

      const told = lastValueFrom(agent.chat(agent.createSession(), 'Tell me.'));
      await settled();
      sayPart(client.last(), 'Once', reason);
      expect(await told).toMatchObject({ outcome: 'completed', finish: reason });
    },
  );

  test('states no finish when the run was cancelled', async () => {
    const { session, client } = stage();
    void session.send('1');
    await settled();
    sayPart(client.last(), 'One', 'stop');
    await settled();
    const sent = session.send('2');
    session.cancel();
    expect(await sent).not.toHaveProperty('finish');
  });
});

describe('a reply that the output limit truncated', () => {
  /** A session whose last reply is truncated. */
  async function truncated() {
    const staged = stage();
    void staged.session.send('Tell me.');
    await settled();
    sayPart(staged.client.last(), 'Once upon', 'length');
    await settled();
    return staged;
  }

  test('is continued by resume: the request has the reply, and asks the model to go on', async () => {
    const { session, client } = await truncated();
    const resumed = session.resume();
    await settled();
    expect(client.asked).toHaveLength(2);
    const { messages } = client.last().request;
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages.at(-1)).toMatchObject({ metadata: { synthetic: true } });
    expect(problemsOnTheWire(messages)).toEqual([]);
    say(client.last(), ' a time.');
    expect(await resumed).toMatchObject({ outcome: 'completed', finish: 'stop' });
    expect(textsOf(session)).toEqual(['Tell me.', 'Once upon', ' a time.']);

    // A later request begins like this one, so that the provider's cache hits.
    void session.send('And then?');
    await settled();
    expect(client.last().request.messages.slice(0, 3)).toEqual(messages);
  });

  test('may be continued again, and after a failure of the continuation', async () => {
    const { session, client } = await truncated();
    const second = session.resume();
    await settled();
    client.last().chunks.error(new Error('gone'));
    expect((await second).outcome).toBe('failed');
    expect(textsOf(session)).toEqual(['Tell me.', 'Once upon']);
    const third = session.resume();
    await settled();
    sayPart(client.last(), ' a', 'length');
    expect(await third).toMatchObject({ outcome: 'completed', finish: 'length' });
    void session.resume();
    await settled();
    expect(client.asked).toHaveLength(4);
    expect(client.last().request.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
  });

  test('is followed by no prompt when the user sends another message instead', async () => {
    const { session, client } = await truncated();
    void session.send('Stop. What time is it?');
    await settled();
    expect(client.last().request.messages.map((message) => extractTextContent(message))).toEqual([
      'Tell me.',
      'Once upon',
      'Stop. What time is it?',
    ]);
  });

  test('leaves nothing to resume once it is continued, or where another reason ended it', async () => {
    const { session, client } = await truncated();
    const resumed = session.resume();
    await settled();
    sayPart(client.last(), ' a time.', 'content-filter');
    await resumed;
    expect(() => session.resume()).toThrow(expect.objectContaining({ code: 'NOTHING_TO_RESUME' }));
  });

  test('is continued after a reload', async () => {
    const store = createMemoryStore();
    const bodies: string[] = [];
    const fetch: typeof globalThis.fetch = (_url, init) => {
      bodies.push(typeof init?.body === 'string' ? init.body : '');
      const finish_reason = bodies.length === 1 ? 'length' : 'stop';
      return Promise.resolve(
        new Response(JSON.stringify({ choices: [{ message: { content: `part ${bodies.length}` }, finish_reason }] })),
      );
    };
    const client = createChatCompletionsClient({ baseURL: 'https://api.test/v1', fetch });
    const first = createAgent({ client, store });
    const id = first.createSession();
    await sessionOf(first, id).send('Tell me.', { temperature: 0.5 });
    await sessionOf(first, id).flushed();
    const again = await createAgent({ client, store }).openSession(id);
    expect(await again.resume()).toMatchObject({ outcome: 'completed', finish: 'stop' });
    expect(bodies[1]).toContain('"temperature":0.5');
    expect(textsOf(again)).toEqual(['Tell me.', 'part 1', 'part 2']);
    await again.flushed();
    const stored = await store.read(id);
    expect(stored && foldLog(id, stored.events).messages).toEqual(again.getMessages());
  });
});
