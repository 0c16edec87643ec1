import { type Agent, createAgent, type SessionStore } from 'brooklet';
import { agentTool } from 'brooklet/agents';
import type { StoredSession } from 'brooklet/core';
import type { LoggedSession } from 'brooklet/review';
import { createMemoryStore, exportAll, type ExportOptions } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { childrenOf } from '../../src/core/model/children.ts';
import { toEvents } from '../storage/arbitrary-log.ts';

/** A tree that real agents have made: the sessions from the root down, each the only child of the one before. */
export interface RecordedTree {
  readonly agent: Agent;
  readonly store: SessionStore;
  readonly sessions: readonly StoredSession[];
}

/** Runs a root whose agent asks another agent, which asks another one … `depth` sessions below the root. Each answer takes 10 and 5 tokens. */
export async function recordTree(depth: number): Promise<RecordedTree> {
  const store = createMemoryStore();
  const toolAt = (level: number): readonly ReturnType<typeof agentTool>[] =>
    level > depth
      ? []
      : [
          agentTool({
            name: `ask_${level}`,
            description: `Asks the agent of level ${level}.`,
            options: { client: clientAt(level), tools: toolAt(level + 1) },
            maxDepth: depth + 1,
          }),
        ];
  const clientAt = (level: number): ReturnType<typeof createScriptedClient> => {
    const end = [reply.text(`Answer of level ${level}.`), reply.usage(10, 5)];
    return level === depth
      ? createScriptedClient([end])
      : createScriptedClient([
          [reply.call(`ask_${level + 1}`, { task: `Task ${level + 1}` }), reply.usage(10, 5)],
          end,
        ]);
  };
  const agent = createAgent({ client: clientAt(0), tools: toolAt(1), store });
  const session = await agent.openSession(agent.createSession());
  await session.send('Task 0');
  await session.flushed();
  const sessions: StoredSession[] = [];
  for (let id: string | undefined = session.id; id !== undefined;) {
    const stored: StoredSession | undefined = await store.read(id);
    if (stored === undefined) throw new Error(`Session ${id} is not stored.`);
    const copy: StoredSession = JSON.parse(JSON.stringify(stored));
    sessions.push(copy);
    id = childrenOf(stored.events)[0];
  }
  return { agent, store, sessions };
}

interface Link {
  readonly id: string;
  /** The session above, as `path` names it. */
  readonly above?: string;
  readonly children: readonly string[];
}

/** Returns a log, made by hand, whose calls name these sessions: what a file may contain. One answer of 10 and 5 tokens. */
export function linkedLog({ id, above, children }: Link): StoredSession['events'] {
  const path = above === undefined ? [] : [{ sessionId: above, callId: `call of ${id}` }];
  const [started, ...events] = toEvents(
    [
      {
        type: 'message.added',
        message: { id: 'm', role: 'user', content: [{ type: 'text', text: `Task ${id}` }], timestamp: 1 },
      },
      { type: 'run.started', runId: 'r' },
      { type: 'reply.started', messageId: 'n' },
      ...children.map((child) => ({
        type: 'call.requested',
        callId: `call of ${child}`,
        name: 'ask',
        inputText: '{}',
        input: {},
      })),
      { type: 'reply.ended', finish: 'tool-calls', usage: { input: 10, output: 5 } },
      ...children.flatMap((child) => [
        { type: 'approval.decided', callId: `call of ${child}`, verdict: 'approved', decidedBy: 'policy' },
        { type: 'call.started', callId: `call of ${child}`, attempt: 1, session: child },
        { type: 'call.ended', callId: `call of ${child}`, outcome: 'succeeded', output: 'Done.' },
      ]),
      { type: 'run.ended', runId: 'r', outcome: 'completed' },
    ],
    id,
  );
  if (started?.type !== 'session.started') throw new Error('The log has no start.');
  return [{ ...started, ...(path.length > 0 && { path }) }, ...events];
}

/** Returns the sessions of a file whose logs name one another: by id, with the ids that the calls of each name. */
export function fileOf(links: Readonly<Record<string, readonly string[]>>): readonly LoggedSession[] {
  return Object.entries(links).map(([id, children]) => ({ id, events: linkedLog({ id, children }) }));
}

/** Resolves with the text of an exported file. */
export async function exportText(store: SessionStore, options?: ExportOptions): Promise<string> {
  const parts: string[] = [];
  for await (const piece of exportAll(store, options)) parts.push(piece);
  return parts.join('');
}
