import {
  type Agent,
  type AgentSession,
  createAgent,
  defineTool,
  extractTextContent,
  type JsonObject,
  type SessionEvent,
  type Tool,
  type ToolContext,
  type ToolOptions,
  toolParts,
  type ToolPart,
} from 'brooklet';
import { call, createManualClient, settled } from './manual-client.ts';
import { createManualPorts } from './ports.ts';

type AgentOptions = Parameters<typeof createAgent>[0];

/** An agent with one session, fully controlled by the test. */
export function stage(options: Partial<AgentOptions> = {}) {
  const client = createManualClient();
  const ports = createManualPorts();
  const agent = createAgent({ client, ports, ...options });
  const session = sessionOf(agent, agent.createSession());
  const events: SessionEvent[] = [];
  session.events$.subscribe((event) => events.push(event));
  return { agent, session, client, ports, events, types: () => events.map(({ type }) => type) };
}

export function sessionOf(agent: Pick<Agent, 'getSession'>, id: string): AgentSession {
  const session = agent.getSession(id);
  if (session === undefined) throw new Error(`no session ${id}`);
  return session;
}

/** Sends a message, and lets the model request these calls. */
export async function ask(
  { session, client }: Pick<ReturnType<typeof stage>, 'session' | 'client'>,
  ...calls: readonly (readonly [name: string, inputText: string])[]
): Promise<void> {
  void session.send('go');
  await settled();
  call(client.last(), ...calls);
  await settled();
}

export const callsOf = (session: AgentSession): readonly ToolPart[] => session.getMessages().flatMap(toolParts);
export const statusesOf = (session: AgentSession): readonly string[] => callsOf(session).map(({ status }) => status);
export const callIdOf = (session: AgentSession, index = 0): string => callsOf(session)[index]?.callId ?? '';
export const textsOf = (session: AgentSession): readonly string[] =>
  session.getMessages().map((message) => extractTextContent(message));

/** A tool that accepts any object, and all calls that it has run. */
export function recorded(
  name: string,
  options: Partial<ToolOptions<JsonObject>> = {},
): { readonly tool: Tool; readonly runs: readonly (readonly [input: JsonObject, context: ToolContext])[] } {
  const runs: [JsonObject, ToolContext][] = [];
  const tool = defineTool({
    name,
    description: name,
    input: { type: 'object' },
    ...options,
    execute(input, context) {
      runs.push([input, context]);
      return options.execute?.(input, context) ?? `${name} ran`;
    },
  });
  return { tool, runs };
}
