import {
  type Agent,
  type AgentErrorCode,
  type AgentSession,
  type ChatOutput,
  createAgent,
  defineTool,
  type Json,
  type JsonObject,
  type LLMClient,
  type Message,
  type Part,
  type RunResult,
  type SessionEvent,
  type Tool,
  type ToolPart,
} from 'brooklet';
import { type EventBody, next, type Policy, type SessionState, type Situation, type Step } from 'brooklet/core';
import type { InputOf } from 'brooklet/tools';
import { type } from 'arktype';
import type { Observable } from 'rxjs';
import * as v from 'valibot';
import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

declare const agent: Agent;
declare const session: AgentSession;
declare const client: LLMClient;

const zodSchema = z.object({ a: z.number(), b: z.string().optional() });

describe('a tool', () => {
  test('receives the output type of its zod schema', () => {
    const tool = defineTool({
      name: 'a',
      description: '',
      input: zodSchema,
      needsApproval: (input) => {
        expectTypeOf(input).toEqualTypeOf<{ a: number; b?: string | undefined }>();
        return true;
      },
      execute: (input, { signal, idempotencyKey }) => {
        expectTypeOf(input).toEqualTypeOf<{ a: number; b?: string | undefined }>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        expectTypeOf(idempotencyKey).toEqualTypeOf<string>();
        return input.a;
      },
      present: (input, output) => {
        expectTypeOf(input.a).toEqualTypeOf<number>();
        expectTypeOf(output).toEqualTypeOf<Json | readonly Part[]>();
        return { summary: 'x' };
      },
    });
    expectTypeOf(tool).toEqualTypeOf<Tool<'a', { a: number; b?: string | undefined }, number>>();
    expectTypeOf(tool).toExtend<Tool>();
  });

  test('receives the result of a transform, and defaults', () => {
    const input = z.object({ day: z.string().transform((text) => new Date(text)), n: z.number().default(1) });
    defineTool({
      name: 'a',
      description: '',
      input,
      execute: (input) => {
        expectTypeOf(input).toEqualTypeOf<{ day: Date; n: number }>();
      },
    });
  });

  test('receives the output type of its arktype or valibot schema', () => {
    const input = type({ a: 'number', 'b?': 'string' });
    defineTool({
      name: 'a',
      description: '',
      input,
      execute: (input) => {
        expectTypeOf(input.a).toEqualTypeOf<number>();
        expectTypeOf(input.b).toEqualTypeOf<string | undefined>();
      },
    });
    const schema = v.object({ a: v.number() });
    expectTypeOf<InputOf<typeof schema>>().toEqualTypeOf<{ a: number }>();
  });

  test('receives a JSON object if its schema is plain JSON Schema', () => {
    defineTool({
      name: 'a',
      description: '',
      input: { type: 'object', properties: { a: { type: 'number' } } },
      execute: (input) => {
        expectTypeOf(input).toEqualTypeOf<JsonObject>();
        return input.a;
      },
    });
  });

  test('may be async, and return anything that converts to JSON', () => {
    const options = { name: 'a', description: '', input: { type: 'object' } } as const;
    defineTool({ ...options, execute: async () => ({ a: 1 }) });
    defineTool({ ...options, execute: () => undefined });
    defineTool({ ...options, execute: (): readonly Part[] => [{ type: 'text', text: 'x' }] });
  });

  test('needs a name, a description, a schema and `execute`', () => {
    // @ts-expect-error no description
    defineTool({ name: 'a', input: { type: 'object' }, execute: () => 1 });
    // @ts-expect-error no schema
    defineTool({ name: 'a', description: '', execute: () => 1 });
    // @ts-expect-error no execute
    defineTool({ name: 'a', description: '', input: { type: 'object' } });
    // @ts-expect-error there is no such property in the input
    defineTool({ name: 'a', description: '', input: zodSchema, execute: ({ c }) => c as string });
  });
});

describe('an agent', () => {
  test('needs no client', () => {
    expectTypeOf(createAgent({ client })).toEqualTypeOf<Agent>();
    expectTypeOf(createAgent({})).toEqualTypeOf<Agent>();
    // @ts-expect-error a tool is created by defineTool
    createAgent({ client, tools: [{ name: 'a', description: '' }] });
  });

  test('answers as a stream, or with a session', () => {
    expectTypeOf(agent.createSession()).toEqualTypeOf<string>();
    expectTypeOf(agent.getSession('s')).toEqualTypeOf<AgentSession | undefined>();
    expectTypeOf(agent.openSession('s')).resolves.toEqualTypeOf<AgentSession>();
    expectTypeOf(agent.chat('s', 'Hi')).toEqualTypeOf<Observable<ChatOutput>>();
    agent.chat('s', { content: [{ type: 'text', text: 'Hi' }] }, { stream: false, model: 'm' });
    // @ts-expect-error no content
    agent.chat('s');
  });
});

describe('a session', () => {
  test('has a getter beside each stream, of the same type', () => {
    expectTypeOf(session.messages$).toEqualTypeOf<Observable<readonly Message[]>>();
    expectTypeOf(session.getMessages()).toEqualTypeOf<readonly Message[]>();
    expectTypeOf(session.state$).toEqualTypeOf<Observable<SessionState>>();
    expectTypeOf(session.getState()).toEqualTypeOf<SessionState>();
    expectTypeOf(session.events$).toEqualTypeOf<Observable<SessionEvent>>();
  });

  test('resolves with the outcome of a run', () => {
    expectTypeOf(session.send('Hi')).resolves.toEqualTypeOf<RunResult>();
    expectTypeOf<RunResult['outcome']>().toEqualTypeOf<
      'completed' | 'cancelled' | 'limit' | 'failed' | 'interrupted'
    >();
  });

  test('has an updater that returns a message', () => {
    session.updateMessage('m', (message) => ({ ...message, content: [] }));
    // @ts-expect-error the updater changes nothing in place
    session.updateMessage('m', (message) => (message.content = []));
    // @ts-expect-error there is no such role
    session.addMessage({ role: 'tool', content: 'x' });
  });

  test('is read-only, at every depth', () => {
    const [message] = session.getMessages();
    expectTypeOf(session.getMessages()).not.toHaveProperty('push');
    // @ts-expect-error parts are changed by updateMessage
    if (message) message.content[0] = { type: 'text', text: '' };
    // @ts-expect-error the contents of parts are read-only too
    if (message) message.timestamp = 0;
  });
});

describe('events and steps', () => {
  test('are distinguished by their type', () => {
    const describe = (event: EventBody): string => {
      if (event.type === 'text.delta') return event.text;
      if (event.type === 'call.ended') return event.outcome;
      // @ts-expect-error not every event has text
      return event.text as string;
    };
    expectTypeOf(describe).returns.toEqualTypeOf<string>();
    // @ts-expect-error there is no such event
    const wrong: EventBody = { type: 'text.delat', text: '' };
    return wrong;
  });

  test('are decided by the state, and by the time and the tab in which the question is asked', () => {
    expectTypeOf(next).parameters.toEqualTypeOf<[SessionState, Policy, (Situation | undefined)?]>();
    expectTypeOf(next).returns.toEqualTypeOf<Step>();
    expectTypeOf<Extract<Step, { do: 'execute' }>['call']>().toEqualTypeOf<ToolPart>();
  });

  test('have errors with codes of a closed list', () => {
    expectTypeOf<'RATE_LIMIT_EXCEEDED'>().toExtend<AgentErrorCode>();
    expectTypeOf<'TEAPOT'>().not.toExtend<AgentErrorCode>();
  });
});
