import type { ErrorInfo } from '../error.ts';
import { extractTextContent, isToolPart } from '../message.ts';
import type { CallStatus, Message, ToolPart, Usage } from '../message.ts';
import { mayFollow } from './call.ts';
import type { RunOutcome, SessionEvent } from './event.ts';
import { closeCalls, grow, replace, withCallsOf } from './parts.ts';

/** The run in progress, or the last one. */
export interface RunState {
  readonly id: string;
  /** Replies asked for so far, those of the runs it resumes included. */
  readonly steps: number;
  /** Id of the reply that is being streamed. */
  readonly openReply?: string;
  /** Missing while the run goes on. */
  readonly outcome?: RunOutcome;
  readonly error?: ErrorInfo;
}

/** A session as the fold of its events. Plain data; what has not changed keeps its identity. */
export interface SessionState {
  readonly id: string;
  /** The given title, else the beginning of the first user message, else empty. */
  readonly title: string;
  /** ms since the epoch */
  readonly createdAt: number;
  /** ms since the epoch */
  readonly updatedAt: number;
  /** `seq` of the last event. */
  readonly seq: number;
  readonly messages: readonly Message[];
  readonly run?: RunState;
  /** What a new answer took out of view, until something has come in its place. */
  readonly replaced: readonly Message[];
  /** Id of the message that is being answered anew. */
  readonly rewoundTo?: string;
  /** Tokens of all replies together. */
  readonly usage: Usage;
}

export function initialState(id: string): SessionState {
  return {
    id,
    title: '',
    createdAt: 0,
    updatedAt: 0,
    seq: 0,
    messages: [],
    replaced: [],
    usage: { input: 0, output: 0 },
  };
}

/** The state after one more event. Pure: same log, same state, always. An event that cannot apply changes only `seq`. */
export function evolve(state: SessionState, event: SessionEvent): SessionState {
  return { ...apply(state, event), seq: event.seq, updatedAt: event.at };
}

function apply(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'session.started':
      return { ...state, id: event.sessionId, title: event.title ?? '', createdAt: event.at };
    case 'session.renamed':
      return { ...state, title: event.title };
    case 'session.cleared':
      return { ...state, messages: [], replaced: [] };
    case 'session.rewound': {
      const end = state.messages.findIndex((message) => message.id === event.messageId) + 1;
      return end === 0
        ? state
        : {
            ...state,
            messages: state.messages.slice(0, end),
            replaced: state.messages.slice(end),
            rewoundTo: event.messageId,
          };
    }
    case 'message.added':
      return {
        ...state,
        title: state.title || titleFrom(event.message),
        messages: [...state.messages, closeCalls(event.message, () => 'cancelled')],
      };
    case 'message.updated':
      return changeMessage(state, event.message.id, (message) => withCallsOf(message, event.message));
    case 'run.started': {
      // One at a time: whoever left the run before open is gone.
      if (state.run !== undefined && state.run.outcome === undefined) {
        return apply(endRun(state, { ...event, type: 'run.ended', outcome: 'interrupted' }), event);
      }
      const goesOn = event.resumes !== undefined && state.run?.id === event.resumes;
      const steps = goesOn && state.run?.outcome !== 'limit' ? (state.run?.steps ?? 0) : 0;
      return { ...(goesOn ? state : withoutOpenCalls(state)), run: { id: event.runId, steps } };
    }
    case 'run.ended':
      return state.run?.id === event.runId && state.run.outcome === undefined ? endRun(state, event) : state;
    case 'reply.started': {
      if (state.run === undefined || state.run.outcome !== undefined) return state;
      const reply: Message = {
        id: event.messageId,
        role: 'assistant',
        content: [],
        timestamp: event.at,
        status: 'streaming',
      };
      return {
        ...state,
        run: { ...state.run, steps: state.run.steps + 1, openReply: event.messageId },
        messages: [...state.messages, reply],
      };
    }
    case 'text.delta':
    case 'reasoning.delta':
    case 'call.delta':
      return changeReply(state, (reply) => ({ ...reply, content: grow(reply.content, event) }));
    case 'part.added':
      // A call comes in by its own events only: this way it could say that it had been approved.
      if (isToolPart(event.part)) return state;
      return changeReply(state, (reply) => ({ ...reply, content: [...reply.content, event.part] }));
    case 'call.requested': {
      const { type: _type, seq: _seq, at: _at, v: _v, ...fields } = event;
      const call: ToolPart = { type: 'tool', status: 'requested', ...fields };
      // An id means one call, or a decision on the one could let the other through.
      if (isElsewhere(state, event.callId)) return state;
      return changeReply(state, (reply) => {
        const index = reply.content.findIndex((part) => isToolPart(part) && part.callId === event.callId);
        const before = reply.content[index];
        // Asked for once: what has been checked, decided or done is not asked for anew.
        if (before?.type === 'tool' && !mayFollow(before.status, 'requested')) return reply;
        return { ...reply, content: index < 0 ? [...reply.content, call] : replace(reply.content, index, call) };
      });
    }
    case 'reply.ended': {
      const { finish, usage, model } = event;
      const ended = changeReply(state, (reply) => ({
        ...closeCalls(reply, (call) => (call.status === 'streaming' ? 'cancelled' : call.status)),
        status: 'complete',
        finish,
        ...(usage && { usage }),
        ...(model !== undefined && { model }),
      }));
      // Its message may have been cleared away.
      if (state.run?.openReply === undefined) return state;
      const { openReply, ...run } = state.run;
      const isEmpty = ended.messages.find(({ id }) => id === openReply)?.content.length === 0;
      return {
        ...ended,
        run,
        replaced: isEmpty ? state.replaced : [],
        usage: usage ? addUsage(state.usage, usage) : state.usage,
      };
    }
    case 'call.held':
      return changeCall(state, event.callId, 'held', () =>
        event.expiresAt === undefined ? {} : { approval: { expiresAt: event.expiresAt } },
      );
    case 'call.decided': {
      const { verdict, by, reason, input } = event;
      const status = verdict === 'approved' && input !== undefined ? 'edited' : verdict;
      return changeCall(state, event.callId, status, (call) => ({
        approval: { ...call.approval, verdict, by, ...(reason !== undefined && { reason }) },
        ...(verdict === 'approved' && input !== undefined && { editedInput: input }),
      }));
    }
    case 'call.started':
      return changeCall(state, event.callId, 'started', () => ({ startedAt: event.at }));
    case 'call.ended': {
      const { outcome, output, summary, details } = event;
      return changeCall(state, event.callId, outcome, (call) => ({
        isError: outcome !== 'succeeded',
        ...(output !== undefined && { output }),
        ...(summary !== undefined && { summary }),
        ...(details !== undefined && { details }),
        ...(call.startedAt !== undefined && { durationMs: event.at - call.startedAt }),
      }));
    }
  }
  // An event of a newer version: kept in the log, without meaning here.
  return state;
}

function endRun(state: SessionState, event: Extract<SessionEvent, { type: 'run.ended' }>): SessionState {
  const { openReply, ...run } = state.run ?? { id: event.runId, steps: 0 };
  const ended: RunState = { ...run, outcome: event.outcome, ...(event.error && { error: event.error }) };
  const cut = changeReply(state, (reply) => ({ ...closeCalls(reply, () => 'cancelled'), status: 'interrupted' }));
  // A reply that broke off before it said anything is no message; nor is one that says nothing in the place of one that did.
  const isNothing = ({ id, status, content }: Message): boolean =>
    content.length === 0 && status !== undefined && (id === openReply || state.replaced.length > 0);
  const messages = cut.messages.some(isNothing) ? cut.messages.filter((message) => !isNothing(message)) : cut.messages;
  const place = messages.findIndex((message) => message.id === state.rewoundTo) + 1;
  const nothingCame = state.replaced.length > 0 && messages.slice(place).every(({ status }) => status === undefined);
  const closed: SessionState = {
    ...cut,
    run: ended,
    messages: nothingCame ? [...messages.slice(0, place), ...state.replaced, ...messages.slice(place)] : messages,
    replaced: [],
  };
  // What was left undone, somebody may take up again; what was running may or may not have happened.
  return event.outcome === 'interrupted' || event.outcome === 'failed'
    ? mapCalls(closed, (call) => (call.status === 'started' ? 'uncertain' : call.status))
    : withoutOpenCalls(closed);
}

function isElsewhere(state: SessionState, callId: string): boolean {
  const found = findCall(state, callId);
  return found !== undefined && found.message.id !== state.run?.openReply;
}

function withoutOpenCalls(state: SessionState): SessionState {
  return mapCalls(state, () => 'cancelled');
}

function mapCalls(state: SessionState, to: (call: ToolPart) => CallStatus): SessionState {
  let changed = false;
  const messages = state.messages.map((message) => {
    const closed = closeCalls(message, to);
    if (closed !== message) changed = true;
    return closed;
  });
  return changed ? { ...state, messages } : state;
}

function changeReply(state: SessionState, change: (reply: Message) => Message): SessionState {
  const id = state.run?.openReply;
  return id === undefined ? state : changeMessage(state, id, change);
}

function changeMessage(state: SessionState, id: string, change: (message: Message) => Message): SessionState {
  const index = state.messages.findLastIndex((message) => message.id === id);
  const message = state.messages[index];
  if (message === undefined) return state;
  const changed = change(message);
  return changed === message ? state : { ...state, messages: replace(state.messages, index, changed) };
}

function changeCall(
  state: SessionState,
  callId: string,
  status: CallStatus,
  change: (call: ToolPart) => Partial<ToolPart>,
): SessionState {
  const found = findCall(state, callId);
  if (found === undefined || !mayFollow(found.call.status, status)) return state;
  const { message, call } = found;
  const content = replace(message.content, message.content.indexOf(call), { ...call, ...change(call), status });
  return changeMessage(state, message.id, () => ({ ...message, content }));
}

/** A call and the message that it stands in; looked for from the end. */
export function findCall(
  state: SessionState,
  callId: string,
): { readonly message: Message; readonly call: ToolPart } | undefined {
  for (let index = state.messages.length - 1; index >= 0; index--) {
    const message = state.messages[index];
    const call = message?.content.find((part) => isToolPart(part) && part.callId === callId);
    if (message !== undefined && call?.type === 'tool') return { message, call };
  }
  return undefined;
}

function titleFrom(message: Message): string {
  if (message.role !== 'user') return '';
  const line = extractTextContent(message).trim().split('\n', 1)[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function addUsage(sum: Usage, usage: Usage): Usage {
  const cached = (sum.cached ?? 0) + (usage.cached ?? 0);
  const reasoning = (sum.reasoning ?? 0) + (usage.reasoning ?? 0);
  return {
    input: sum.input + usage.input,
    output: sum.output + usage.output,
    ...(cached > 0 && { cached }),
    ...(reasoning > 0 && { reasoning }),
  };
}
