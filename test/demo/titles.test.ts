import { type Agent, type AgentSession, createAgent } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { describe, expect, it, vi } from 'vitest';
import { cheapModelOf } from '../../demo/src/model/cheapModel.ts';
import { spendingOf } from '../../demo/src/settings/spending.ts';
import { titleSessions, toTitle, writeTitle, type WrittenTitle } from '../../demo/src/sessions/titles.ts';
import { settled } from '../support/manual-client.ts';

const question = 'How do I keep the dates of files that a script renames?';
const written: WrittenTitle = { title: 'Keep the dates', usage: { input: 90, output: 5 }, model: 'small' };

interface Stage {
  readonly agent: Agent;
  readonly session: AgentSession;
  readonly write: ReturnType<typeof vi.fn<Parameters<typeof titleSessions>[1]>>;
}

async function stage(answers: Parameters<typeof createScriptedClient>[0] = () => [reply.text('So.')]): Promise<Stage> {
  const agent = createAgent({ client: createScriptedClient(answers), store: createMemoryStore() });
  const write = vi.fn<Parameters<typeof titleSessions>[1]>(async () => written);
  titleSessions(agent, write);
  return { agent, session: await agent.openSession(agent.createSession({ metadata: { labels: ['work'] } })), write };
}

describe('the title of a conversation', () => {
  it('is written once, after the first answer, and noted with what it has cost', async () => {
    const { agent, session, write } = await stage();
    await session.send(question);
    await settled();
    expect(session.getState()).toMatchObject({
      title: 'Keep the dates',
      metadata: { labels: ['work'], titleUsage: { input: 90, output: 5, model: 'small' } },
    });
    await session.send('And in another folder?');
    await settled();
    expect(write).toHaveBeenCalledTimes(1);
    await session.flushed();
    const costOf = vi.fn<() => number>(() => 1);
    const { events = [] } = (await agent.store?.read(session.id)) ?? {};
    const { input, output } = spendingOf(events, costOf);
    const { input: before, output: outputBefore } = spendingOf(
      events.filter(({ type }) => type !== 'metadata.changed'),
      costOf,
    );
    expect([input - before, output - outputBefore]).toEqual([90, 5]);
  });

  it('does not move the conversation in the list', async () => {
    const { session } = await stage();
    await session.send(question);
    const { updatedAt } = session.getState();
    await settled();
    expect(session.getState()).toMatchObject({ title: 'Keep the dates', updatedAt });
  });

  it('stays where a person has given one, before the answer or while the title was written', async () => {
    const { session, write } = await stage();
    session.rename('Mine');
    await session.send(question);
    await settled();
    expect(write).not.toHaveBeenCalled();
    const other = await stage();
    other.write.mockImplementation(async () => {
      other.session.rename('Mine');
      return written;
    });
    await other.session.send(question);
    await settled();
    expect(other.session.getState().title).toBe('Mine');
    expect(other.session.getState().metadata).toEqual({ labels: ['work'] });
  });

  it.each([
    ['a message that is short enough', 'Hello!'],
    ['a title that cannot be written', question],
  ])('is the beginning of the first message: %s', async (_what, text) => {
    const { session, write } = await stage();
    write.mockRejectedValue(new Error('No.'));
    await session.send(text);
    await settled();
    expect(session.getState().title).toBe(text);
    expect(write).toHaveBeenCalledTimes(text === question ? 1 : 0);
    // Not tried again, and the page goes on.
    await session.regenerate();
    await settled();
    expect(write).toHaveBeenCalledTimes(text === question ? 1 : 0);
  });

  it('is not written for a run that failed', async () => {
    const { session, write } = await stage([[reply.fail('OVERLOADED', 'Busy.')]]);
    await session.send(question);
    await settled();
    expect(write).not.toHaveBeenCalled();
  });
});

describe('the request for a title', () => {
  it('has the first question and answer, no tools, few tokens, and the model that is asked', async () => {
    const { session } = await stage(() => [reply.text('Use touch -r. '.repeat(200))]);
    await session.send(question);
    const client = createScriptedClient([[reply.text('"Keep the dates"')]]);
    const { title } = await writeTitle(session, client, 'small');
    expect(title).toBe('Keep the dates');
    const [request] = client.requests;
    expect(request).toMatchObject({ model: 'small', maxTokens: 400, sessionId: session.id });
    expect(request?.tools).toBeUndefined();
    const asked = JSON.stringify(request?.messages);
    expect(asked).toContain(question);
    expect(asked.length).toBeLessThan(2_500);
  });

  it.each([
    ['Keep the dates', 'Keep the dates'],
    ['  "Keep the dates."\nBecause …', 'Keep the dates'],
    ['**Title: Keep the dates**', 'Title: Keep the dates'],
    ['Title: Keep the dates', 'Keep the dates'],
    ['标题：保留日期。', '保留日期'],
    ['a\u202Eb', 'ab'],
    ['', ''],
    ['x'.repeat(90), `${'x'.repeat(59)}…`],
  ])('makes a title of %j', (text, title) => {
    expect(toTitle(text)).toBe(title);
  });

  it('goes to the cheapest model of the service, where the prices are known', () => {
    const at = (providerId: string, baseURL: string, model: string) =>
      cheapModelOf({ providerId, baseURL, model, needsKey: true });
    expect(at('openai', 'https://api.openai.com/v1', 'gpt-5-mini')).toBe('gpt-5-nano');
    expect(at('openai', 'https://api.openai.com/v1', 'gpt-5-nano')).toBeUndefined();
    expect(at('openai', 'https://proxy.example/v1', 'gpt-5-mini')).toBeUndefined();
    expect(at('openai', 'https://api.openai.com/v1', 'unknown')).toBeUndefined();
    expect(at('custom', 'https://api.openai.com/v1', 'gpt-5-mini')).toBeUndefined();
  });
});
