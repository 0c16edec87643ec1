import { type Message, type Part, toolParts } from 'brooklet';
import { evolve, initialState, isEnded } from 'brooklet/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toImmutable } from '../../../src/core/context/immutable.ts';
import { toRequestMessages, type View } from '../../../src/core/context/visible-messages.ts';
import { eventLogs, freeze, patient, userMessage } from '../../support/events.ts';
import { problemsOnTheWire } from '../../support/wire.ts';
import { seeded, seededInFull } from '../../support/seeded.ts';

const text = (text: string): Part => ({ type: 'text', text });
const call = (callId: string, more: object = {}): Part => ({
  type: 'tool',
  callId,
  name: 'add',
  status: 'succeeded',
  inputText: '{}',
  input: {},
  output: 1,
  ...more,
});

function reply(id: string, content: readonly Part[], status: Message['status'] = 'complete'): Message {
  return { id, role: 'assistant', content, timestamp: 7, ...(status && { status }) };
}

const requestOf = (messages: readonly Message[], view: View = {}): readonly Message[] =>
  toRequestMessages(freeze(messages), view);
const idsOf = (messages: readonly Message[], view: View = {}): readonly string[] =>
  requestOf(messages, view).map(({ id }) => id);

describe('a request', () => {
  test('starts with the instructions', () => {
    const [first, second] = requestOf([userMessage('q')], { immutable: toImmutable('Be kind.') });
    expect(first).toMatchObject({ role: 'system', content: [text('Be kind.')] });
    expect(second).toEqual(userMessage('q'));
  });

  test('has no instructions if there are none', () => {
    expect(requestOf([userMessage('q')], { immutable: toImmutable('') })).toEqual([userMessage('q')]);
  });

  test('equals a conversation that is valid', () => {
    const messages = [
      { ...userMessage('p'), role: 'system' } as const,
      userMessage('q'),
      reply('a', [
        { type: 'reasoning', text: 'Hm.', provider: 'seal' },
        text('Well, '),
        call('1'),
        call('2', { status: 'rejected' }),
      ]),
      reply('b', [text('Done.')]),
      userMessage('r'),
    ];
    expect(requestOf(messages)).toEqual(messages);
  });

  test.each<[string, readonly Part[]]>([
    ['nothing', []],
    ['nothing but what was thought', [{ type: 'reasoning', text: 'Hm.' }]],
    ['nothing but empty text', [text(''), text('')]],
  ])('omits a message with %s', (_what, content) => {
    expect(idsOf([userMessage('q'), reply('a', content), userMessage('r')])).toEqual(['q', 'r']);
    expect(idsOf([{ ...userMessage('q'), content }, userMessage('r')])).toEqual(['r']);
  });

  test('omits empty text beside other text', () => {
    expect(requestOf([userMessage('q'), reply('a', [text(''), call('1')])])[1]?.content).toEqual([call('1')]);
  });

  test.each<Part>([
    { type: 'image', mediaType: 'image/png', url: 'https://example.com/a.png' },
    { type: 'provider', name: 'search', data: {} },
    call('1'),
  ])('keeps a message whose only part is of type $type', (part) => {
    expect(idsOf([userMessage('q'), reply('a', [part])])).toEqual(['q', 'a']);
  });

  test.each(['streaming', 'requested', 'awaiting-approval', 'approved', 'edited', 'started'])(
    'has a result for a call that stays %s',
    (status) => {
      const [, message] = requestOf([userMessage('q'), reply('a', [call('1', { status })])]);
      expect(message?.content).toEqual([call('1', { status: 'cancelled' })]);
    },
  );

  test('does not change its input messages', () => {
    const messages = freeze([
      userMessage('q'),
      reply('a', [call('1', { status: 'awaiting-approval' })]),
      reply('b', [text('Half')], 'interrupted'),
    ]);
    const before = structuredClone(messages);
    toRequestMessages(messages, { maxMessages: 1, immutable: toImmutable('x') });
    expect(messages).toEqual(before);
  });
});

describe('a reply that broke off', () => {
  const broken = reply(
    'a',
    [{ type: 'reasoning', text: 'Hm.' }, text('Half'), call('1', { status: 'cancelled' }), text('')],
    'interrupted',
  );

  test('is sent with its text, and a prompt to continue', () => {
    const [, half, goOn, ...more] = requestOf([userMessage('q'), broken]);
    expect(half).toEqual({ ...broken, content: [text('Half')] });
    expect(goOn).toMatchObject({ role: 'user' });
    expect(goOn?.content).toMatchObject([{ text: expect.stringContaining('Go on') }]);
    expect(more).toEqual([]);
  });

  test('is still followed by the same prompt to continue after it was continued', () => {
    const before = requestOf([userMessage('q'), broken]);
    expect(
      requestOf([userMessage('q'), broken, reply('b', [text('and half.')]), userMessage('r')]).slice(0, 3),
    ).toEqual(before);
  });

  test('is not followed by a prompt to continue if the user has sent another message', () => {
    expect(idsOf([userMessage('q'), broken, userMessage('r')])).toEqual(['q', 'a', 'r']);
  });

  test.each<[string, readonly Part[]]>([
    ['was still thinking', [{ type: 'reasoning', text: 'Hm.' }]],
    ['had only begun a call', [call('1', { status: 'cancelled' })]],
  ])('is omitted when it %s', (_what, content) => {
    expect(idsOf([userMessage('q'), reply('a', content, 'interrupted')])).toEqual(['q']);
  });
});

describe('a request with a maximum number of messages', () => {
  /** Five turns: a user message, a call, an answer. */
  const turns = [1, 2, 3, 4, 5].flatMap((n) => [
    userMessage(`q${n}`),
    reply(`c${n}`, [call(`${n}`)]),
    reply(`a${n}`, [text('A')]),
  ]);

  test.each([
    [100, 15],
    [13, 15],
    [12, 12],
    [10, 12],
    [9, 9],
    [4, 6],
    [3, 3],
    [1, 3],
    [0, 3],
  ])('of %s has the newest whole turns that fit, counted up to the last user message', (maxMessages, length) => {
    const messages = requestOf(turns, { maxMessages });
    expect(messages).toEqual(turns.slice(-length));
    expect(messages[0]?.role).toBe('user');
  });

  test('keeps the instructions', () => {
    expect(idsOf(turns, { maxMessages: 1, immutable: toImmutable('Be kind.') })).toEqual([
      'instructions',
      'q5',
      'c5',
      'a5',
    ]);
  });

  test('keeps its start during a run', () => {
    const run = [...turns, userMessage('q6')];
    const steps = Array.from({ length: 20 }, (_, n) => reply(`r${n}`, [call(`r${n}`)]));
    const before = requestOf(run, { maxMessages: 4 });
    for (const count of steps.keys()) {
      expect(requestOf([...run, ...steps.slice(0, count)], { maxMessages: 4 }).slice(0, before.length)).toEqual(before);
    }
  });

  test('has all messages if there is no user message', () => {
    expect(idsOf([reply('a', [text('Hello')])], { maxMessages: 1 })).toEqual(['a']);
  });
});

describe('in every log', patient, () => {
  const runs = seeded(500);

  /** All requests of a log, run by run. */
  function requestsIn(
    log: Parameters<typeof evolve>[1][],
    view: View,
  ): ReadonlyMap<string, readonly (readonly Message[])[]> {
    const requests = new Map<string, (readonly Message[])[]>();
    let state = initialState('s');
    for (const event of log) {
      if (event.type === 'reply.started' && state.run) {
        requests.set(state.run.id, [...(requests.get(state.run.id) ?? []), toRequestMessages(state.messages, view)]);
      }
      state = evolve(state, event);
    }
    return requests;
  }

  test.each<[string, View]>([
    ['all messages', { immutable: toImmutable('Be kind.') }],
    ['a few messages', { maxMessages: 3 }],
  ])('each request with %s is valid on the wire', (_what, view) => {
    fc.assert(
      fc.property(eventLogs(), (log) => {
        for (const request of [...requestsIn([...log], view).values()].flat()) {
          const problems = problemsOnTheWire(request);
          if (problems.length > 0) expect({ problems, request }).toBe('valid');
        }
      }),
      runs,
    );
  });

  test.each<[string, View, { readonly without: readonly ('update' | 'add' | 'queue')[] }]>([
    ['all messages', { immutable: toImmutable('Be kind.') }, { without: ['update'] }],
    ['a few messages', { maxMessages: 3 }, { without: ['update', 'add', 'queue'] }],
  ])('each request of a run with %s starts with the previous one', (_what, view, options) => {
    let pairs = 0;
    fc.assert(
      fc.property(eventLogs(options), (log) => {
        for (const requests of requestsIn([...log], view).values()) {
          for (const [index, request] of requests.entries()) {
            const before = requests[index - 1] ?? [];
            if (index > 0) pairs++;
            if (JSON.stringify(request.slice(0, before.length)) !== JSON.stringify(before))
              expect(request).toEqual(before);
          }
        }
      }),
      seededInFull(500),
    );
    expect(pairs).toBeGreaterThan(100);
  });

  test('no request has an incomplete call', () => {
    fc.assert(
      fc.property(eventLogs(), fc.nat(6), (log, maxMessages) => {
        const { messages } = log.reduce(evolve, initialState('s'));
        const calls = toRequestMessages(messages, { maxMessages }).flatMap(toolParts);
        if (!calls.every(({ status }) => isEnded(status))) expect(calls).toBe('ended');
      }),
      runs,
    );
  });
});
