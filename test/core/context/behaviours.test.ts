import { defineTool, type Message } from 'brooklet';
import { dropOldest, keepTools } from 'brooklet/context';
import { reply, type Script } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { addTurns, allText, createStage, only, prose, textOf, words } from '../../support/context-stage.ts';
import { createGate } from '../../support/gate.ts';
import { settled } from '../../support/manual-client.ts';
import { problemsOnTheWire } from '../../support/wire.ts';

/** A window of 1,000 tokens: 900 are usable, 765 trigger a compaction, 540 are its target. One word is one token. */
const small = { contextWindow: 1_000, context: { countTokens: words } } as const;
const bulky = (size: number) =>
  defineTool({
    name: 'look',
    description: 'Looks.',
    input: { type: 'object', properties: {} },
    execute: () => prose(size, 'fish'),
  });

describe('compaction', () => {
  test('does nothing below the threshold', async () => {
    const { session, summaries, typesOf } = await createStage(small);
    addTurns(session, 3, 100);
    expect((await session.send('And now?')).outcome).toBe('completed');
    expect(summaries()).toHaveLength(0);
    expect(typesOf('context.')).toEqual([]);
  });

  test('does nothing if the window is unknown: only the provider reports an overflow', async () => {
    const { session, asked, typesOf } = await createStage(
      { scratch: 'now' },
      { chat: () => [reply.fail('CONTEXT_OVERFLOW')] },
    );
    addTurns(session, 50, 1_000);
    const { outcome, error } = await session.send('And now?');
    expect([outcome, error?.code]).toEqual(['failed', 'CONTEXT_OVERFLOW']);
    expect(asked()).toHaveLength(1);
    expect(typesOf('context.')).toEqual([]);
  });

  test('compacts old messages when the next request would exceed the trigger, and keeps the recent tail', async () => {
    const { session, asked, events, summaries } = await createStage(small);
    addTurns(session, 8, 45);
    expect((await session.send('And now?')).outcome).toBe('completed');
    expect(summaries()).toHaveLength(1);
    const [compacted] = only(events, 'context.compacted');
    expect(compacted).toMatchObject({ cause: 'trigger', strategy: 'summarize', usage: { input: 50, output: 5 } });
    expect(compacted?.tokens.before).toBeGreaterThan(765);
    expect(compacted?.tokens.after).toBeLessThan(540);
    const [request] = asked();
    const texts = request?.messages.map(textOf) ?? [];
    expect(texts[0]).toContain('They talked about boats.');
    expect(texts[0]).not.toContain('question 1 ');
    expect(texts.at(-2)).toContain('answer 8');
    expect(texts.at(-1)).toBe('And now?');
  });

  test('does not change the visible message list', async () => {
    const { session } = await createStage(small);
    addTurns(session, 8, 45);
    const before = session.getMessages();
    await session.send('And now?');
    expect(session.getMessages().slice(0, 16)).toEqual(before);
    expect(session.getMessages()).toHaveLength(18);
  });

  test('cuts at the start of a run: the tail starts with a user message', async () => {
    const { session, asked, events } = await createStage(small);
    addTurns(session, 8, 45);
    await session.send('And now?');
    const through = only(events, 'context.compacted')[0]?.through;
    expect(through).toMatch(/^a\d$/);
    expect(problemsOnTheWire(asked()[0]?.messages ?? [])).toEqual([]);
  });

  test('cuts a run that is longer than the window between its steps; its user message stays verbatim, and no call loses its result', async () => {
    const steps = 12;
    const { session, asked, events } = await createStage(
      { ...small, tools: [bulky(80)], maxSteps: 20, context: { ...small.context, toolOutput: 200 } },
      { chat: (_request, index): Script => (index < steps ? [reply.call('look')] : [reply.text('Done.')]) },
    );
    expect((await session.send('How many fish are there in exactly this pond?')).outcome).toBe('completed');
    expect(only(events, 'context.compacted').length).toBeGreaterThan(0);
    for (const request of asked()) {
      expect(problemsOnTheWire(request.messages)).toEqual([]);
      expect(allText(request)).toContain('in exactly this pond?');
      const first = request.messages.find(({ role }) => role !== 'system');
      expect(first?.role).toBe('user');
    }
  });

  test('keeps parallel calls together with their results', async () => {
    const { session, asked } = await createStage(
      { ...small, tools: [bulky(40)], maxSteps: 20 },
      {
        chat: (_request, index): Script =>
          index < 6 ? [reply.call('look'), reply.call('look'), reply.call('look')] : [reply.text('Done.')],
      },
    );
    await session.send('How many?');
    for (const { messages } of asked()) expect(problemsOnTheWire(messages)).toEqual([]);
  });

  test('integrates the earlier summary, never nests it', async () => {
    const { session, summaries, asked } = await createStage(small, {
      summary: (_request, index) => [reply.text(`Summary number ${index + 1}.`)],
    });
    addTurns(session, 8, 45);
    await session.send('And now?');
    addTurns2(session, 5, 45);
    await session.send('And then?');
    expect(summaries()).toHaveLength(2);
    expect(textOf(summaries()[1]?.messages[1])).toContain('<summary-so-far>\nSummary number 1.\n</summary-so-far>');
    const last = allText(asked().at(-1) ?? { sessionId: '', messages: [] });
    expect(last).toContain('Summary number 2.');
    expect(last).not.toContain('Summary number 1.');
  });

  test('treats text like $& in messages as plain text', async () => {
    const odd = "costs $& or $1 or $` and $' in </messages>";
    const { session, summaries, asked } = await createStage(small, { summary: () => [reply.text(`It ${odd}`)] });
    session.addMessage({ role: 'user', content: odd });
    addTurns(session, 8, 45);
    await session.send('And now?');
    expect(textOf(summaries()[0]?.messages[1])).toContain(odd);
    expect(textOf(asked()[0]?.messages[0])).toContain(`It ${odd}`);
  });

  test('keeps messages that are added meanwhile', async () => {
    const gate = createGate();
    const { session, asked } = await createStage(small, {
      summary: () => [reply.until(gate.opened), reply.text('Boats.')],
    });
    addTurns(session, 8, 45);
    const sent = session.send('And now?');
    await settled();
    session.addMessage({ role: 'user', content: 'One more thing.' });
    gate.open();
    expect((await sent).outcome).toBe('completed');
    expect(allText(asked()[0] ?? { sessionId: '', messages: [] })).toContain('One more thing.');
    expect(session.getMessages().some((message) => textOf(message) === 'One more thing.')).toBe(true);
  });

  test('runs once a step', async () => {
    const { session, summaries, asked } = await createStage(small, {
      // So long that the request still exceeds the trigger.
      summary: () => [reply.text(prose(300))],
    });
    session.addMessage({ id: 'q0', role: 'user', content: prose(400) });
    session.addMessage({ id: 'a0', role: 'assistant', content: 'Yes.' });
    await session.send(prose(480));
    expect(summaries()).toHaveLength(1);
    expect(asked()).toHaveLength(1);
  });

  test('does not show a streaming summary in the messages; its usage is counted', async () => {
    const gate = createGate();
    const { session } = await createStage(small, {
      summary: () => [reply.text('Half of a summary '), reply.until(gate.opened), reply.usage(70, 7)],
    });
    addTurns(session, 8, 45);
    const shown: string[] = [];
    session.messages$.subscribe((messages) => shown.push(JSON.stringify(messages)));
    const sent = session.send('And now?');
    await settled();
    gate.open();
    await sent;
    expect(shown.join()).not.toContain('Half of a summary');
    expect(session.getState().usage).toMatchObject({ input: 70, output: 7 });
    expect(session.getState().run?.usage).toMatchObject({ input: 70, output: 7 });
  });
});

function addTurns2(session: Parameters<typeof addTurns>[0], turns: number, size: number): void {
  for (let turn = 1; turn <= turns; turn++) {
    session.addMessage({ role: 'user', content: `later ${turn} ${prose(size)}` });
    session.addMessage({ role: 'assistant', content: `later answer ${turn} ${prose(size)}` });
  }
}

describe('a compaction without a result', () => {
  test.each<[string, Script, string]>([
    ['fails', [reply.fail('OVERLOADED')], 'OVERLOADED'],
    ['breaks off', [reply.text('Half'), reply.cut()], 'STREAM_INTERRUPTED'],
    ['says nothing', [reply.text('  \n ')], 'COMPACTION_FAILED'],
    ['is cut short', [reply.text('Half'), reply.finish('length')], 'COMPACTION_FAILED'],
    ['was filtered', [reply.text('Half'), reply.finish('content-filter')], 'COMPACTION_FAILED'],
    ['calls a tool', [reply.call('look')], 'COMPACTION_FAILED'],
    ['is no shorter', [reply.text(prose(2_000))], 'COMPACTION_FAILED'],
  ])('changes nothing because the summary %s, and reports the reason', async (_what, summary, code) => {
    const { session, asked, events } = await createStage(small, { summary: () => summary });
    addTurns(session, 8, 45);
    const whole = [...session.getMessages()];
    expect((await session.send('And now?')).outcome).toBe('completed');
    expect(only(events, 'context.compacted')).toEqual([]);
    expect(only(events, 'context.compaction-failed')).toMatchObject([{ cause: 'trigger', error: { code } }]);
    // Byte for byte the request that would have been sent without the compaction.
    expect(JSON.stringify(asked()[0]?.messages.slice(0, -1))).toBe(JSON.stringify(whole));
  });

  test('leaves everything unchanged after a cancel, and the summary request is aborted', async () => {
    const gate = createGate();
    const { session, client, events } = await createStage(small, { summary: () => [reply.until(gate.opened)] });
    addTurns(session, 8, 45);
    const sent = session.send('And now?');
    await settled();
    session.cancel();
    expect((await sent).outcome).toBe('cancelled');
    expect(client.aborted).toBe(1);
    gate.open();
    await settled();
    expect(events.at(-1)?.type).toBe('run.ended');
    expect(only(events, 'context.compacted')).toEqual([]);
  });

  test('has a timeout of its own', async () => {
    const { session, ports, events } = await createStage(
      { ...small, context: { ...small.context, summaryTimeout: 5_000 } },
      { summary: () => [reply.until(new Promise(() => {}))] },
    );
    addTurns(session, 8, 45);
    const sent = session.send('And now?');
    await settled();
    ports.pass(5_000);
    expect((await sent).outcome).toBe('completed');
    expect(only(events, 'context.compaction-failed')).toMatchObject([{ error: { code: 'REQUEST_TIMEOUT' } }]);
  });

  test('opens the circuit breaker after two failures in a row: no summary is requested until one is unavoidable', async () => {
    const { session, summaries } = await createStage(small, { summary: () => [reply.fail('OVERLOADED')] });
    addTurns(session, 8, 44);
    await session.send('One');
    await session.send('Two');
    await session.send('Three');
    await session.send('Four');
    expect(summaries()).toHaveLength(2);
    expect(session.getContext()?.isPaused).toBe(true);
  });

  test('fails the run, before a request is sent, if the next request would not fit', async () => {
    const { session, asked } = await createStage(small, { summary: () => [reply.fail('OVERLOADED')] });
    addTurns(session, 12, 50);
    const { outcome, error } = await session.send('And now?');
    expect([outcome, error?.code]).toEqual(['failed', 'CONTEXT_OVERFLOW']);
    expect(asked()).toHaveLength(0);
  });
});

describe('an overflow that only the provider reports', () => {
  test('ends the run where the reply has begun, and is no reason to repeat the request', async () => {
    const { session, asked, typesOf } = await createStage(small, {
      chat: () => [reply.text('Half'), reply.fail('CONTEXT_OVERFLOW')],
    });
    addTurns(session, 5, 50);
    const { outcome, error } = await session.send('And now?');
    expect([outcome, error?.code]).toEqual(['interrupted', 'CONTEXT_OVERFLOW']);
    expect(asked()).toHaveLength(1);
    expect(typesOf('reply.refused')).toEqual([]);
  });

  test('is the only error that causes a compaction', async () => {
    const { session, asked, summaries, typesOf } = await createStage(small, {
      chat: () => [reply.fail('LLM_API_ERROR')],
    });
    addTurns(session, 5, 50);
    expect((await session.send('And now?')).outcome).toBe('failed');
    expect([asked().length, summaries().length, typesOf('reply.refused')]).toEqual([1, 0, []]);
  });

  test('causes one compaction and one retry, in the same run', async () => {
    const { session, asked, summaries, events, typesOf } = await createStage(small, {
      chat: (_request, index) => (index === 0 ? [reply.fail('CONTEXT_OVERFLOW')] : [reply.text('Now it fits.')]),
    });
    addTurns(session, 5, 50);
    const { outcome, message } = await session.send('And now?');
    expect(outcome).toBe('completed');
    expect(textOf(message)).toBe('Now it fits.');
    expect([asked().length, summaries().length]).toEqual([2, 1]);
    expect(only(events, 'context.compacted')).toMatchObject([{ cause: 'overflow' }]);
    expect(typesOf('run.')).toEqual(['run.started', 'run.ended']);
    expect(session.getMessages().filter(({ role }) => role === 'assistant')).toHaveLength(6);
  });

  test('is retried once: the second overflow fails the run', async () => {
    const { session, asked } = await createStage(small, { chat: () => [reply.fail('CONTEXT_OVERFLOW')] });
    addTurns(session, 5, 50);
    const { outcome, error } = await session.send('And now?');
    expect([outcome, error?.code]).toEqual(['failed', 'CONTEXT_OVERFLOW']);
    expect(asked()).toHaveLength(2);
    expect(session.getMessages().at(-1)?.role).toBe('user');
  });

  test('is handled without a known window too, if autoCompress is on', async () => {
    const { session, asked } = await createStage(
      { autoCompress: true, context: { countTokens: words } },
      { chat: (_request, index) => (index === 0 ? [reply.fail('CONTEXT_OVERFLOW')] : [reply.text('Yes.')]) },
    );
    addTurns(session, 5, 50);
    expect((await session.send('And now?')).outcome).toBe('completed');
    const [first, second] = asked().map((request) => words(allText(request)));
    expect(second).toBeLessThan((first ?? 0) * 0.7);
  });
});

describe('without autoCompress', () => {
  test('a request that does not fit is not sent: CONTEXT_OVERFLOW', async () => {
    const { session, client } = await createStage({ ...small, autoCompress: false });
    addTurns(session, 12, 50);
    const { outcome, error } = await session.send('And now?');
    expect([outcome, error?.code]).toEqual(['failed', 'CONTEXT_OVERFLOW']);
    expect(client.requests).toHaveLength(0);
  });

  test('a request that fits is sent, however full', async () => {
    const { session, client } = await createStage({ ...small, autoCompress: false });
    addTurns(session, 8, 45);
    expect((await session.send('And now?')).outcome).toBe('completed');
    expect(client.requests).toHaveLength(1);
  });

  test('the option can be set for one run', async () => {
    const { session } = await createStage(small);
    addTurns(session, 12, 50);
    expect((await session.send('And now?', { autoCompress: false })).error?.code).toBe('CONTEXT_OVERFLOW');
    // The same option counts again; another one is laid over it.
    expect((await session.resume()).error?.code).toBe('CONTEXT_OVERFLOW');
    expect((await session.resume({ autoCompress: true })).outcome).toBe('completed');
  });
});

describe('scratch', () => {
  test('is last in the request and nowhere else: not in events, not in the visible messages', async () => {
    const { session, asked, events } = await createStage({ scratch: 'It is Tuesday, 9:00.' });
    await session.send('What day is it?');
    const last = asked()[0]?.messages.at(-1);
    expect(last?.content.at(-1)).toEqual({ type: 'text', text: 'It is Tuesday, 9:00.' });
    expect(JSON.stringify([events, session.getState()])).not.toContain('Tuesday');
  });

  test('is requested again before each request, and counted', async () => {
    let asks = 0;
    const { session, asked, events } = await createStage(
      { ...small, tools: [bulky(3)], scratch: () => `request ${++asks} ${prose(20)}` },
      { chat: (_request, index) => (index === 0 ? [reply.call('look')] : [reply.text('Done.')]) },
    );
    await session.send('Look.');
    const said = asked().map(({ messages }) => textOf(messages.at(-1)).match(/request \d+/)?.[0]);
    expect(new Set(said).size).toBe(2);
    expect(only(events, 'reply.started').map(({ context }) => context?.scratch)).toEqual([22, 22]);
    expect(asked()[1]?.messages.at(-1)?.role).toBe('user');
  });

  test('may be set for one run', async () => {
    const { session, asked } = await createStage({});
    await session.send('One', { scratch: 'only now' });
    await session.send('Two');
    expect(asked().map((request) => allText(request).includes('only now'))).toEqual([true, false]);
  });

  test('counts towards the threshold', async () => {
    const { session, summaries } = await createStage(small);
    addTurns(session, 6, 50);
    await session.send('And now?', { scratch: prose(200) });
    expect(summaries()).toHaveLength(1);
  });
});

describe('tool outputs', () => {
  test('that are huge are cut for the model to head and tail with a reference, and whole for people', async () => {
    const { session, asked } = await createStage(
      { ...small, tools: [bulky(5_000)], context: { ...small.context, toolOutput: 100 } },
      { chat: (_request, index) => (index === 0 ? [reply.call('look')] : [reply.text('Done.')]) },
    );
    await session.send('Look.');
    const sent = allText(asked()[1] ?? { sessionId: '', messages: [] });
    expect(words(sent)).toBeLessThan(150);
    expect(sent).toContain('in full in message m2');
    expect(JSON.stringify(session.getMessages()).split('fish')).toHaveLength(5_001);
  });

  test('of many calls share the limit of one output', async () => {
    const { session, asked } = await createStage(
      { contextWindow: 10_000, tools: [bulky(2_000)], context: { countTokens: words, toolOutput: 1_000 } },
      {
        chat: (_request, index) =>
          index === 0 ? [1, 2, 3, 4, 5].map(() => reply.call('look')) : [reply.text('Done.')],
      },
    );
    await session.send('Look.');
    expect(words(allText(asked()[1] ?? { sessionId: '', messages: [] }))).toBeLessThan(1_200);
  });

  test('that are old are pruned by a compaction only, never the newest, always with the same text', async () => {
    const { session, asked, events, summaries } = await createStage(
      { ...small, tools: [bulky(150)], maxSteps: 20, context: { ...small.context, toolOutput: 400 } },
      { chat: (_request, index) => (index < 5 ? [reply.call('look')] : [reply.text('Done.')]) },
    );
    await session.send('Look.');
    const [first] = only(events, 'context.compacted');
    expect(first).toMatchObject({ strategy: 'prune' });
    expect(summaries()).toHaveLength(0);
    const sent = asked().map((request) => allText(request));
    const at = sent.findIndex((text) => text.includes('left out to save room'));
    expect(at).toBe(5);
    // The newest two stay whole.
    expect(sent[at]?.split('fish')).toHaveLength(301);
    expect(JSON.stringify(session.getMessages()).split('fish')).toHaveLength(751);
  });
});

describe('within a run', () => {
  test('each request starts with the previous one, except for scratch', async () => {
    const { session, asked } = await createStage(
      { ...small, tools: [bulky(20)], instructions: 'Be brief.' },
      { chat: (_request, index) => (index % 4 < 3 ? [reply.call('look')] : [reply.text('Done.')]) },
    );
    for (const question of ['One', 'Two', 'Three']) await session.send(question);
    const bodies = asked().map(({ messages }) => messages.map((message) => JSON.stringify(message)));
    for (const [index, body] of bodies.entries())
      if (index % 4 > 0) expect(body.slice(0, bodies[index - 1]?.length)).toEqual(bodies[index - 1]);
  });
});

describe('undo', () => {
  test('returns the compacted messages to the model; the list never shrinks', async () => {
    const { session, asked } = await createStage({
      ...small,
      context: { ...small.context, trigger: 0.6, target: 0.4 },
    });
    addTurns(session, 6, 50);
    await session.send('And now?');
    const [compaction] = session.getContext()?.compactions ?? [];
    expect(allText(asked()[0] ?? { sessionId: '', messages: [] })).not.toContain('question 1 ');
    const before: readonly Message[] = session.getMessages();
    session.restoreContext(compaction?.compactionId ?? '');
    expect(session.getMessages()).toEqual(before);
    expect(session.getContext()).toMatchObject({ compactions: [], foldedMessages: 0 });
    await session.send('Again?');
    expect(allText(asked()[1] ?? { sessionId: '', messages: [] })).toContain('question 1 ');
  });

  test('of an earlier compaction undoes the later ones too', async () => {
    const { session } = await createStage(small);
    addTurns(session, 8, 45);
    await session.send('And now?');
    addTurns2(session, 8, 45);
    await session.send('And then?');
    const compactions = session.getContext()?.compactions ?? [];
    expect(compactions).toHaveLength(2);
    session.restoreContext(compactions[0]?.compactionId ?? '');
    expect(session.getContext()?.compactions).toEqual([]);
  });

  test('is not reversed by the next request, as long as the request fits', async () => {
    const { session, summaries } = await createStage(small);
    addTurns(session, 8, 45);
    await session.send('And now?');
    session.restoreContext(session.getContext()?.compactions[0]?.compactionId ?? '');
    await session.send('Again?');
    expect(summaries()).toHaveLength(1);
  });

  test('happens by itself when a compacted user message is answered again', async () => {
    const { session, asked } = await createStage(small);
    addTurns(session, 8, 45);
    await session.send('And now?');
    await session.regenerate('q2');
    const text = allText(asked().at(-1) ?? { sessionId: '', messages: [] });
    expect(text).toContain('question 1 ');
    expect(text).not.toContain('They talked about boats.');
  });
});

describe('the immutable zone', () => {
  test('rejects edits, and is kept by clear()', async () => {
    const { session, asked } = await createStage({
      ...small,
      instructions: 'Be brief.',
      presets: [
        { role: 'user', content: 'Example question' },
        { role: 'assistant', content: 'Example answer' },
      ],
    });
    await session.send('One');
    const version = session.getContext()?.zones.immutable.version;
    for (const id of ['instructions', 'preset-1', 'preset-2'])
      expect(() => session.updateMessage(id, (message) => message)).toThrow(
        expect.objectContaining({ code: 'MESSAGE_NOT_FOUND' }),
      );
    session.clear();
    await session.send('Two');
    expect(asked()[1]?.messages.map(textOf)).toEqual(['Be brief.', 'Example question', 'Example answer', 'Two']);
    expect(session.getContext()?.zones.immutable.version).toBe(version);
  });

  test('has another version if its content differs', async () => {
    const versionOf = async (instructions: string): Promise<string | undefined> => {
      const { session } = await createStage({ ...small, instructions });
      await session.send('One');
      return session.getContext()?.zones.immutable.version;
    };
    expect(await versionOf('Be brief.')).toBe(await versionOf('Be brief.'));
    expect(await versionOf('Be brief.')).not.toBe(await versionOf('Be kind.'));
  });
});

describe('pinned messages', () => {
  test('are never compacted: every request contains them verbatim', async () => {
    const { session, asked } = await createStage(small);
    session.addMessage({ id: 'fact', role: 'user', content: 'The code of the gate is 4711.' });
    session.addMessage({ id: 'noted', role: 'assistant', content: 'Noted.' });
    session.pin('fact');
    for (let round = 0; round < 5; round++) {
      addTurns2(session, 8, 45);
      await session.send(`Round ${round}`);
      expect(allText(asked().at(-1) ?? { sessionId: '', messages: [] })).toContain('The code of the gate is 4711.');
    }
    session.pin('fact', false);
    await session.send('And now?');
    expect(allText(asked().at(-1) ?? { sessionId: '', messages: [] })).not.toContain('4711');
  });

  test('stay together with the system messages between them', async () => {
    const { session, asked } = await createStage(small);
    session.addMessage({ role: 'system', content: 'The user is a sailor.' });
    addTurns(session, 8, 45);
    await session.send('And now?');
    expect(asked()[0]?.messages[0]).toMatchObject({ role: 'system' });
    expect(textOf(asked()[0]?.messages[0])).toBe('The user is a sailor.');
  });
});

describe('strategies', () => {
  test('dropOldest sends no summary request', async () => {
    const { session, asked, summaries, events } = await createStage({
      ...small,
      context: { ...small.context, strategy: dropOldest },
    });
    addTurns(session, 8, 45);
    await session.send('And now?');
    expect(summaries()).toHaveLength(0);
    expect(only(events, 'context.compacted')).toMatchObject([{ strategy: 'dropOldest' }]);
    expect(allText(asked()[0] ?? { sessionId: '', messages: [] })).toContain('Nothing is known of messages m1 to');
  });

  test('keepTools keeps a line for each call, also for those of the previous compaction', async () => {
    const { session, asked } = await createStage(
      { ...small, tools: [bulky(5)], context: { ...small.context, strategy: keepTools } },
      {
        chat: ({ messages }) =>
          textOf(messages.at(-1)).includes('Look') ? [reply.call('look')] : [reply.text('Yes.')],
      },
    );
    await session.send('Look.');
    for (let round = 0; round < 3; round++) {
      addTurns2(session, 8, 45);
      await session.send('And now?');
    }
    const text = allText(asked().at(-1) ?? { sessionId: '', messages: [] });
    expect(text).toContain('m2 look({}) → succeeded: fish fish fish fish fish');
    expect(text.split('look({})')).toHaveLength(2);
  });

  test('a custom strategy receives its arguments', async () => {
    const { session, asked, events } = await createStage({
      ...small,
      context: {
        ...small.context,
        strategy: async ({ messages, ask }) =>
          `${messages.length} messages: ${(await ask('You write the summary in verse.', 'Go')).text}`,
      },
    });
    addTurns(session, 8, 45);
    await session.send('And now?');
    expect(only(events, 'context.compacted')).toMatchObject([{ strategy: 'own', usage: { input: 50 } }]);
    expect(textOf(asked()[0]?.messages[0])).toMatch(/\d+ messages: They talked about boats\./);
  });

  test('a hook may edit the summary before it is used, and reject it', async () => {
    const edited = await createStage({
      ...small,
      context: { ...small.context, editSummary: (summary) => summary.replace('boats', 'ships') },
    });
    addTurns(edited.session, 8, 50);
    await edited.session.send('And now?');
    expect(textOf(edited.asked()[0]?.messages[0])).toContain('They talked about ships.');

    const refused = await createStage({
      ...small,
      context: {
        ...small.context,
        editSummary: () => {
          throw new Error('not good enough');
        },
      },
    });
    addTurns(refused.session, 8, 50);
    await refused.session.send('And now?');
    expect(only(refused.events, 'context.compaction-failed')).toMatchObject([
      { error: { message: 'not good enough' } },
    ]);
  });

  test('another client may write the summaries', async () => {
    const other = await createStage({});
    const { session, summaries } = await createStage({
      ...small,
      model: 'large',
      context: { ...small.context, summarizer: { client: other.client, model: 'small' } },
    });
    addTurns(session, 8, 45);
    await session.send('And now?');
    expect(summaries()).toHaveLength(0);
    expect(other.summaries()).toMatchObject([{ model: 'small' }]);
  });

  test('a history too long for one summary request is summarized in chunks', async () => {
    const { session, summaries, asked } = await createStage(small, {
      summary: (_request, index) => [reply.text(`Summary ${index + 1}.`)],
    });
    addTurns(session, 60, 50);
    expect((await session.send('And now?')).outcome).toBe('completed');
    expect(summaries().length).toBeGreaterThan(5);
    for (const request of summaries()) expect(words(allText(request))).toBeLessThan(900);
    expect(textOf(asked()[0]?.messages[0])).toContain(`Summary ${summaries().length}.`);
  });
});

describe('a compaction on request', () => {
  test('is a run of its own without a request to the model', async () => {
    const { session, asked, summaries, events } = await createStage(small);
    addTurns(session, 4, 50);
    const { outcome } = await session.compact();
    expect(outcome).toBe('completed');
    expect([asked().length, summaries().length]).toEqual([0, 1]);
    expect(only(events, 'context.compacted')).toMatchObject([{ cause: 'user' }]);
    expect(session.getStatus()).toBe('idle');
  });

  test('reports when there is nothing to compact', async () => {
    const { session, events } = await createStage(small);
    session.addMessage({ role: 'user', content: 'Hello' });
    expect(await session.compact()).toMatchObject({ outcome: 'failed', error: { code: 'INVALID_INPUT' } });
    expect(only(events, 'context.compaction-failed')).toMatchObject([
      { cause: 'user', error: { code: 'INVALID_INPUT' } },
    ]);
  });

  test.each<[string, Script, string]>([
    ['is empty', [reply.text(' ')], 'COMPACTION_FAILED'],
    ['breaks off', [reply.text('Half'), reply.cut()], 'STREAM_INTERRUPTED'],
    ['fails', [reply.fail('OVERLOADED')], 'OVERLOADED'],
  ])(
    'that fails because the summary %s states the reason in its result and in the report',
    async (_, summary, code) => {
      let script: Script = summary;
      const { session } = await createStage(small, { summary: () => script });
      addTurns(session, 4, 50);
      const { outcome, error } = await session.compact();
      expect([outcome, error?.code]).toEqual(['failed', code]);
      expect(session.getContext()?.failure).toMatchObject({ code });
      // Nothing has changed, and nothing is to be resumed.
      expect(session.getStatus()).toBe('idle');

      script = [reply.text('Boats.')];
      expect((await session.compact()).outcome).toBe('completed');
      expect(session.getContext()).not.toHaveProperty('failure');
    },
  );

  test('that fails with an error of a custom strategy has the error as its cause', async () => {
    const bug = new TypeError('no text');
    const strategy = (): string => {
      throw bug;
    };
    const { session } = await createStage({ ...small, context: { ...small.context, strategy } });
    addTurns(session, 4, 50);
    expect((await session.compact()).error).toMatchObject({ code: 'COMPACTION_FAILED', cause: bug });
  });

  test('that fails does not stop the queue', async () => {
    const gate = createGate();
    const { session, asked } = await createStage(small, { summary: () => [reply.until(gate.opened), reply.text(' ')] });
    addTurns(session, 4, 50);
    const compacted = session.compact();
    await settled();
    const queued = session.send('And then?', { whenBusy: 'queue' });
    gate.open();
    expect((await compacted).outcome).toBe('failed');
    expect((await queued).outcome).toBe('completed');
    expect(asked()).toHaveLength(1);
  });

  test('can be cancelled', async () => {
    const { session, client, events } = await createStage(small, {
      summary: () => [reply.until(new Promise(() => {}))],
    });
    addTurns(session, 4, 50);
    const done = session.compact();
    await settled();
    expect(session.getStatus()).toBe('running');
    session.cancel();
    expect((await done).outcome).toBe('cancelled');
    expect(client.aborted).toBe(1);
    expect(only(events, 'context.compacted')).toEqual([]);
  });
});
