import { type AgentError, createAgent, type LLMChunk, type LLMRequest } from 'brooklet';
import { createLocalClient, type LocalStatus } from 'brooklet/llm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { settled } from '../support/manual-client.ts';
import { untyped } from '../support/untyped.ts';

/** An engine whose answers the test says, and what was asked of it. */
function createEngine() {
  const asked: { readonly sessionId: string; readonly say: (text?: string) => void; signal: AbortSignal }[] = [];
  let loads = 0;
  let unloads = 0;
  return {
    asked,
    loads: () => loads,
    unloads: () => unloads,
    engine: {
      async load(progress: (done: number) => void) {
        loads++;
        progress(0.5);
        return async function* ({ sessionId }: LLMRequest, signal: AbortSignal): AsyncGenerator<LLMChunk> {
          const text = await new Promise<string>((say) =>
            asked.push({ sessionId, say: (its = 'x') => say(its), signal }),
          );
          yield { type: 'text', text };
          yield { type: 'finish', reason: 'stop' };
        };
      },
      unload: () => void unloads++,
    },
  };
}

const request = (sessionId: string): LLMRequest => ({ sessionId, messages: [] });

function ask(client: ReturnType<typeof createLocalClient>, sessionId: string) {
  const heard: string[] = [];
  const subscription = client.sendRequest(request(sessionId)).subscribe({
    next: (chunk) => chunk.type === 'text' && heard.push(chunk.text),
    error: (error: AgentError) => heard.push(`error ${error.code}`),
    complete: () => heard.push('end'),
  });
  return { heard, stop: () => subscription.unsubscribe() };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a local client', () => {
  test('loads its model once, with the first request, and says how far it is', async () => {
    const { engine, loads, asked } = createEngine();
    const client = createLocalClient(engine);
    const states: LocalStatus[] = [];
    client.status$.subscribe((status) => states.push(status));
    expect(loads()).toBe(0);
    const [one, other] = [ask(client, 'a'), ask(client, 'b')];
    await settled();
    asked[0]?.say('one');
    await settled();
    asked[1]?.say('two');
    await settled();
    expect([one.heard, other.heard]).toEqual([
      ['one', 'end'],
      ['two', 'end'],
    ]);
    expect(loads()).toBe(1);
    expect(states).toContainEqual({ state: 'loading', waiting: 1, progress: 0.5 });
    expect(client.getStatus()).toMatchObject({ state: 'ready', waiting: 0 });
  });

  test('lets sessions take turns, whichever asks more often', async () => {
    const { engine, asked } = createEngine();
    const client = createLocalClient(engine);
    for (const id of ['a', 'a', 'a', 'a', 'b', 'c', 'b']) ask(client, id);
    for (let turn = 0; turn < 7; turn++) {
      await settled();
      expect(asked).toHaveLength(turn + 1);
      asked.at(-1)?.say();
    }
    expect(asked.map(({ sessionId }) => sessionId)).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a']);
  });

  test('aborts the answer of a request that is withdrawn, and goes on with the next', async () => {
    const { engine, asked } = createEngine();
    const client = createLocalClient(engine);
    const [first, second, third] = [ask(client, 'a'), ask(client, 'b'), ask(client, 'c')];
    await settled();
    second.stop();
    first.stop();
    await settled();
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(asked.map(({ sessionId }) => sessionId)).toEqual(['a', 'c']);
    asked[1]?.say('yes');
    await settled();
    expect([first.heard, second.heard, third.heard]).toEqual([[], [], ['yes', 'end']]);
  });

  test('fails each request while the model cannot be loaded, and tries again with the next', async () => {
    let loads = 0;
    const client = createLocalClient({
      load: async () => {
        if (++loads === 1) throw new Error('no GPU');
        return () => [{ type: 'text', text: 'now' } as const, { type: 'finish', reason: 'stop' } as const];
      },
    });
    const first = ask(client, 'a');
    await settled();
    expect(first.heard).toEqual(['error MODEL_NOT_READY']);
    expect(client.getStatus()).toMatchObject({
      state: 'failed',
      error: { message: expect.stringContaining('no GPU') },
    });
    const second = ask(client, 'a');
    await settled();
    expect(second.heard).toEqual(['now', 'end']);
  });

  test('waits for a load of minutes that goes on, and gives up one that stands still', async () => {
    let report = (_done: number): void => {};
    const client = createLocalClient(
      { load: (progress) => ((report = progress), new Promise(() => {})) },
      { loadTimeout: 1_000 },
    );
    const { heard } = ask(client, 'a');
    await settled();
    for (let done = 1; done < 9; done++) {
      await vi.advanceTimersByTimeAsync(900);
      report(done / 10);
    }
    expect(heard).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_001);
    expect(heard).toEqual(['error REQUEST_TIMEOUT']);
    expect(client.getStatus().state).toBe('failed');
  });

  test('gives up an engine that hangs, and loads it again for the next request', async () => {
    const { engine, asked, loads, unloads } = createEngine();
    const client = createLocalClient(engine, { timeout: 1_000 });
    const [first, second] = [ask(client, 'a'), ask(client, 'b')];
    await vi.advanceTimersByTimeAsync(1_001);
    await settled();
    expect(first.heard).toEqual(['error REQUEST_TIMEOUT']);
    expect([loads(), unloads()]).toEqual([2, 1]);
    asked.at(-1)?.say('well');
    await settled();
    expect(second.heard).toEqual(['well', 'end']);
  });

  test('passes on what the engine throws, and answers the next request', async () => {
    let calls = 0;
    const client = createLocalClient({
      load: async () => () => {
        if (++calls === 1) throw new Error('out of memory');
        return [{ type: 'finish', reason: 'stop' } as const];
      },
    });
    const [first, second] = [ask(client, 'a'), ask(client, 'b')];
    await settled();
    expect([first.heard, second.heard]).toEqual([['error LLM_API_ERROR'], ['end']]);
  });

  test('takes a client, answers an agent, and releases the model', async () => {
    const { engine, asked, unloads } = createEngine();
    const inner = createLocalClient(engine);
    const client = createLocalClient({ load: async () => inner, unload: engine.unload });
    const agent = createAgent({ client });
    const session = await agent.openSession(agent.createSession());
    const sent = session.send('Hello');
    await settled();
    asked[0]?.say('Hi');
    expect(await sent).toMatchObject({ outcome: 'completed' });
    await client.unload();
    expect(unloads()).toBe(1);
    expect(client.getStatus().state).toBe('idle');
  });

  test.each([
    [untyped({}), undefined, '`load`'],
    [untyped({ load: async () => () => [], unlod: 1 }), undefined, 'unlod'],
    [{ load: untyped('x') }, undefined, '`load`'],
    [{ load: async () => () => [] }, { timeout: 0 }, '`timeout`'],
    [{ load: async () => () => [] }, { loadTimeout: Number.NaN }, '`loadTimeout`'],
  ])('refuses %o with %o', (engine, options, message) => {
    expect(() => createLocalClient(engine, options)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining(message) }),
    );
  });

  test('fails a request whose engine is none', async () => {
    const client = createLocalClient({ load: async () => untyped('a text') });
    const { heard } = ask(client, 'a');
    await settled();
    expect(heard).toEqual(['error INVALID_CONFIG']);
  });
});
