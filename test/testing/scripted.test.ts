import { lastValueFrom, take, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { AgentError } from '../../src/core/error.ts';
import type { LLMChunk, LLMRequest } from '../../src/core/model/llm.ts';
import { createScriptedClient, reply, type ScriptedClient } from '../../src/testing/scripted.ts';

const request: LLMRequest = { sessionId: 's', messages: [] };
const play = (client: ScriptedClient, of: LLMRequest = request): Promise<LLMChunk[]> =>
  lastValueFrom(client.sendRequest(of).pipe(toArray()));

describe('a scripted client', () => {
  test('plays thoughts, text in words, usage and a finish', async () => {
    expect(
      await play(
        createScriptedClient([
          reply.reasoning('Hm.'),
          reply.text('Hello, you there.'),
          reply.usage(3, 5, { cached: 1 }),
        ]),
      ),
    ).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Hello, ' },
      { type: 'text', text: 'you ' },
      { type: 'text', text: 'there.' },
      { type: 'usage', usage: { input: 3, output: 5, cached: 1 } },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  test('plays calls with their input in pieces', async () => {
    const chunks = await play(
      createScriptedClient([reply.call('add', { a: 1 }, { id: 'x', size: 4 }), reply.call('now')]),
    );
    expect(chunks).toEqual([
      { type: 'call', index: 0, name: 'add', text: '' },
      { type: 'call', index: 0, text: '{"a"' },
      { type: 'call', index: 0, text: ':1}' },
      { type: 'call-end', index: 0, name: 'add', inputText: '{"a":1}', id: 'x' },
      { type: 'call', index: 1, name: 'now', text: '' },
      { type: 'call', index: 1, text: '{}' },
      { type: 'call-end', index: 1, name: 'now', inputText: '{}' },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  test('answers each request with the next script, and goes on with the last', async () => {
    const client = createScriptedClient([[reply.text('a')], [reply.text('b')]]);
    const said = async (): Promise<unknown> => (await play(client))[0];
    expect([await said(), await said(), await said()]).toEqual(['a', 'b', 'b'].map((text) => ({ type: 'text', text })));
  });

  test('asks a function for the script, and keeps the requests', async () => {
    const client = createScriptedClient(({ sessionId }, index) => [reply.text(`${sessionId}${index}`)]);
    await play(client);
    expect((await play(client, { ...request, sessionId: 't' }))[0]).toEqual({ type: 'text', text: 't1' });
    expect(client.requests.map(({ sessionId }) => sessionId)).toEqual(['s', 't']);
  });

  test('an empty script is an empty reply', async () => {
    expect(await play(createScriptedClient([]))).toEqual([{ type: 'finish', reason: 'stop' }]);
  });

  test('sends any chunk as it is, and no second finish', async () => {
    const chunk: LLMChunk = { type: 'part', part: { type: 'source', url: 'https://a.test' } };
    expect(await play(createScriptedClient([reply.chunk(chunk), reply.finish('length')]))).toEqual([
      chunk,
      { type: 'finish', reason: 'length' },
    ]);
  });

  test('is cold, and says nothing while it is being subscribed to', async () => {
    const client = createScriptedClient([reply.text('a')]);
    const answer = client.sendRequest(request);
    expect(client.requests).toHaveLength(0);
    let heard = 0;
    answer.subscribe(() => (heard += 1));
    expect([client.requests.length, client.open, heard]).toEqual([1, 1, 0]);
    await lastValueFrom(answer);
    expect([client.requests.length, client.open, client.aborted]).toEqual([2, 0, 0]);
  });

  test('fails and is cut when told to, after what it said', async () => {
    const heard: LLMChunk[] = [];
    const cut = createScriptedClient([reply.text('a'), reply.cut(), reply.text('b')]).sendRequest(request);
    const error = await new Promise((resolve) => cut.subscribe({ next: (chunk) => heard.push(chunk), error: resolve }));
    expect(heard).toEqual([{ type: 'text', text: 'a' }]);
    expect(error).toMatchObject({ code: 'STREAM_INTERRUPTED', retryable: true });
    await expect(
      play(createScriptedClient([reply.fail('RATE_LIMIT_EXCEEDED', 'Slow.', { status: 429, retryAfter: 5 })])),
    ).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', status: 429, retryAfter: 5 });
  });

  test('fails with an AgentError also where the script itself does', async () => {
    const broken = createScriptedClient(() => {
      throw new Error('no script');
    });
    await expect(play(broken)).rejects.toBeInstanceOf(AgentError);
  });

  test('waits by the timer it is given, also between pieces', async () => {
    const waits: number[] = [];
    const delay = (callback: () => void, ms: number): (() => void) => (waits.push(ms), callback(), () => {});
    await play(createScriptedClient([reply.wait(500), reply.text('a b', { ms: 20 })], { delay }));
    expect(waits).toEqual([500, 20, 20]);
  });

  test('waits for a promise', async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const heard: string[] = [];
    const done = new Promise<void>((resolve) =>
      createScriptedClient([reply.text('a'), reply.until(gate), reply.text('b')])
        .sendRequest(request)
        .subscribe({ next: (chunk) => heard.push(chunk.type), complete: resolve }),
    );
    for (let n = 0; n < 10; n += 1) await Promise.resolve();
    expect(heard).toEqual(['text']);
    open();
    await done;
    expect(heard).toEqual(['text', 'text', 'finish']);
  });

  test('stops when unsubscribed, and calls its timer off', async () => {
    let cancelled = 0;
    const client = createScriptedClient([reply.text('a b'), reply.wait(1_000)], {
      delay: () => () => (cancelled += 1),
    });
    await lastValueFrom(client.sendRequest(request).pipe(take(1)));
    expect([client.open, client.aborted]).toEqual([0, 1]);
    const subscription = client.sendRequest(request).subscribe();
    for (let n = 0; n < 10; n += 1) await Promise.resolve();
    subscription.unsubscribe();
    expect([client.aborted, cancelled]).toEqual([2, 1]);
  });
});
