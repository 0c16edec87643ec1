import { createAgent, createChatCompletionsClient, defineTool, type JsonObject } from 'brooklet';
import { afterAll, expect, test } from 'vitest';
import { patient } from '../../support/events.ts';
import { samplesOf } from '../../support/samples.ts';
import { startTokenServer, type TokenServer } from '../../support/token-server.ts';

const window = 8_000;
const maxTokens = 1_000;
const texts = (['english', 'chinese', 'code', 'json'] as const).flatMap(samplesOf);
const textAt = (index: number): string => texts[index % texts.length] ?? '';
const fact = 'The gate’s code is 4711-Zephyr.';

let served: TokenServer | undefined;
afterAll(() => served?.server.stop());

/** The conversation as the server receives it, and the answers of the server. */
function answerTo(body: JsonObject, turn: number): { text: string; call?: { name: string; input: string } } {
  const seen = JSON.stringify(body.messages);
  const messages = Array.isArray(body.messages) ? body.messages : [];
  const last = JSON.stringify(messages.at(-1));
  if (seen.includes('You write the summary'))
    return { text: `They talked of many things. ${textAt(turn).slice(0, 300)}` };
  if (last.includes('gate')) return { text: seen.includes('4711-Zephyr') ? 'It is 4711-Zephyr.' : 'I do not know.' };
  if (last.includes('"role":"user"') && last.includes('Look up'))
    return { text: '', call: { name: 'look_up', input: `{"about":${turn}}` } };
  return { text: textAt(turn) };
}

test(
  'a session of 2,000 messages continues for 200 turns without a rejected request; a fact pinned at the start is still known',
  { timeout: 240_000 },
  async () => {
    let turn = 0;
    served = await startTokenServer(window, (body) => answerTo(body, turn));
    const { server, accepted, refused } = served;
    const client = createChatCompletionsClient({ baseURL: server.url, apiKey: 'k', model: 'm' });
    const lookUp = defineTool({
      name: 'look_up',
      description: 'Looks something up.',
      input: { type: 'object', properties: { about: { type: 'number' } }, required: ['about'] },
      // Occasionally far more than fits.
      execute: ({ about }) => (Number(about) % 20 === 0 ? textAt(Number(about)).repeat(60) : textAt(Number(about) + 7)),
    });
    const agent = createAgent({
      client,
      tools: [lookUp],
      instructions: 'You are a helpful harbour master.',
      contextWindow: window,
      maxTokens,
      scratch: () => `This is turn ${turn}.`,
    });
    const session = agent.getSession(agent.createSession());
    if (session === undefined) throw new Error('no session');

    session.pin(session.addMessage({ role: 'user', content: fact }));
    session.addMessage({ role: 'assistant', content: 'Noted.' });
    for (let n = 0; n < 666; n++) {
      session.addMessage({ role: 'user', content: textAt(n) });
      session.addMessage({
        role: 'assistant',
        content: [
          {
            type: 'tool',
            callId: `old-${n}`,
            name: 'look_up',
            status: 'succeeded',
            inputText: `{"about":${n}}`,
            input: { about: n },
            output: textAt(n + 3),
          },
        ],
      });
      session.addMessage({ role: 'assistant', content: textAt(n + 11) });
    }
    expect(session.getMessages()).toHaveLength(2_000);

    for (turn = 1; turn <= 200; turn++) {
      const { outcome, error } = await session.send(
        turn % 3 === 0 ? `Look up number ${turn}.` : `${turn}: ${textAt(turn + 5)}`,
      );
      if (outcome !== 'completed') expect({ turn, outcome, error }).toBe('completed');
    }
    const { message } = await session.send('What is the code of the gate?');

    expect(refused).toEqual([]);
    expect(accepted.length).toBeGreaterThan(260);
    expect(Math.max(...accepted)).toBeLessThanOrEqual(window - maxTokens);
    expect(message?.content).toEqual([{ type: 'text', text: 'It is 4711-Zephyr.' }]);
    // Nothing is removed from the visible list.
    expect(session.getMessages().length).toBeGreaterThan(2_400);
    // The history was compacted when necessary, not each time.
    const compactions = session.getContext()?.compactions.length ?? 0;
    expect(compactions).toBeGreaterThan(5);
    expect(compactions).toBeLessThan(80);
  },
);

test('the same session is rejected without a window', patient, async () => {
  const small = await startTokenServer(window, () => ({ text: 'Yes.' }));
  const client = createChatCompletionsClient({ baseURL: small.server.url, apiKey: 'k', model: 'm' });
  const agent = createAgent({ client });
  const session = agent.getSession(agent.createSession());
  for (let n = 0; n < 200; n++) session?.addMessage({ role: n % 2 ? 'assistant' : 'user', content: textAt(n) });
  const result = await session?.send('And now?');
  expect(result?.error?.code).toBe('CONTEXT_OVERFLOW');
  expect(small.refused).toHaveLength(1);
  await small.server.stop();
});
