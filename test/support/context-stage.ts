import {
  type Agent,
  type AgentOptions,
  type AgentSession,
  createAgent,
  type LLMRequest,
  type Message,
  type SessionEvent,
} from 'brooklet';
import type { EventBody } from 'brooklet/core';
import { createScriptedClient, reply, type Script, type ScriptedClient } from 'brooklet/testing';
import { createManualPorts, type ManualPorts } from './ports.ts';

/** An agent with one session; its requests are separated into those of the conversation and those for a summary. */
export interface Stage {
  readonly agent: Agent;
  readonly session: AgentSession;
  readonly client: ScriptedClient;
  readonly ports: ManualPorts;
  readonly events: SessionEvent[];
  /** Requests of the conversation. */
  readonly asked: () => readonly LLMRequest[];
  /** Requests for a summary. */
  readonly summaries: () => readonly LLMRequest[];
  readonly typesOf: (start: string) => readonly string[];
}

export const isForSummary = ({ messages }: LLMRequest): boolean =>
  textOf(messages[0]).startsWith('You write the summary');

export function textOf(message: Message | undefined): string {
  return (message?.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

export function allText({ messages }: LLMRequest): string {
  return JSON.stringify(messages);
}

/** @param answer to requests of the conversation, and for summaries */
export async function createStage(
  options: Partial<AgentOptions>,
  answer: {
    readonly chat?: (request: LLMRequest, index: number) => Script;
    readonly summary?: (request: LLMRequest, index: number) => Script;
  } = {},
): Promise<Stage> {
  const ports = createManualPorts();
  let chats = 0;
  let folds = 0;
  const client = createScriptedClient(
    (request) =>
      isForSummary(request)
        ? (answer.summary?.(request, folds++) ?? [reply.text('They talked about boats.'), reply.usage(50, 5)])
        : (answer.chat?.(request, chats++) ?? [reply.text('Yes.')]),
    { delay: ports.delay },
  );
  const agent = createAgent({ client, ports, ...options });
  const session = agent.getSession(agent.createSession());
  if (session === undefined) throw new Error('no session');
  const events: SessionEvent[] = [];
  session.events$.subscribe((event) => events.push(event));
  return {
    agent,
    session,
    client,
    ports,
    events,
    asked: () => client.requests.filter((request) => !isForSummary(request)),
    summaries: () => client.requests.filter(isForSummary),
    typesOf: (start) => events.map(({ type }) => type).filter((type) => type.startsWith(start)),
  };
}

/** One word is one token, so that tests can count. */
export const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** Returns this number of words. */
export const prose = (count: number, word = 'boat'): string => Array.from({ length: count }, () => word).join(' ');

/** Adds past turns: a user message and an answer of `size` words each. */
export function addTurns(session: AgentSession, turns: number, size: number): void {
  for (let turn = 1; turn <= turns; turn++) {
    session.addMessage({ id: `q${turn}`, role: 'user', content: `question ${turn} ${prose(size)}` });
    session.addMessage({ id: `a${turn}`, role: 'assistant', content: `answer ${turn} ${prose(size)}` });
  }
}

export function only<Type extends EventBody['type']>(
  events: readonly SessionEvent[],
  type: Type,
): readonly Extract<SessionEvent, { readonly type: Type }>[] {
  return events.filter((event): event is Extract<SessionEvent, { readonly type: Type }> => event.type === type);
}
