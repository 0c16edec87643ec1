import { isDeepStrictEqual } from 'node:util';
import { createAgent } from '../../src/core/agent/create-agent.ts';
import type { Agent } from '../../src/core/agent/agent.ts';
import type { AgentSession } from '../../src/core/session/session.ts';
import { defineTool } from '../../src/core/tools/define-tool.ts';
import { defineOutput } from '../../src/llm/output/output.ts';
import { connectMCP } from '../../src/mcp/index.ts';
import { createProviderClient } from '../../src/llm/providers/create-provider-client.ts';
import type { LLMClient } from '../../src/core/model/llm.ts';
import type { Answer } from './answers.ts';
import { callsOfTools, createStrangeServer, png } from './mcp-server.ts';
import { createStrictService, type ServiceSpec, type StrictService } from './service.ts';

/** What a situation drives. */
export interface Stage {
  readonly agent: Agent;
  readonly session: AgentSession;
  readonly service: StrictService;
  /** Sends a message; the service gives these answers, first one first. */
  readonly ask: (text: string, ...answers: Answer[]) => Promise<unknown>;
}

/** A client of a provider over its strict service. */
export function clientOf(spec: ServiceSpec, service: StrictService): LLMClient {
  return createProviderClient(spec.provider, {
    maxRetries: 0,
    apiKey: 'k',
    model: 'm',
    fetch: service.fetch,
    sealedReasoning: true,
  });
}

const picture = { type: 'image', mediaType: 'image/png', data: png } as const;

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  execute: ({ a, b }) => Number(a) + Number(b),
});
const draw = defineTool({
  name: 'draw',
  description: 'Draws a picture.',
  input: { type: 'object', properties: { of: { type: 'string' } } },
  execute: () => [{ type: 'text' as const, text: 'A picture.' }, picture],
});
const empty = defineTool({
  name: 'clear',
  description: 'Fails without words.',
  input: { type: 'object', properties: {} },
  execute() {
    throw new Error('');
  },
});

/** Sets the stage: an agent with tools, over a strict service. */
export async function createStage(spec: ServiceSpec, toClient: typeof clientOf = clientOf): Promise<Stage> {
  const service = createStrictService(spec);
  const client = toClient(spec, service);
  const agent = createAgent({ client, tools: [add, draw, empty], instructions: 'Be brief.', contextWindow: 100_000 });
  const session = await agent.openSession(agent.createSession());
  return {
    agent,
    session,
    service,
    ask(text, ...answers) {
      service.answers.push(...answers);
      return session.send(text);
    },
  };
}

let sum = 0;
/** A call that differs from every other one. */
export const call = (name = 'add'): Answer => {
  sum += 1;
  const input = name === 'add' ? { a: sum, b: 1 } : name === 'draw' ? { of: `cat ${sum}` } : {};
  return { think: `I need ${name} ${sum}.`, calls: [[name, input]] };
};
export const words = (say: string): Answer => ({ think: `Thinking of ${say}`, say });

/** The situations, by their names in the table of the docs. */
export const situations: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  'first answer': ({ ask }) => ask('Hello', words('Hi.')),
  'tool step': ({ ask }) => ask('Add.', call(), words('Two.')),
  'parallel calls, one fails without words': ({ ask }) =>
    ask('Go.', { calls: [...(call().calls ?? []), ['clear', {}]] }, words('Done.')),
  'second question after a tool step': async ({ ask }) => {
    await ask('Add.', call(), words('One.'));
    await ask('And now?', words('Two.'));
    await ask('And now?', words('Three.'));
  },
  'reasoning with tools over three turns': async ({ ask }) => {
    for (const turn of ['one', 'two', 'three'])
      await ask(`Add ${turn}.`, call(), { ...call(), say: 'So far.' }, words(`Done ${turn}.`));
  },
  'picture in': async ({ service, session, ask }) => {
    service.answers.push(words('A cat.'));
    await session.send({ content: [{ type: 'text', text: 'What is this?' }, picture] });
    await ask('Sure?', words('Yes.'));
  },
  'picture as a result': async ({ ask }) => {
    await ask('Draw.', call('draw'), words('Here.'));
    await ask('Again.', { calls: [...(call('draw').calls ?? []), ...(call().calls ?? [])] }, words('Here.'));
    await ask('Thanks.', words('Welcome.'));
  },
  'stop, then ask': async ({ service, session, ask }) => {
    service.answers.push({ ...words('Once upon'), ends: 'never' });
    const running = session.send('Tell me.');
    await untilText(session, 'Once upon');
    session.cancel();
    await running;
    await ask('Another one.', words('Well.'));
    service.answers.push({ ...call(), ends: 'never' });
    const calling = session.send('Add.');
    await untilText(session, 'Add.');
    session.cancel();
    await calling;
    await ask('Go on.', words('Fine.'));
  },
  'resume after a cut': async ({ session, service, ask }) => {
    await ask('Tell me.', { say: 'Once upon', ends: 'cut' });
    service.answers.push(words(' a time.'));
    await session.resume();
    await ask('Add.', call(), { think: 'Hm.', ends: 'cut' });
    service.answers.push(words('Done.'));
    await session.resume();
    await ask('Thanks.', words('Welcome.'));
  },
  'edit, regenerate, another version': async ({ session, service, ask }) => {
    await ask('Add.', call(), words('One.'));
    const [first] = session.getMessages();
    service.answers.push(call(), words('Two.'));
    await session.regenerate();
    service.answers.push(call(), words('Three.'));
    await session.edit(first?.id ?? '', 'Add again.');
    const shown = session.getMessages()[0]?.id ?? '';
    await session.selectAlternative(shown, 0);
    await ask('And?', words('Four.'));
  },
  compaction: async ({ session, service, ask }) => {
    for (let turn = 0; turn < 5; turn += 1) await ask(`Add ${'and add '.repeat(40)}`, call(), words(`Done ${turn}.`));
    service.answers.push({ say: 'They added numbers.' });
    await session.compact();
    await ask('And now?', call(), words('Done.'));
    await ask('Thanks.', words('Welcome.'));
  },
  'queued message': async ({ session, service }) => {
    service.answers.push(call(), words('One.'), call(), words('Two.'));
    const first = session.send('Add.');
    const second = session.send('Then add this.', { whenBusy: 'queue' });
    await Promise.all([first, second]);
    service.answers.push(call(), words('Three.'));
    const third = session.send('Add.');
    await Promise.all([third, session.send('Faster.', { whenBusy: 'steer' })]);
  },
  'typed answer': async ({ session, service, ask }) => {
    await ask('Add.', call(), words('Two.'));
    const output = defineOutput({
      name: 'sum',
      schema: {
        type: 'object',
        properties: { sum: { type: 'number' } },
        required: ['sum'],
        additionalProperties: false,
      },
    });
    service.answers.push({ say: '{"sum":2}' });
    await session.send('As JSON.', { output });
    await ask('Thanks.', words('Welcome.'));
  },
  'tools of an MCP server': async ({ agent, session, service, ask }) => {
    const server = createStrangeServer();
    // An address in the place of a name begins with a digit.
    const toolbox = await connectMCP({ url: 'https://127.0.0.1/mcp', listen: false, fetch: server.fetch });
    toolbox.addTo(agent);
    const named = new Map(toolbox.getTools().map(({ definition, tool }) => [definition.name, tool.name]));
    for (const [name, input] of callsOfTools) {
      service.answers.push(
        { think: `I call ${name}.`, calls: [[named.get(name) ?? '', input]] },
        words(`Did ${name}.`),
      );
      const running = session.send(`Call ${name}.`);
      // A refused request ends the run before a tool is called.
      await Promise.race([untilAsked(session, named.get(name) ?? ''), running]);
      for (const part of session.getMessages().flatMap(({ content }) => content))
        if (part.type === 'tool' && part.status === 'awaiting-approval') await session.approve(part.callId);
      await running;
    }
    await ask('Thanks.', words('Welcome.'));
    toolbox.close();
    const made = session
      .getMessages()
      .flatMap(({ content }) => content)
      .filter((part) => part.type === 'tool');
    if (made.some(({ status }) => status !== 'succeeded') || !isDeepStrictEqual(server.calls, callsOfTools))
      throw new Error(`The server got ${JSON.stringify(server.calls)}; ${made.map(({ status }) => status).join()}.`);
  },
};

async function until(session: AgentSession, isReached: () => boolean): Promise<void> {
  if (isReached()) return;
  await new Promise<void>((resolve) => {
    const subscription = session.messages$.subscribe(() => {
      if (!isReached()) return;
      resolve();
      queueMicrotask(() => subscription.unsubscribe());
    });
  });
}

function untilText(session: AgentSession, text: string): Promise<void> {
  return until(session, () => {
    const last = session.getMessages().at(-1);
    if (last?.role !== 'assistant') return false;
    return text === 'Add.'
      ? last.content.some(({ type }) => type === 'tool')
      : last.content.some((part) => part.type === 'text' && part.text === text);
  });
}

/** Waits until a tool awaits its approval, or has ended. */
function untilAsked(session: AgentSession, name: string): Promise<void> {
  return until(session, () =>
    session
      .getMessages()
      .flatMap(({ content }) => content)
      .some(
        (part) =>
          part.type === 'tool' &&
          part.name === name &&
          ['awaiting-approval', 'succeeded', 'failed', 'denied'].includes(part.status),
      ),
  );
}
