import {
  type Agent,
  type AgentSession,
  createAgent,
  defineTool,
  extractTextContent,
  fingerprintOf,
  isToolPart,
  type Json,
  type JsonObject,
  type LLMClient,
  type Message,
  type Part,
  type Tool,
  type ToolPart,
  toolParts,
  type ToolsOf,
} from 'brooklet';
import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

declare const client: LLMClient;
declare const anyTool: Tool;

const common = { description: '', input: z.object({ id: z.string() }) } as const;

const pay = defineTool({
  name: 'pay',
  description: '',
  input: z.object({ amount: z.number() }),
  output: z.object({ receipt: z.string() }),
  execute: () => ({ receipt: '' }),
});
const look = defineTool({
  name: 'look',
  description: '',
  input: z.object({ at: z.string() }),
  execute: ({ at }) => ['here', at],
});
const agent = createAgent({ client, tools: [pay, look] });
type Tools = ToolsOf<typeof agent>;

declare const session: AgentSession<Tools>;
declare const message: Message<Tools>;
declare const part: Part<Tools>;

describe('createAgent', () => {
  test('keeps the types of its tools', () => {
    expectTypeOf(agent).toEqualTypeOf<Agent<typeof pay | typeof look>>();
    const tools = [pay, look];
    expectTypeOf(createAgent({ client, tools })).toEqualTypeOf<Agent<typeof pay | typeof look>>();
  });

  test('accepts a list that is made of another list', () => {
    const list: readonly Tool[] = [anyTool];
    expectTypeOf(createAgent({ client, tools: list })).toEqualTypeOf<Agent<Tool>>();
    const mixed = createAgent({ client, tools: [...list, pay] });
    const [call] = toolParts({} as Message<ToolsOf<typeof mixed>>);
    if (call?.name === 'pay' && call.status === 'succeeded') expectTypeOf(call.output.receipt).toEqualTypeOf<string>();
  });

  test('keeps the types of the known tools beside tools without types', () => {
    const mixed = createAgent({ client, tools: [pay, anyTool] });
    const [call] = toolParts({} as Message<ToolsOf<typeof mixed>>);
    if (call?.name === 'pay' && call.status === 'succeeded') expectTypeOf(call.output.receipt).toEqualTypeOf<string>();
    else if (call) expectTypeOf(call.name).toExtend<string>();
    // @ts-expect-error no tool has this name, so far as types know
    return call?.name === 'pya';
  });

  test('returns an agent without types for tools without types', () => {
    expectTypeOf(createAgent({ client }).openSession('s')).resolves.toEqualTypeOf<AgentSession>();
    const untyped = createAgent({ client, tools: [anyTool] });
    expectTypeOf<ToolPart<ToolsOf<typeof untyped>>>().toEqualTypeOf<ToolPart>();
  });

  test('accepts tools of defineTool only', () => {
    // @ts-expect-error a tool is created by defineTool
    createAgent({ client, tools: [{ name: 'a', description: '' }] });
    // @ts-expect-error a tool is created by defineTool
    createAgent({ client, tools: [pay, { name: 'a', inputSchema: {}, description: '' }] });
  });

  test('types every way to a message', () => {
    expectTypeOf(agent.getSession('s')).toEqualTypeOf<typeof session | undefined>();
    expectTypeOf(agent.openSession('s')).resolves.toEqualTypeOf<typeof session>();
    const own = agent.openSession('s', {
      tools: [defineTool({ ...common, name: 'own', execute: ({ id }) => id.length })],
    });
    expectTypeOf(own).resolves.toEqualTypeOf<AgentSession<Tools | Tool<'own', { id: string }, number>>>();
    expectTypeOf(session.getMessages()).toEqualTypeOf<readonly Message<Tools>[]>();
    session.messages$.subscribe((messages) => expectTypeOf(messages).toEqualTypeOf<readonly Message<Tools>[]>());
    expectTypeOf(session.send('Hi')).resolves.toHaveProperty('message').toEqualTypeOf<Message<Tools> | undefined>();
    agent.chat('s', 'Hi').subscribe((output) => {
      expectTypeOf(output.message).toEqualTypeOf<Message<Tools>>();
      expectTypeOf(output.content).toEqualTypeOf<readonly Part<Tools>[]>();
    });
    session.updateMessage('m', (before) => {
      expectTypeOf(before).toEqualTypeOf<Message<Tools>>();
      return before;
    });
    agent.pending$.subscribe(([pending]) => expectTypeOf(pending?.call).toEqualTypeOf<ToolPart<Tools> | undefined>());
    for (const pending of agent.getPending()) {
      if (pending.isOpen) expectTypeOf(pending.call).toEqualTypeOf<ToolPart<Tools>>();
      else expectTypeOf(pending.call).toEqualTypeOf<undefined>();
      if (pending.callId === undefined) expectTypeOf(pending.name).toEqualTypeOf<undefined>();
      else expectTypeOf(pending.kind).toEqualTypeOf<'approval' | 'question'>();
    }
  });
});

describe('a tool part', () => {
  test('is narrowed by the name of its tool and by its status', () => {
    if (part.type === 'tool' && part.name === 'pay') {
      if (part.status === 'succeeded') {
        expectTypeOf(part.output).toEqualTypeOf<{ readonly receipt: string }>();
        expectTypeOf(part.input).toEqualTypeOf<{ readonly amount: number }>();
        // @ts-expect-error a receipt is text
        part.output.receipt satisfies number;
        // @ts-expect-error there is no such field in the output
        return part.output.recipe as string;
      }
      if (part.status === 'awaiting-approval') {
        expectTypeOf(part.input.amount).toEqualTypeOf<number>();
        // @ts-expect-error there is no such field in the input
        return part.input.sum as number;
      }
      if (part.status === 'failed') expectTypeOf(part.output).toEqualTypeOf<string | undefined>();
      // @ts-expect-error there is no such status
      return part.status === 'success';
    }
    if (part.type === 'tool' && part.name === 'look' && part.status === 'succeeded')
      expectTypeOf(part.output).toEqualTypeOf<readonly string[]>();
    return undefined;
  });

  test('has JSON as input for as long as the input is not checked', () => {
    if (part.type === 'tool' && part.name === 'pay' && (part.status === 'requested' || part.status === 'invalid'))
      expectTypeOf(part.input).toEqualTypeOf<JsonObject | undefined>();
  });

  test('has one of the names of the tools: a mistyped name does not compile', () => {
    // @ts-expect-error no tool has this name
    return part.type === 'tool' && part.name === 'pya';
  });

  test('may be of a tool that is not among them', () => {
    if (part.type !== 'tool') return;
    switch (part.name) {
      case 'pay':
      case 'look':
        break;
      default:
        expectTypeOf(part.name).toExtend<string>();
        expectTypeOf(part.input).toEqualTypeOf<JsonObject | undefined>();
        expectTypeOf(part.output).toEqualTypeOf<Json | readonly Part[] | undefined>();
    }
  });

  test('keeps its types in the functions that find it', () => {
    expectTypeOf(toolParts(message)).toEqualTypeOf<readonly ToolPart<Tools>[]>();
    expectTypeOf(message.content.filter(isToolPart)).toEqualTypeOf<ToolPart<Tools>[]>();
    expectTypeOf(session.getMessages().flatMap(toolParts)).toEqualTypeOf<ToolPart<Tools>[]>();
    if (isToolPart(part)) expectTypeOf(part).toEqualTypeOf<ToolPart<Tools>>();
  });
});

describe('values with the types of tools', () => {
  test('go where values without them go', () => {
    expectTypeOf(agent).toExtend<Agent>();
    expectTypeOf(session).toExtend<AgentSession>();
    expectTypeOf(message).toExtend<Message>();
    expectTypeOf(part).toExtend<Part>();
    expectTypeOf<ToolPart<Tools>>().toExtend<ToolPart>();
    expectTypeOf(extractTextContent(message)).toEqualTypeOf<string>();
    expectTypeOf(toolParts(message).map(fingerprintOf)).toEqualTypeOf<string[]>();
  });

  test('do not come from values without them', () => {
    expectTypeOf<Message>().not.toExtend<Message<Tools>>();
    expectTypeOf<Agent>().not.toExtend<Agent<Tools>>();
    expectTypeOf<Message<typeof pay>>().not.toExtend<Message<typeof look>>();
  });

  test('may be declared with interfaces', () => {
    interface Payment {
      amount: number;
    }
    expectTypeOf<Tool<'pay', Payment, Date>>().toExtend<Tool>();
    expectTypeOf<ToolPart<Tool<'pay', Payment, Date>>>().toExtend<ToolPart>();
    expectTypeOf<Message<Tool<'pay', Payment, Date>>>().toExtend<Message>();
  });
});
