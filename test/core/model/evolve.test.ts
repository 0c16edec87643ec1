import { extractTextContent, type Message, toolParts } from 'brooklet';
import { coalesce, type EventBody, evolve, findCall, initialState, isEnded, type SessionState } from 'brooklet/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  answering,
  anyEvents,
  eventLogs,
  fold,
  foldBodies,
  foldOn,
  freeze,
  fromTheFuture,
  patient,
  stamp,
  userMessage,
} from '../../support/events.ts';
import { seeded } from '../../support/seeded.ts';
import { assertMeeting } from '../../support/subject.ts';

const runs = seeded(500);

const says = (text: string): EventBody => ({ type: 'text.delta', text });
const asks = (callId: string): EventBody => ({
  type: 'call.requested',
  callId,
  name: 'add',
  inputText: '{}',
  input: {},
});
const replyEnds: EventBody = { type: 'reply.ended', finish: 'stop' };
const ends = (outcome: 'completed' | 'cancelled' | 'limit' | 'failed' | 'interrupted', runId = 'r'): EventBody => ({
  type: 'run.ended',
  runId,
  outcome,
});
const answered: readonly EventBody[] = [...answering, says('A.'), replyEnds, ends('completed')];

const texts = ({ messages }: SessionState): readonly string[] => messages.map(extractTextContent);
const messageIn = ({ messages }: SessionState, id: string): Message | undefined =>
  messages.find((message) => message.id === id);
const callStatuses = ({ messages }: SessionState): readonly string[] =>
  messages.flatMap(toolParts).map(({ status }) => status);

/** The usage of a run is tested elsewhere. */
const counted = { usage: expect.any(Object), since: expect.any(Number) };

describe('a session', () => {
  test('starts empty', () => {
    expect(initialState('s')).toEqual({
      id: 's',
      title: '',
      createdAt: 0,
      updatedAt: 0,
      seq: 0,
      messages: [],
      queue: [],
      approvalRules: [],
      context: [],
      replaced: [],
      alternatives: [],
      usage: { input: 0, output: 0 },
    });
  });

  test('takes its id and its times from its events', () => {
    const state = foldBodies({ type: 'session.started', sessionId: 'one', title: 'Mine' }, { type: 'session.cleared' });
    expect(state).toMatchObject({ id: 'one', title: 'Mine', createdAt: 10, updatedAt: 20, seq: 2 });
  });

  test('has the latest metadata, instructions and tools of its events', () => {
    const tool = { name: 'pay', description: 'Pays.', inputSchema: { type: 'object' } };
    const state = foldBodies(
      { type: 'metadata.changed', metadata: { a: 1 } },
      { type: 'metadata.changed', metadata: { b: 2 } },
      { type: 'instructions.changed', contentId: 'i', messages: [userMessage('i')] },
      { type: 'tools.changed', contentId: 't', tools: [tool] },
    );
    expect(state).toMatchObject({
      metadata: { b: 2 },
      instructions: { contentId: 'i', messages: [userMessage('i')] },
      tools: { contentId: 't', tools: [tool] },
    });
    expect(state.metadata).toEqual({ b: 2 });
  });

  test('that was imported has no open call, and the answer that was being replaced is back', () => {
    const state = foldBodies(
      ...answering,
      asks('1'),
      replyEnds,
      ends('completed'),
      { type: 'session.rewound', messageId: 'q' },
      { type: 'run.started', runId: 'r2' },
      { type: 'reply.started', messageId: 'b' },
      asks('2'),
      { type: 'session.imported' },
    );
    expect(state.messages.map(({ id }) => id)).toEqual(['q', 'b', 'a']);
    expect(callStatuses(state)).toEqual(['cancelled', 'cancelled']);
    expect([state.replaced, state.alternatives]).toEqual([[], []]);
  });

  test('keeps the settings of a queued message until it is admitted', () => {
    const queued: EventBody = {
      type: 'message.queued',
      message: userMessage('p'),
      mode: 'queue',
      settings: { maxSteps: 2 },
    };
    expect(foldBodies(queued).queue).toEqual([{ message: userMessage('p'), mode: 'queue', settings: { maxSteps: 2 } }]);
    expect(foldBodies(queued, { type: 'message.added', message: userMessage('p') }).queue).toEqual([]);
  });

  test('keeps a planned message with its time until it is due or sent', () => {
    const planned: EventBody = {
      type: 'message.queued',
      message: userMessage('p'),
      mode: 'queue',
      due: 9,
      missed: 'skip',
    };
    const isDue: EventBody = { type: 'message.queued', message: userMessage('p'), mode: 'queue', isDue: true };
    const before = foldBodies(planned);
    expect(before.queue).toEqual([{ message: userMessage('p'), mode: 'queue', due: 9, missed: 'skip' }]);
    expect(foldOn(before, isDue).queue).toEqual([{ message: userMessage('p'), mode: 'queue' }]);
    expect(foldOn(before, { type: 'message.unqueued', messageId: 'p' }, isDue).queue).toEqual([]);
    expect(foldOn(before, { type: 'message.added', message: userMessage('p') }).queue).toEqual([]);
  });

  test('ends a run whose owner has vanished when another run starts', () => {
    const state = foldBodies(...answering, says('Half'), { type: 'run.started', runId: 'r2' });
    expect(messageIn(state, 'a')).toMatchObject({ status: 'interrupted' });
    expect(state.run).toMatchObject({ id: 'r2', steps: 0 });
  });

  test.each([
    ['completed', 'a'],
    ['limit', undefined],
  ] as const)('of a run that goes on after %s continues the reply %s', (outcome, continues) => {
    const resumed: EventBody = { type: 'run.started', runId: 'r2', resumes: 'r' };
    const first: EventBody = { type: 'message.added', message: userMessage('first') };
    const state = foldBodies(first, ...answering, says('A.'), replyEnds, ends(outcome), resumed);
    expect(state.run?.continues).toBe(continues);
    // The message of the reply may be gone.
    expect(foldBodies(...answered, { type: 'session.cleared' }, resumed).run?.continues).toBeUndefined();
  });

  test.each([
    ['a'.repeat(80), 'a'.repeat(80)],
    ['a'.repeat(81), `${'a'.repeat(79)}…`],
    ['  First line \nand another', 'First line '],
  ])('takes the title of %j', (text, title) => {
    expect(foldBodies({ type: 'message.added', message: userMessage('q', text) }).title).toBe(title);
  });

  test('keeps the same queue when another message is added', () => {
    const before = foldBodies({ type: 'message.queued', message: userMessage('p'), mode: 'queue' });
    expect(foldOn(before, { type: 'message.added', message: userMessage('q') }).queue).toBe(before.queue);
  });

  test('takes its title from the first user message, until a title is set', () => {
    const asked = foldBodies({ type: 'message.added', message: userMessage('q', '  Hello\nWorld ') });
    expect(asked.title).toBe('Hello');
    expect(foldOn(asked, { type: 'message.added', message: userMessage('p', 'Other') }).title).toBe('Hello');
    expect(
      foldOn(asked, { type: 'session.renamed', title: 'T' }, { type: 'message.added', message: userMessage('p') })
        .title,
    ).toBe('T');
  });

  test('is as old as what last happened in it: a new title or new metadata do not change that', () => {
    const asked = foldBodies({ type: 'message.added', message: userMessage('q') });
    const named = foldOn(
      asked,
      { type: 'session.renamed', title: 'T' },
      { type: 'metadata.changed', metadata: { pinned: true } },
    );
    expect(named).toMatchObject({ title: 'T', metadata: { pinned: true }, seq: 3, updatedAt: asked.updatedAt });
    const again = foldOn(named, { type: 'message.added', message: userMessage('p') });
    expect(again.updatedAt).toBe(asked.updatedAt + 30);
  });

  test('has the title of its first user message after that was edited, and of the version that is shown', () => {
    const edit = (title: string): EventBody => ({
      type: 'message.added',
      message: userMessage('q2', title),
      supersedes: 'q',
    });
    const hello: EventBody = { type: 'message.added', message: userMessage('q', 'Hello') };
    const edited = foldBodies(hello, edit('Good day'));
    expect(edited.title).toBe('Good day');
    expect(foldOn(edited, { type: 'alternative.selected', messageId: 'q' }).title).toBe('Hello');
    const later: EventBody = { type: 'message.added', message: userMessage('p', 'More') };
    const editedLater = foldBodies(hello, later, {
      type: 'message.added',
      message: userMessage('p2', 'Less'),
      supersedes: 'p',
    });
    expect(editedLater.title).toBe('Hello');
  });

  test('keeps a title that was given when its first message is edited', () => {
    const edit: EventBody = { type: 'message.added', message: userMessage('q2', 'Good day'), supersedes: 'q' };
    const hello: EventBody = { type: 'message.added', message: userMessage('q', 'Hello') };
    expect(foldBodies(hello, { type: 'session.renamed', title: 'Mine' }, edit).title).toBe('Mine');
    const picture = { ...userMessage('q3'), content: [] };
    expect(foldBodies(hello, { type: 'message.added', message: picture, supersedes: 'q' }).title).toBe('Hello');
  });

  test('has a title of at most 80 characters', () => {
    const { title } = foldBodies({ type: 'message.added', message: userMessage('q', 'x'.repeat(500)) });
    expect(title).toBe(`${'x'.repeat(79)}…`);
  });

  test('does not take its title from a system message', () => {
    const message: Message = { ...userMessage('p', 'Be kind.'), role: 'system' };
    expect(foldBodies({ type: 'message.added', message }).title).toBe('');
  });

  test('keeps its title and its usage when it is cleared', () => {
    const state = foldBodies(...answering, { ...replyEnds, usage: { input: 1, output: 2 } }, ends('completed'), {
      type: 'session.cleared',
    });
    expect(state).toMatchObject({ title: 'q', messages: [], usage: { input: 1, output: 2 } });
  });

  test('adds up the usage of its replies', () => {
    const usage = (input: number, output: number, more = {}): EventBody => ({
      type: 'reply.ended',
      finish: 'stop',
      usage: { input, output, ...more },
    });
    const state = foldBodies(
      ...answering,
      usage(10, 2, { cached: 4 }),
      { type: 'reply.started', messageId: 'b' },
      usage(20, 3, { cached: 5, reasoning: 1 }),
      { type: 'reply.started', messageId: 'c' },
      replyEnds,
    );
    expect(state.usage).toEqual({ input: 30, output: 5, cached: 9, reasoning: 1 });
    expect(messageIn(state, 'b')?.usage).toEqual({ input: 20, output: 3, cached: 5, reasoning: 1 });
  });

  test.each<[string, EventBody]>([
    ['of a type that is not known yet', fromTheFuture],
    ['that updates a message nobody has', { type: 'message.updated', message: userMessage('nobody') }],
    ['that rewinds to a message nobody has', { type: 'session.rewound', messageId: 'nobody' }],
    ['that ends another run', ends('failed', 'another')],
    ['that ends a run again', ends('failed')],
    ['that begins a reply after the end of the run', { type: 'reply.started', messageId: 'late' }],
    ['with text after the end of the reply', says('late')],
    ['with reasoning after the end of the reply', { type: 'reasoning.delta', text: 'late' }],
    ['with a part after the end of the reply', { type: 'part.added', part: { type: 'text', text: 'late' } }],
    ['with a call after the end of the reply', asks('late')],
    ['that ends the reply again', replyEnds],
    ['about a call nobody has asked for', { type: 'approval.requested', callId: 'nobody' }],
    [
      'that decides a call nobody has asked for',
      { type: 'approval.decided', callId: 'nobody', verdict: 'approved', decidedBy: 'user' },
    ],
    ['that ends a call nobody has asked for', { type: 'call.ended', callId: 'nobody', outcome: 'succeeded' }],
  ])('records only the position and time of an event %s', (_what, body) => {
    const before = foldBodies(...answered);
    const after = foldOn(before, body);
    expect(after).toEqual({ ...before, seq: before.seq + 1, updatedAt: before.updatedAt + 10 });
    expect(after.messages).toBe(before.messages);
  });

  test('ignores a reply without a run', () => {
    expect(foldBodies({ type: 'reply.started', messageId: 'a' }, says('A')).messages).toEqual([]);
  });
});

describe('a reply', () => {
  test('grows part by part, in order of arrival', () => {
    const state = foldBodies(
      ...answering,
      { type: 'reasoning.delta', text: 'Hm' },
      { type: 'reasoning.delta', text: '.' },
      says('One, '),
      says('two.'),
      { type: 'part.added', part: { type: 'source', url: 'https://example.com' } },
      says('Three.'),
      asks('c'),
      says('Four.'),
    );
    expect(messageIn(state, 'a')).toEqual({
      id: 'a',
      role: 'assistant',
      status: 'streaming',
      timestamp: 40,
      content: [
        { type: 'reasoning', text: 'Hm.', startedAt: 50, durationMs: 10 },
        { type: 'text', text: 'One, two.' },
        { type: 'source', url: 'https://example.com' },
        { type: 'text', text: 'Three.' },
        { type: 'tool', callId: 'c', name: 'add', status: 'requested', inputText: '{}', input: {} },
        { type: 'text', text: 'Four.' },
      ],
    });
  });

  test('starts a new part after reasoning that its provider has sealed', () => {
    const state = foldBodies(
      ...answering,
      { type: 'reasoning.delta', text: 'One' },
      { type: 'reasoning.delta', text: '', provider: 'sig1' },
      { type: 'reasoning.delta', text: 'Two' },
      { type: 'reasoning.delta', text: '!', provider: 'sig2' },
    );
    expect(messageIn(state, 'a')?.content).toEqual([
      { type: 'reasoning', text: 'One', startedAt: 50, durationMs: 10, provider: 'sig1' },
      { type: 'reasoning', text: 'Two!', startedAt: 70, durationMs: 10, provider: 'sig2' },
    ]);
  });

  test('treats a seal that is null as a seal', () => {
    const state = foldBodies(
      ...answering,
      { type: 'reasoning.delta', text: 'One', provider: null },
      { type: 'reasoning.delta', text: 'Two' },
    );
    expect(messageIn(state, 'a')?.content).toHaveLength(2);
  });

  test('assigns the deltas of parallel calls to their calls', () => {
    const piece = (callId: string, text: string, name?: string): EventBody => ({
      type: 'call.delta',
      callId,
      text,
      ...(name && { name }),
    });
    const state = foldBodies(
      ...answering,
      piece('1', '{"a"', 'add'),
      piece('2', '{"t', 'note'),
      piece('1', ':1'),
      piece('2', 'ext":""'),
      piece('1', '}'),
      { type: 'call.requested', callId: '1', name: 'add', inputText: '{"a":1}', input: { a: 1 } },
      piece('2', '}'),
      piece('1', 'too late'),
    );
    expect(messageIn(state, 'a')?.content).toEqual([
      { type: 'tool', callId: '1', name: 'add', status: 'requested', inputText: '{"a":1}', input: { a: 1 } },
      { type: 'tool', callId: '2', name: 'note', status: 'streaming', inputText: '{"text":""}' },
    ]);
  });

  test('takes the name of a call from the first delta that has one', () => {
    const state = foldBodies(
      ...answering,
      { type: 'call.delta', callId: '1', text: '{' },
      { type: 'call.delta', callId: '1', name: 'add', text: '' },
      { type: 'call.delta', callId: '1', name: 'note', text: '' },
    );
    expect(findCall(state, '1')?.call).toMatchObject({ name: 'add', inputText: '{' });
  });

  test('keeps the order of its calls if they complete in another order', () => {
    const state = foldBodies(
      ...answering,
      { type: 'call.delta', callId: '1', name: 'add', text: '' },
      { type: 'call.delta', callId: '2', name: 'add', text: '' },
      asks('2'),
      asks('1'),
    );
    expect(state.messages.flatMap(toolParts).map(({ callId }) => callId)).toEqual(['1', '2']);
  });

  test("is complete when it ends, with the provider's metadata", () => {
    const state = foldBodies(...answering, says('A.'), {
      type: 'reply.ended',
      finish: 'length',
      raw: 'max_tokens',
      usage: { input: 3, output: 4 },
      model: 'm-1',
    });
    expect(messageIn(state, 'a')).toMatchObject({
      status: 'complete',
      finish: 'length',
      usage: { input: 3, output: 4 },
      model: 'm-1',
    });
    expect(state.run).toEqual({ ...counted, id: 'r', steps: 1, usage: { input: 3, output: 4 } });
  });

  test('drops a call that never became complete', () => {
    const state = foldBodies(
      ...answering,
      { type: 'call.delta', callId: '1', name: 'add', text: '{"a' },
      asks('2'),
      replyEnds,
    );
    expect(callStatuses(state)).toEqual(['cancelled', 'requested']);
  });

  test('without content is removed when its run ends early', () => {
    const state = foldBodies(...answering, ends('failed'));
    expect(state.messages.map(({ id }) => id)).toEqual(['q']);
    expect(state.run).toEqual({ ...counted, id: 'r', steps: 1, outcome: 'failed' });
  });

  test.each(['cancelled', 'failed', 'interrupted', 'limit', 'completed'] as const)(
    'that was open when its run ended as %s keeps its content, as interrupted',
    (outcome) => {
      const state = foldBodies(...answering, says('Half a sen'), asks('c'), ends(outcome));
      expect(messageIn(state, 'a')).toMatchObject({
        status: 'interrupted',
        content: [{ text: 'Half a sen' }, { status: 'cancelled' }],
      });
      expect(state.run).not.toHaveProperty('openReply');
    },
  );

  test('ends even if its message was cleared meanwhile', () => {
    const state = foldBodies(...answering, says('A'), { type: 'session.cleared' }, says('B'), replyEnds);
    expect(state.messages).toEqual([]);
    expect(state.run).not.toHaveProperty('openReply');
  });

  test('keeps growing after it was updated', () => {
    const state = foldBodies(...answering, says('bad'));
    const reply = messageIn(state, 'a') ?? expect.unreachable();
    const updated = foldOn(
      state,
      { type: 'message.updated', message: { ...reply, content: [{ type: 'text', text: 'good' }] } },
      says('!'),
      replyEnds,
    );
    expect(messageIn(updated, 'a')).toMatchObject({ status: 'complete', content: [{ type: 'text', text: 'good!' }] });
  });

  test('keeps growing while other messages are added and changed', () => {
    const state = foldBodies(
      ...answering,
      says('One, '),
      { type: 'message.added', message: userMessage('p', 'Wait') },
      says('two'),
      { type: 'message.updated', message: userMessage('p', 'Wait!') },
      replyEnds,
    );
    expect(texts(state)).toEqual(['q', 'One, two', 'Wait!']);
  });
});

describe('a message', patient, () => {
  test('keeps its place in the same list when a run starts and nothing is open', () => {
    const before = foldBodies({ type: 'message.added', message: userMessage('q') });
    expect(foldOn(before, { type: 'run.started', runId: 'r' }).messages).toBe(before.messages);
  });

  test('is closed with the run also where it is the only one', () => {
    const only = [
      { type: 'run.started', runId: 'r' },
      { type: 'reply.started', messageId: 'a' },
    ] as const;
    const state = foldBodies(...only, asks('1'), replyEnds, ends('cancelled'));
    expect(state.messages).toMatchObject([{ id: 'a', content: [{ status: 'cancelled' }] }]);
  });

  test('keeps its identity through thousands of later events', () => {
    const start = foldBodies(...answered);
    const finished = start.messages;
    const later: EventBody[] = [];
    for (let turn = 0; turn < 100; turn++) {
      const [runId, callId, messageId] = [`r${turn}`, `c${turn}`, `a${turn}`];
      later.push({ type: 'run.started', runId }, { type: 'message.added', message: userMessage(`q${turn}`) });
      later.push({ type: 'reply.started', messageId });
      for (let n = 0; n < 30; n++) later.push(says('x'), { type: 'reasoning.delta', text: 'y' });
      later.push(asks(callId), replyEnds, { type: 'approval.requested', callId });
      later.push(
        { type: 'approval.decided', callId, verdict: 'approved', decidedBy: 'user' },
        { type: 'call.started', callId, attempt: 1 },
      );
      later.push({ type: 'session.renamed', title: `${turn}` });
      later.push(turn % 2 ? { type: 'call.ended', callId, outcome: 'failed' } : fromTheFuture);
      later.push(ends(turn % 3 ? 'cancelled' : 'interrupted', runId));
    }
    let state = start;
    for (const event of stamp(later, start.seq)) {
      const before = state;
      state = evolve(state, event);
      const changed = before.messages.filter((message, index) => state.messages[index] !== message);
      expect(changed.length).toBeLessThanOrEqual(1);
      expect(state.messages[0]).toBe(finished[0]);
      expect(state.messages[1]).toBe(finished[1]);
    }
    expect(state.messages).toHaveLength(202);
  });

  test('changes only on events about it, in every log', () => {
    assertMeeting(
      { 'a message that changes': 100 },
      (met) =>
        fc.property(eventLogs(), (log) => {
          let state = initialState('s');
          for (const event of log) {
            const before = new Map(state.messages.map((message) => [message.id, message]));
            state = evolve(state, event);
            const changed = state.messages.filter(
              (message) => before.has(message.id) && before.get(message.id) !== message,
            );
            if (changed.length > 0) met('a message that changes');
            const asked =
              event.type === 'message.updated'
                ? event.message.id
                : state.messages.findLast(({ role }) => role === 'assistant')?.id;
            if (changed.some(({ id }) => id !== asked)) expect({ event, changed }).toBe(`about ${asked} only`);
          }
        }),
      runs,
    );
  });

  test('is replaced by its update, and no other message changes', () => {
    const before = foldBodies(...answered);
    const after = foldOn(before, { type: 'message.updated', message: userMessage('q', 'Q?') });
    expect(texts(after)).toEqual(['Q?', 'A.']);
    expect(after.messages[1]).toBe(before.messages[1]);
  });
});

describe('a run', () => {
  test('counts the replies that it requested', () => {
    const state = foldBodies(...answering, asks('c'), replyEnds, { type: 'reply.started', messageId: 'b' });
    expect(state.run).toEqual({ ...counted, id: 'r', steps: 2, openReply: 'b' });
  });

  test('records why it ended', () => {
    const error = { type: 'LLM_SERVICE', code: 'OVERLOADED', message: 'Busy.', retryable: true } as const;
    const state = foldBodies(...answering, { type: 'run.ended', runId: 'r', outcome: 'failed', error });
    expect(state.run).toEqual({ ...counted, id: 'r', steps: 1, outcome: 'failed', error });
  });

  test.each([
    ['interrupted', 1],
    ['failed', 1],
    ['cancelled', 1],
    ['limit', 0],
  ] as const)('that resumes one that ended as %s has %s of its steps behind it', (outcome, steps) => {
    const state = foldBodies(...answering, ends(outcome), { type: 'run.started', runId: 'r2', resumes: 'r' });
    expect(state.run).toEqual({ ...counted, id: 'r2', steps });
  });

  test('has all its steps left if it is new, or resumes a run that was not the last', () => {
    const state = foldBodies(...answering, ends('interrupted'), { type: 'run.started', runId: 'r2' });
    expect(state.run).toEqual({ ...counted, id: 'r2', steps: 0, promptId: 'q' });
    expect(foldOn(state, { type: 'run.started', runId: 'r3', resumes: 'r' }).run).toEqual({
      ...counted,
      id: 'r3',
      steps: 0,
      promptId: 'q',
    });
  });

  test('that resumes does not keep the error of the run before', () => {
    const error = { type: 'LLM_SERVICE', code: 'OVERLOADED', message: 'Busy.', retryable: true } as const;
    const state = foldBodies(
      ...answering,
      { type: 'run.ended', runId: 'r', outcome: 'failed', error },
      {
        type: 'run.started',
        runId: 'r2',
        resumes: 'r',
      },
    );
    expect(state.run).toEqual({ ...counted, id: 'r2', steps: 1 });
  });

  const fourCalls: readonly EventBody[] = [
    ...answering,
    asks('requested'),
    asks('awaiting-approval'),
    asks('approved'),
    asks('started'),
    asks('done'),
    replyEnds,
    { type: 'approval.requested', callId: 'awaiting-approval' },
    ...['approved', 'started', 'done'].map((callId): EventBody => ({
      type: 'approval.decided',
      callId,
      verdict: 'approved',
      decidedBy: 'policy',
    })),
    ...['started', 'done'].map((callId): EventBody => ({ type: 'call.started', callId, attempt: 1 })),
    { type: 'call.ended', callId: 'done', outcome: 'succeeded' },
  ];

  test.each(['interrupted', 'failed'] as const)(
    'that is %s leaves calls that had not started to be resumed, and started calls as uncertain',
    (outcome) => {
      const state = foldBodies(...fourCalls, ends(outcome));
      expect(callStatuses(state)).toEqual(['requested', 'awaiting-approval', 'approved', 'uncertain', 'succeeded']);
      expect(callStatuses(foldOn(state, { type: 'run.started', runId: 'r2', resumes: 'r' }))).toEqual(
        callStatuses(state),
      );
    },
  );

  test.each(['completed', 'cancelled', 'limit'] as const)('that is %s leaves no call open', (outcome) => {
    expect(callStatuses(foldBodies(...fourCalls, ends(outcome)))).toEqual([
      'cancelled',
      'cancelled',
      'cancelled',
      'cancelled',
      'succeeded',
    ]);
  });

  test('that starts anew drops the calls of an interrupted run', () => {
    const state = foldBodies(...fourCalls, ends('interrupted'), { type: 'run.started', runId: 'r2' });
    expect(callStatuses(state)).toEqual(['cancelled', 'cancelled', 'cancelled', 'uncertain', 'succeeded']);
  });
});

describe('an approval decision', () => {
  const held: readonly EventBody[] = [
    ...answering,
    asks('c'),
    replyEnds,
    { type: 'approval.requested', callId: 'c', toolVersion: 'v1', expiresAt: 500, elicitation: { type: 'string' } },
  ];
  const decided = (more: Partial<Extract<EventBody, { type: 'approval.decided' }>> = {}): EventBody => ({
    type: 'approval.decided',
    callId: 'c',
    verdict: 'approved',
    decidedBy: 'user',
    ...more,
  });
  const approvalIn = (state: SessionState): unknown => findCall(state, 'c')?.call.approval;

  test('is requested with its prompt, which is stored beside it', () => {
    expect(approvalIn(foldBodies(...held))).toEqual({
      toolVersion: 'v1',
      expiresAt: 500,
      elicitation: { type: 'string' },
    });
    expect(approvalIn(foldBodies(...held, decided({ answer: 'tea', userName: 'Ada', reason: 'thirsty' })))).toEqual({
      toolVersion: 'v1',
      expiresAt: 500,
      elicitation: { type: 'string' },
      verdict: 'approved',
      decidedBy: 'user',
      answer: 'tea',
      userName: 'Ada',
      reason: 'thirsty',
    });
  });

  test('may come from a policy, for one version of the tool', () => {
    const state = foldBodies(
      ...answering,
      asks('c'),
      replyEnds,
      decided({ decidedBy: 'policy', toolVersion: 'v1', userName: 'Ada' }),
    );
    expect(approvalIn(state)).toEqual({ verdict: 'approved', decidedBy: 'policy', toolVersion: 'v1', userName: 'Ada' });
    expect(state.approvalRules).toEqual([]);
  });

  test.each([
    ['approved', 'session', 1],
    ['rejected', 'session', 1],
    ['expired', 'session', 0],
    ['approved', 'agent', 0],
  ] as const)(
    'creates an approval rule or not if it is %s and remembered for the %s: %s',
    (verdict, remember, count) => {
      const state = foldBodies(...held, decided({ verdict, remember, userName: 'Ada' }));
      expect(state.approvalRules).toEqual(
        count ? [{ name: 'add', verdict, toolVersion: 'v1', userName: 'Ada', at: expect.any(Number) }] : [],
      );
    },
  );

  test('creates no rule without a tool version, nor if it came too late', () => {
    const unbound: readonly EventBody[] = [...held.slice(0, -1), { type: 'approval.requested', callId: 'c' }];
    expect(foldBodies(...unbound, decided({ remember: 'session' })).approvalRules).toEqual([]);
    expect(foldBodies(...held, decided(), decided({ remember: 'session' })).approvalRules).toEqual([]);
  });

  test('creates a rule in the place of the earlier one for the same tool', () => {
    const again = (callId: string): readonly EventBody[] => [
      { type: 'reply.started', messageId: callId },
      asks(callId),
      replyEnds,
      { type: 'approval.requested', callId, toolVersion: `v of ${callId}` },
      decided({ callId, remember: 'session', verdict: 'rejected' }),
    ];
    const other: EventBody = { type: 'call.requested', callId: 'o', name: 'other', inputText: '{}', input: {} };
    const state = foldBodies(
      ...held.slice(0, -2),
      other,
      ...held.slice(-2),
      decided({ remember: 'session' }),
      { type: 'approval.requested', callId: 'o', toolVersion: 'o' },
      decided({ callId: 'o', remember: 'session' }),
      ...again('d'),
    );
    expect(state.approvalRules).toMatchObject([
      { name: 'other', verdict: 'approved' },
      { name: 'add', verdict: 'rejected', toolVersion: 'v of d' },
    ]);
  });

  test.each([
    ['user', 80, undefined],
    ['timeout', 80, undefined],
    ['user', 80, 'session'],
    ['policy', 20, undefined],
    ['rule', 20, undefined],
  ] as const)('of a %s lets the time of the run count from %s ms on', (decidedBy, since, remember) => {
    const decision = decided({ decidedBy, ...(remember && { remember }) });
    expect(foldBodies(...held, decision).run?.since).toBe(since);
  });

  test('creates a rule that survives clearing, until it is revoked or replaced', () => {
    const state = foldBodies(...held, decided({ remember: 'session' }), { type: 'session.cleared' });
    expect(state.approvalRules).toHaveLength(1);
    expect(foldOn(state, { type: 'rule.revoked', name: 'other' }).approvalRules).toEqual(state.approvalRules);
    expect(foldOn(state, { type: 'rule.revoked', name: 'add' }).approvalRules).toEqual([]);
  });
});

describe('a call', () => {
  const call = (state: SessionState) => findCall(state, 'c')?.call;

  test('is never added as a part: a part could claim that the call was approved', () => {
    const part = { type: 'tool', callId: 'c', name: 'add', status: 'approved', inputText: '{}', input: {} } as const;
    const before = foldBodies(...answering);
    expect(foldOn(before, { type: 'part.added', part }).messages).toBe(before.messages);
    const image = { type: 'image', mediaType: 'image/png', data: 'AA==' } as const;
    expect(messageIn(foldOn(before, { type: 'part.added', part: image }), 'a')?.content).toEqual([image]);
  });

  test('with the id of another call changes nothing, be it in a session without a run', () => {
    const message: Message = {
      ...userMessage('m'),
      content: [{ type: 'tool', callId: 'c', name: 'add', status: 'succeeded', inputText: '{}', input: {} }],
    };
    const before = foldBodies({ type: 'message.added', message });
    expect(foldOn(before, asks('c')).messages).toBe(before.messages);
  });

  test('awaits approval without a description of it where the event has none', () => {
    const held = foldBodies(...answering, asks('c'), replyEnds, { type: 'approval.requested', callId: 'c' });
    expect(call(held)).toMatchObject({ status: 'awaiting-approval' });
    expect(call(held)).not.toHaveProperty('approval');
  });

  test.each([
    ['succeeded', false],
    ['failed', true],
    ['timed-out', true],
  ] as const)('that %s is an error for the model: %s', (outcome, isError) => {
    const approved = { type: 'approval.decided', callId: 'c', verdict: 'approved', decidedBy: 'policy' } as const;
    const state = foldBodies(
      ...answering,
      asks('c'),
      replyEnds,
      approved,
      { type: 'call.started', callId: 'c', attempt: 1 },
      { type: 'call.ended', callId: 'c', outcome, output: 'x' },
    );
    expect(call(state)).toMatchObject({ isError, output: 'x', durationMs: 10 });
  });
});

describe('the progress of a tool', () => {
  const running: readonly EventBody[] = [
    ...answering,
    asks('c'),
    replyEnds,
    { type: 'approval.decided', callId: 'c', verdict: 'approved', decidedBy: 'policy' },
    { type: 'call.started', callId: 'c', attempt: 1 },
    { type: 'call.progress', callId: 'c', progress: 0.5 },
  ];
  const progressIn = (state: SessionState): unknown => findCall(state, 'c')?.call.progress;

  test('is shown while the tool runs, and not before', () => {
    expect(progressIn(foldBodies(...running))).toBe(0.5);
    expect(progressIn(foldBodies(...running.slice(0, -2), ...running.slice(-1)))).toBeUndefined();
  });

  test.each<[string, EventBody]>([
    ['it has ended', { type: 'call.ended', callId: 'c', outcome: 'succeeded' }],
    ['its run is cancelled', ends('cancelled')],
    ['its run is interrupted', ends('interrupted')],
    ['another run begins', { type: 'run.started', runId: 'r2' }],
  ])('is removed when %s', (_when, event) => {
    expect(findCall(foldBodies(...running, event), 'c')?.call).not.toHaveProperty('progress');
  });

  test('is ignored for an earlier attempt', () => {
    const state = foldBodies(...running, ends('interrupted'), { type: 'run.started', runId: 'r2', resumes: 'r' });
    const again = foldOn(state, { type: 'call.started', callId: 'c', attempt: 2 });
    expect(findCall(again, 'c')?.call).toMatchObject({ status: 'started', attempt: 2 });
    expect(findCall(again, 'c')?.call).not.toHaveProperty('progress');
  });
});

describe('a message that is sent during a run', () => {
  const queued = (id: string, mode: 'queue' | 'steer' = 'queue'): EventBody => ({
    type: 'message.queued',
    message: userMessage(id),
    mode,
  });
  const queueIn = ({ queue }: SessionState): readonly string[] =>
    queue.map(({ message, mode }) => `${mode} ${message.id}`);

  test('waits in order, each message once, and is not visible yet', () => {
    const state = foldBodies(...answering, queued('one'), queued('two', 'steer'), queued('one'));
    expect(queueIn(state)).toEqual(['steer two', 'queue one']);
    expect(state.messages.map(({ id }) => id)).toEqual(['q', 'a']);
  });

  test('leaves the queue when it is admitted, removed, or cleared with the conversation', () => {
    const state = foldBodies(...answering, queued('one'), queued('two'), queued('three'));
    const admitted = foldOn(state, { type: 'message.added', message: userMessage('two') });
    expect(queueIn(admitted)).toEqual(['queue one', 'queue three']);
    expect(admitted.messages.at(-1)?.id).toBe('two');
    expect(queueIn(foldOn(state, { type: 'message.unqueued', messageId: 'three' }))).toEqual([
      'queue one',
      'queue two',
    ]);
    expect(queueIn(foldOn(state, { type: 'session.cleared' }))).toEqual([]);
  });

  test('outlives its run', () => {
    expect(queueIn(foldBodies(...answering, queued('one'), ends('cancelled')))).toEqual(['queue one']);
  });
});

describe('a regeneration', () => {
  const again: readonly EventBody[] = [
    ...answered,
    { type: 'run.started', runId: 'r2' },
    { type: 'session.rewound', messageId: 'q' },
  ];

  test('hides the old answer', () => {
    expect(texts(foldBodies(...again))).toEqual(['q']);
  });

  test.each(['failed', 'cancelled', 'interrupted'] as const)(
    'restores the old answer when the run is %s without a new one',
    (outcome) => {
      const before = foldBodies(...answered);
      const state = foldBodies(...again, { type: 'reply.started', messageId: 'b' }, ends(outcome, 'r2'));
      expect(state.messages).toEqual(before.messages);
      expect(state.replaced).toEqual([]);
    },
  );

  test('restores the old answer when no reply had started', () => {
    expect(texts(foldBodies(...again, ends('failed', 'r2')))).toEqual(['q', 'A.']);
  });

  test.each<[string, EventBody]>([
    ['text', says('B')],
    ['thinking', { type: 'reasoning.delta', text: 'Hm' }],
    ['a call', asks('c')],
  ])('keeps %s that came before the end instead', (_what, body) => {
    const state = foldBodies(...again, { type: 'reply.started', messageId: 'b' }, body, ends('failed', 'r2'));
    expect(state.messages.map(({ id }) => id)).toEqual(['q', 'b']);
    expect(state.replaced).toEqual([]);
  });

  test('drops the old answer when the new one is complete', () => {
    const state = foldBodies(
      ...again,
      { type: 'reply.started', messageId: 'b' },
      says('B'),
      replyEnds,
      ends('failed', 'r2'),
    );
    expect(texts(state)).toEqual(['q', 'B']);
  });

  test('restores all later messages if an earlier user message was answered again', () => {
    const state = foldBodies(
      ...answered,
      { type: 'message.added', message: userMessage('q2') },
      { type: 'run.started', runId: 'r2' },
      { type: 'session.rewound', messageId: 'q' },
      ends('failed', 'r2'),
    );
    expect(state.messages.map(({ id }) => id)).toEqual(['q', 'a', 'q2']);
  });

  test('restores the old answer before the messages that were added meanwhile', () => {
    const state = foldBodies(...again, { type: 'message.added', message: userMessage('p') }, ends('cancelled', 'r2'));
    expect(state.messages.map(({ id }) => id)).toEqual(['q', 'a', 'p']);
  });

  test('restores the old answer after the answers to earlier messages', () => {
    const state = foldBodies(
      ...answered,
      { type: 'run.started', runId: 'r2' },
      { type: 'message.added', message: userMessage('q2') },
      { type: 'reply.started', messageId: 'b' },
      says('B.'),
      replyEnds,
      ends('completed', 'r2'),
      { type: 'session.rewound', messageId: 'q2' },
      { type: 'run.started', runId: 'r3' },
      ends('cancelled', 'r3'),
    );
    expect(texts(state)).toEqual(['q', 'A.', 'q2', 'B.']);
    expect(state.alternatives).toEqual([]);
  });

  test('restores the old answer, and keeps the answers before it as alternatives', () => {
    const regenerated = [...again, { type: 'reply.started', messageId: 'b' }, says('B'), replyEnds] as const;
    const second = foldBodies(...regenerated, ends('completed', 'r2'));
    const third = foldOn(
      second,
      { type: 'session.rewound', messageId: 'q' },
      { type: 'run.started', runId: 'r3' },
      ends('cancelled', 'r3'),
    );
    expect(third.messages).toEqual(second.messages);
    expect(third.alternatives).toEqual(second.alternatives);
    expect(third.alternatives.map(({ messages }) => messages[0]?.id)).toEqual(['a']);
    const imported = foldOn(second, { type: 'session.imported' }).alternatives;
    expect(imported).toMatchObject(second.alternatives);
    expect(imported[0]?.messages[0]?.origin).toEqual({ type: 'import' });
  });

  test('keeps the old answer while the new one is empty, and forgets its place when there is a new one', () => {
    const started = [...again, { type: 'reply.started', messageId: 'b' }] as const;
    expect(foldBodies(...started, replyEnds).replaced.map(({ id }) => id)).toEqual(['a']);
    expect(foldBodies(...started, says('B'), replyEnds).replaced).toEqual([]);
    const other = { type: 'message.added', message: userMessage('p') } as const;
    expect(foldBodies(...started, says('B'), other, replyEnds).replaced).toEqual([]);
    expect(foldBodies(...started, other, replyEnds).replaced.map(({ id }) => id)).toEqual(['a']);
  });

  test('leaves no empty reply behind, and keeps an empty message of the page', () => {
    const empty = { ...userMessage('p'), content: [] };
    const state = foldBodies(
      ...again,
      { type: 'reply.started', messageId: 'b' },
      replyEnds,
      { type: 'message.added', message: empty },
      { type: 'reply.started', messageId: 'c' },
      ends('failed', 'r2'),
    );
    expect(state.messages.map(({ id }) => id)).toEqual(['q', 'a', 'p']);
  });

  test('does not restore cleared messages', () => {
    const state = foldBodies(...again, { type: 'session.cleared' }, ends('cancelled', 'r2'));
    expect(state.messages).toEqual([]);
  });
});

describe('the fold', patient, () => {
  test.each([
    ['a log as an agent writes it', () => eventLogs()],
    ['any log', () => anyEvents],
  ])('returns the same state each time for %s, changes no argument, and returns plain JSON', (_what, logs) => {
    assertMeeting(
      { 'a message': 40 },
      (met) =>
        fc.property(logs(), (log) => {
          const state = fold(log);
          if (state.messages.length > 0) met('a message');
          expect(fold(structuredClone(log))).toEqual(state);
          expect(JSON.parse(JSON.stringify(state))).toStrictEqual(state);
          expect(state.seq).toBe(log.at(-1)?.seq ?? 0);
        }),
      runs,
    );
  });

  test('can stop anywhere and continue from a stored state', () => {
    assertMeeting(
      { 'a stop within a run': 20 },
      (met) =>
        fc.property(eventLogs(), fc.nat(90), (log, place) => {
          const halfway: SessionState = JSON.parse(JSON.stringify(fold(log.slice(0, place))));
          if (halfway.run !== undefined && halfway.run.outcome === undefined) met('a stop within a run');
          expect(fold(log.slice(place), halfway)).toEqual(fold(log));
        }),
      runs,
    );
  });

  test('never has two open replies, nor an open reply in a run that has ended', () => {
    assertMeeting(
      { 'an open reply': 100, 'an ended run': 100 },
      (met) =>
        fc.property(eventLogs(), (log) => {
          let state = initialState('s');
          for (const event of log) {
            state = evolve(state, event);
            const streaming = state.messages.filter(({ status }) => status === 'streaming').map(({ id }) => id);
            const open = state.run?.outcome === undefined ? (state.run?.openReply ?? '') : '';
            if (open !== '') met('an open reply');
            if (state.run?.outcome !== undefined) met('an ended run');
            if (streaming.join() !== open) expect(streaming).toEqual([open]);
          }
        }),
      runs,
    );
  });

  test('never reopens a call that has ended', () => {
    assertMeeting(
      { 'an event after the end of a call': 100 },
      (met) =>
        fc.property(eventLogs(), (log) => {
          const ended = new Map<string, string>();
          let state = initialState('s');
          for (const event of log) {
            state = evolve(state, event);
            if (ended.size > 0) met('an event after the end of a call');
            for (const { callId, status } of state.messages.flatMap(toolParts)) {
              const before = ended.get(callId) ?? status;
              if (before !== status) expect(status).toBe(before);
              if (isEnded(status)) ended.set(callId, status);
            }
          }
        }),
      runs,
    );
  });

  test('handles ids and names from Object.prototype like others', () => {
    const state = foldBodies(
      ...answering,
      {
        type: 'call.requested',
        callId: '__proto__',
        name: 'constructor',
        inputText: '{}',
        input: freeze(JSON.parse('{"__proto__":{"polluted":1}}')),
      },
      replyEnds,
      { type: 'approval.requested', callId: 'toString' },
      { type: 'approval.requested', callId: '__proto__' },
    );
    expect(callStatuses(state)).toEqual(['awaiting-approval']);
    expect(Object.keys(findCall(state, '__proto__')?.call.input ?? {})).toEqual(['__proto__']);
    expect({}).not.toHaveProperty('polluted');
  });

  test('of 20,000 deltas joined frame by frame equals the fold of the single deltas', () => {
    const log = stamp([...answering, ...Array.from({ length: 20_000 }, (_, n) => says(`${n} `))]);
    const joined: SessionState[] = [];
    let state = initialState('s');
    for (let at = 0; at < log.length; at += 50) {
      for (const event of coalesce(log.slice(at, at + 50))) state = evolve(state, event);
      joined.push(state);
    }
    expect(state).toEqual(log.reduce(evolve, initialState('s')));
    expect(joined).toHaveLength(401);
  });
});

test('a decision about a call that is not in the log leaves no rule', () => {
  const unknown: EventBody = {
    type: 'approval.decided',
    callId: 'x',
    verdict: 'approved',
    decidedBy: 'user',
    remember: 'session',
  };
  expect(foldBodies(...answering, unknown).approvalRules).toEqual([]);
});
