import { AgentError, createAgent, defineTool, type LLMClient } from 'brooklet';
import { createRecordedClient, createScriptedClient, type Fixture, record, reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';

const look = defineTool({
  name: 'look',
  description: 'Looks something up.',
  input: { type: 'object' },
  execute: () => 'The sky is blue.',
});

const script = [
  [reply.reasoning('I should look.'), reply.call('look', { what: 'sky' }), reply.usage(20, 5)],
  [reply.text('The sky is blue, and that is all.', { size: 3 })],
];

/** Plays a session of two requests, and returns what the person saw. */
async function play(client: LLMClient, question = 'Which colour has the sky?'): Promise<string> {
  const agent = createAgent({ client, tools: [look], instructions: 'Be brief.' });
  const session = await agent.openSession(agent.createSession());
  const { outcome, error } = await session.send(question);
  if (error) throw error;
  const shown = session.getMessages().map(({ content }) => content.map((part) => ('text' in part ? part.text : '')));
  return `${outcome}: ${shown.flat().join('|')}`;
}

async function recordPlay(): Promise<Fixture> {
  const client = record(createScriptedClient(script));
  await play(client);
  const fixture: Fixture = JSON.parse(JSON.stringify(client.getFixture()));
  return fixture;
}

describe('a recorded client', () => {
  test('answers as the recorded one, through JSON', async () => {
    const fixture = await recordPlay();
    expect(await play(createRecordedClient(fixture))).toBe(await play(createScriptedClient(script)));
  });

  test('fails for a request that was not recorded, and says how it differs', async () => {
    const error: unknown = await play(createRecordedClient(await recordPlay()), 'Which colour has the sea?').catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(AgentError);
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', retryable: false });
    expect(String(error)).toContain('- messages[1].content[0].text: "Which colour has the sky?"');
    expect(String(error)).toContain('+ messages[1].content[0].text: "Which colour has the sea?"');
  });

  test('fails for a request that is sent more often than it was recorded', async () => {
    const client = createRecordedClient(await recordPlay());
    await play(client);
    await expect(play(client)).rejects.toThrow('was recorded once, and is sent again');
  });

  test('fails as the recorded one did, and stays open where the recorded one was cancelled', async () => {
    const failing = record(createScriptedClient([reply.text('The'), reply.fail('OVERLOADED')]));
    await expect(play(failing)).rejects.toMatchObject({ code: 'OVERLOADED' });
    await expect(play(createRecordedClient(failing.getFixture()))).rejects.toMatchObject({
      code: 'OVERLOADED',
      retryable: true,
    });

    const endless = record(createScriptedClient([reply.text('The'), reply.until(new Promise(() => {}))]));
    await cancel(endless);
    expect(endless.getFixture().exchanges).toMatchObject([{ isCancelled: true }]);
    await cancel(createRecordedClient(endless.getFixture()));
  });

  test('refuses what is no fixture', () => {
    const other: Fixture = JSON.parse('{"format":"brooklet"}');
    expect(() => createRecordedClient(other)).toThrow('not of version 1');
  });
});

/** Cancels a run while its answer streams. */
async function cancel(client: LLMClient): Promise<void> {
  const agent = createAgent({ client });
  const session = await agent.openSession(agent.createSession());
  const streaming = new Promise<void>((resolve) => {
    session.events$.subscribe(({ type }) => type === 'text.delta' && resolve());
  });
  const result = session.send('Go on for ever.');
  await streaming;
  session.cancel();
  expect((await result).outcome).toBe('cancelled');
}

function fragmentsOf(key: string): readonly string[] {
  return Array.from({ length: key.length - 15 }, (_none, at) => key.slice(at, at + 16));
}

describe('a fixture', () => {
  test('is the same for equal runs, however the network cut the answer', async () => {
    const pieces = [script[0] ?? [], [reply.text('The sky is blue, and that is all.', { size: 7 })]];
    const other = record(createScriptedClient(pieces));
    await play(other);
    expect(JSON.stringify(other.getFixture())).toBe(JSON.stringify(await recordPlay()));
  });

  /** Keys in the forms in which services and proxies show them. */
  const canaries = [
    'sk-proj-CANARY0123456789abcdef',
    'gsk_CANARY0123456789abcdef',
    'hf_CANARY0123456789abcdef',
    'xai-CANARY0123456789abcdef',
    'AIzaCANARY0123456789abcdef',
    'Bearer CANARY0123456789abcdef',
  ];
  const secret = 'correct-horse-CANARY-battery-42';

  /** Forms in which the key itself was passed on. */
  const forms = [secret, btoa(`user:${secret}`), secret.slice(4), `${secret.slice(0, 20)}\n${secret.slice(20)}`];

  test.each([...canaries, ...forms])('does not contain the key %s, wherever it was', async (key) => {
    const client = record(
      createScriptedClient([
        [
          reply.text(`Your key is ${key}.`, { size: 3 }),
          reply.call('look', { key, [key]: 1 }),
          reply.chunk({ type: 'part', part: { type: 'provider', name: 'x', data: { deep: [key] } } }),
          reply.chunk({ type: 'finish', reason: 'tool-calls', raw: key, model: key }),
        ],
        [reply.fail('AUTHENTICATION_FAILED', `The key ${key} is wrong.`)],
      ]),
      { secrets: [secret], redact: (text) => text.replaceAll('Ada', 'somebody') },
    );
    await play(client, `I am Ada, with ${key}.`).catch(() => {});
    const text = JSON.stringify(client.getFixture());
    expect(client.getFixture().exchanges).toHaveLength(2);
    for (const part of ['CANARY', ...fragmentsOf(secret), ...fragmentsOf(btoa(secret))])
      expect(text).not.toContain(part);
    expect(text).not.toContain('Ada');
    expect(text).toContain('somebody');
  });

  test('without its keys still answers the requests that had them', async () => {
    const options = { secrets: [secret] };
    const client = record(createScriptedClient(script), options);
    const seen = await play(client, `Use ${secret} and ${canaries[0]}.`);
    const again = createRecordedClient(client.getFixture(), options);
    expect(await play(again, `Use ${secret} and ${canaries[0]}.`)).toBe(seen);
  });
});
