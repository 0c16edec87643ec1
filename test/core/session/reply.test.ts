import { AgentError, type LLMChunk, toolParts } from 'brooklet';
import { evolve, type EventBody, type SessionState } from 'brooklet/core';
import fc from 'fast-check';
import { from, NEVER, Observable, of, Subject, throwError } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { toReplyEvents } from '../../../src/core/session/reply.ts';
import { answering, foldBodies, stamp } from '../../support/events.ts';
import { seeded } from '../../support/seeded.ts';

interface Heard {
  readonly events: readonly EventBody[];
  readonly error?: unknown;
  readonly completed: boolean;
}

const finish: LLMChunk = { type: 'finish', reason: 'stop' };

/** The events from chunks that all arrive at once. */
function heard(chunks$: Observable<LLMChunk>): Heard {
  const events: EventBody[] = [];
  let ids = 0;
  let error: unknown;
  let completed = false;
  toReplyEvents(chunks$, () => `call-${++ids}`).subscribe({
    next: (event) => events.push(event),
    error: (thrown: unknown) => (error = thrown),
    complete: () => (completed = true),
  });
  return { events, completed, ...(error !== undefined && { error }) };
}

const eventsOf = (...chunks: readonly LLMChunk[]): readonly EventBody[] => heard(of(...chunks)).events;

describe('the events of a reply', () => {
  test.each<[string, LLMChunk, EventBody]>([
    ['text', { type: 'text', text: 'A' }, { type: 'text.delta', text: 'A' }],
    ['reasoning', { type: 'reasoning', text: 'Hm' }, { type: 'reasoning.delta', text: 'Hm' }],
    [
      'a seal without text',
      { type: 'reasoning', text: '', provider: { signature: 's' } },
      { type: 'reasoning.delta', text: '', provider: { signature: 's' } },
    ],
    [
      'a part',
      { type: 'part', part: { type: 'source', url: 'https://example.com' } },
      { type: 'part.added', part: { type: 'source', url: 'https://example.com' } },
    ],
    [
      'the beginning of a call',
      { type: 'call', index: 0, name: 'add', text: '' },
      { type: 'call.delta', callId: 'call-1', name: 'add', text: '' },
    ],
    [
      'the end',
      { type: 'finish', reason: 'length', raw: 'max_tokens', model: 'm-1' },
      { type: 'reply.ended', finish: 'length', raw: 'max_tokens', model: 'm-1' },
    ],
  ])('contain %s as received', (_what, chunk, event) => {
    expect(eventsOf(chunk)).toEqual([event]);
  });

  test('do not change with what a client changes after it has emitted it', () => {
    const provider = { signature: 'first' };
    const events = eventsOf(
      { type: 'reasoning', text: 'Hm', provider },
      { type: 'call-end', index: 0, name: 'add', inputText: '{}', provider },
    );
    provider.signature = 'second';
    expect(events).toMatchObject([{ provider: { signature: 'first' } }, { provider: { signature: 'first' } }]);
  });

  test('omit empty chunks', () => {
    expect(eventsOf({ type: 'text', text: '' }, { type: 'reasoning', text: '' })).toEqual([]);
  });

  test('give each call an id of the agent, the same for all of its deltas', () => {
    expect(
      eventsOf(
        { type: 'call', index: 0, name: 'add', text: '{"a"' },
        { type: 'call', index: 1, name: 'note', text: '' },
        { type: 'call', index: 0, text: ':1}' },
        { type: 'call-end', index: 0, id: 'theirs', name: 'add', inputText: '{"a":1}' },
        { type: 'call-end', index: 1, id: 'theirs', name: 'note', inputText: '{}', provider: { thought: 's' } },
      ),
    ).toEqual([
      { type: 'call.delta', callId: 'call-1', name: 'add', text: '{"a"' },
      { type: 'call.delta', callId: 'call-2', name: 'note', text: '' },
      { type: 'call.delta', callId: 'call-1', text: ':1}' },
      {
        type: 'call.requested',
        callId: 'call-1',
        name: 'add',
        inputText: '{"a":1}',
        input: { a: 1 },
        provider: { id: 'theirs' },
      },
      {
        type: 'call.requested',
        callId: 'call-2',
        name: 'note',
        inputText: '{}',
        input: {},
        provider: { thought: 's', id: 'theirs' },
      },
    ]);
  });

  test('accept a call that arrives in one chunk', () => {
    expect(eventsOf({ type: 'call-end', index: 0, name: 'add', inputText: '{}' })).toEqual([
      { type: 'call.requested', callId: 'call-1', name: 'add', inputText: '{}', input: {} },
    ]);
  });

  test.each(['', '{"a":', '[]', '"text"', 'null', '1'])('have no input if the input of a call is %j', (inputText) => {
    expect(eventsOf({ type: 'call-end', index: 0, name: 'add', inputText })).toEqual([
      { type: 'call.requested', callId: 'call-1', name: 'add', inputText },
    ]);
  });

  test('keep the key __proto__ as an ordinary key', () => {
    const [event] = eventsOf({ type: 'call-end', index: 0, name: 'add', inputText: '{"__proto__":{"polluted":1}}' });
    expect(event).toHaveProperty('input', JSON.parse('{"__proto__":{"polluted":1}}'));
    expect({}).not.toHaveProperty('polluted');
  });

  test('count the last usage, once', () => {
    expect(
      eventsOf(
        { type: 'usage', usage: { input: 1, output: 1 } },
        { type: 'usage', usage: { input: 9, output: 2, cached: 3 } },
        finish,
      ),
    ).toEqual([{ type: 'reply.ended', finish: 'stop', usage: { input: 9, output: 2, cached: 3 } }]);
  });

  test('end with the end chunk and ignore later chunks', () => {
    const { events, completed } = heard(of<LLMChunk[]>(finish, { type: 'text', text: 'late' }, finish));
    expect(events).toHaveLength(1);
    expect(completed).toBe(true);
  });

  test('are an interruption if the stream completes without an end chunk', () => {
    const { events, error, completed } = heard(of({ type: 'text', text: 'Half' }));
    expect(events).toEqual([{ type: 'text.delta', text: 'Half' }]);
    expect(error).toMatchObject({ code: 'STREAM_INTERRUPTED', retryable: true });
    expect(completed).toBe(false);
  });

  test('pass on a failure that the client reports', () => {
    const failure = new AgentError('Busy.', { code: 'OVERLOADED' });
    expect(heard(throwError(() => failure)).error).toBe(failure);
  });

  test('are emitted one by one, like the chunks', () => {
    const chunks = new Subject<LLMChunk>();
    const seen: string[] = [];
    toReplyEvents(chunks, () => 'id').subscribe(({ type }) => seen.push(type));
    chunks.next({ type: 'text', text: 'A' });
    expect(seen).toEqual(['text.delta']);
    chunks.next(finish);
    expect(seen).toEqual(['text.delta', 'reply.ended']);
  });

  test('send no request without a subscriber, and abort it on unsubscribe', () => {
    let open = 0;
    const chunks$ = new Observable<LLMChunk>(() => {
      open++;
      return () => open--;
    });
    const events$ = toReplyEvents(chunks$, () => 'id');
    expect(open).toBe(0);
    const subscription = events$.subscribe();
    expect(open).toBe(1);
    subscription.unsubscribe();
    expect(open).toBe(0);
  });

  test('have ids of their own for a second subscriber', () => {
    let ids = 0;
    const events$ = toReplyEvents(
      from<LLMChunk[]>([{ type: 'call', index: 0, name: 'add', text: '' }]),
      () => `${++ids}`,
    );
    const seen: EventBody[] = [];
    for (const _listener of [1, 2]) events$.subscribe({ next: (event) => seen.push(event), error: () => {} });
    expect(seen).toMatchObject([{ callId: '1' }, { callId: '2' }]);
  });

  test('wait while no chunk arrives', () => {
    expect(heard(NEVER)).toEqual({ events: [], completed: false });
  });

  test('fold to the text, the reasoning and the calls that were sent', () => {
    const piece = fc.string({ maxLength: 5 });
    const chunk: fc.Arbitrary<LLMChunk> = fc.oneof(
      piece.map((text): LLMChunk => ({ type: 'text', text })),
      piece.map((text): LLMChunk => ({ type: 'reasoning', text })),
      fc
        .tuple(fc.nat(2), piece)
        .map(([index, text]): LLMChunk => ({ type: 'call', index, name: `tool${index}`, text })),
    );
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 30 }), (chunks) => {
        const ends = [0, 1, 2].map((index): LLMChunk => ({
          type: 'call-end',
          index,
          name: `tool${index}`,
          inputText: textOf(chunks, 'call', index),
        }));
        const start = foldBodies(...answering);
        const { events } = heard(of(...chunks, ...ends, finish));
        const state: SessionState = stamp(events, start.seq).reduce(evolve, start);
        const reply = state.messages.at(-1) ?? expect.unreachable();
        expect(reply.status).toBe('complete');
        for (const type of ['text', 'reasoning'] as const) {
          const texts = reply.content.map((part) => (part.type === type && 'text' in part ? part.text : ''));
          expect(texts.join('')).toBe(textOf(chunks, type));
        }
        expect(new Set(toolParts(reply).map(({ name, inputText }) => name + inputText))).toEqual(
          new Set([0, 1, 2].map((index) => `tool${index}${textOf(chunks, 'call', index)}`)),
        );
      }),
      seeded(500),
    );
  });
});

function textOf(chunks: readonly LLMChunk[], type: LLMChunk['type'], index?: number): string {
  return chunks
    .map((chunk) =>
      chunk.type === type && 'text' in chunk && (!('index' in chunk) || chunk.index === index) ? chunk.text : '',
    )
    .join('');
}
