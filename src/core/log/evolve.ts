import type { ErrorInfo } from '../error.ts';
import { defined } from '../json.ts';
import { extractTextContent, isToolPart } from '../message.ts';
import type { CallStatus, Message, Part, ToolPart, Usage } from '../message.ts';
import { mayFollow } from './call.ts';
import type { RunOutcome, SessionEvent } from './event.ts';
import { closeCalls, grow, isCall, replace, withCall, withCallsOf } from './parts.ts';

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

/** The run that goes on, if one does. */
export function openRun({ run }: SessionState): RunState | undefined {
  return run?.outcome === undefined ? run : undefined;
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
        messages: [...state.messages, closeCalls(event.message, 'cancelled')],
      };
    case 'message.updated':
      return changeMessage(state, event.message.id, (message) => withCallsOf(message, event.message));
    case 'run.started': {
      // One at a time: whoever left the run before open is gone.
      const open = openRun(state);
      if (open) return apply(endRun(state, open, 'interrupted'), event);
      const resumed = state.run?.id === event.resumes ? state.run : undefined;
      const steps = resumed === undefined || resumed.outcome === 'limit' ? 0 : resumed.steps;
      return { ...(resumed ? state : closeAll(state, 'cancelled')), run: { id: event.runId, steps } };
    }
    case 'run.ended': {
      const run = openRun(state);
      return run?.id === event.runId ? endRun(state, run, event.outcome, event.error) : state;
    }
    case 'reply.started': {
      const run = openRun(state);
      if (run === undefined) return state;
      const reply: Message = {
        id: event.messageId,
        role: 'assistant',
        content: [],
        timestamp: event.at,
        status: 'streaming',
      };
      return {
        ...state,
        run: { ...run, steps: run.steps + 1, openReply: event.messageId },
        messages: [...state.messages, reply],
      };
    }
    case 'text.delta':
    case 'reasoning.delta':
    case 'call.delta':
      return changeContent(state, (content) => grow(content, event));
    case 'part.added':
      // A call comes in by its own events only: this way it could say that it had been approved.
      if (isToolPart(event.part)) return state;
      return changeContent(state, (content) => [...content, event.part]);
    case 'call.requested': {
      const { type: _type, seq: _seq, at: _at, v: _v, ...fields } = event;
      // An id means one call, or a decision on the one could let the other through.
      const found = findCall(state, event.callId);
      if (found && found.message.id !== state.run?.openReply) return state;
      return changeContent(state, (content) =>
        withCall(content, event.callId, () => ({ type: 'tool', status: 'requested', ...fields })),
      );
    }
    case 'reply.ended': {
      const { finish, usage, model } = event;
      const ended = changeReply(state, (reply) => ({
        ...closeCalls(reply, 'cancelled', 'streaming'),
        status: 'complete',
        finish,
        ...defined({ usage, model }),
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
        approval: { ...call.approval, verdict, by, ...defined({ reason }) },
        ...(status === 'edited' && defined({ editedInput: input })),
      }));
    }
    case 'call.started':
      return changeCall(state, event.callId, 'started', () => ({ startedAt: event.at }));
    case 'call.ended': {
      const { outcome, output, summary, details } = event;
      return changeCall(state, event.callId, outcome, (call) => ({
        isError: outcome !== 'succeeded',
        ...defined({ output, summary, details }),
        ...(call.startedAt !== undefined && { durationMs: event.at - call.startedAt }),
      }));
    }
  }
  // An event of a newer version: kept in the log, without meaning here.
  return state;
}

function endRun(
  state: SessionState,
  { openReply, ...run }: RunState,
  outcome: RunOutcome,
  error?: ErrorInfo,
): SessionState {
  const cut = changeReply(state, (reply) => ({ ...closeCalls(reply, 'cancelled'), status: 'interrupted' }));
  // A reply that broke off before it said anything is no message; nor is one that says nothing in the place of one that did.
  const isNothing = ({ id, status, content }: Message): boolean =>
    content.length === 0 && status !== undefined && (id === openReply || state.replaced.length > 0);
  const messages = cut.messages.some(isNothing) ? cut.messages.filter((message) => !isNothing(message)) : cut.messages;
  const place = messages.findIndex((message) => message.id === state.rewoundTo) + 1;
  const nothingCame = state.replaced.length > 0 && messages.slice(place).every(({ status }) => status === undefined);
  const closed: SessionState = {
    ...cut,
    run: { ...run, outcome, ...defined({ error }) },
    messages: nothingCame ? [...messages.slice(0, place), ...state.replaced, ...messages.slice(place)] : messages,
    replaced: [],
  };
  // What was left undone, somebody may take up again; what was running may or may not have happened.
  return outcome === 'interrupted' || outcome === 'failed'
    ? closeAll(closed, 'uncertain', 'started')
    : closeAll(closed, 'cancelled');
}

function closeAll(state: SessionState, to: CallStatus, from?: CallStatus): SessionState {
  const messages = state.messages.map((message) => closeCalls(message, to, from));
  return messages.every((message, index) => message === state.messages[index]) ? state : { ...state, messages };
}

function changeReply(state: SessionState, change: (reply: Message) => Message): SessionState {
  return changeMessage(state, state.run?.openReply, change);
}

function changeContent(state: SessionState, change: (content: readonly Part[]) => readonly Part[]): SessionState {
  return changeReply(state, (reply) => ({ ...reply, content: change(reply.content) }));
}

function changeMessage(
  state: SessionState,
  id: string | undefined,
  change: (message: Message) => Message,
): SessionState {
  const message = state.messages.findLast((one) => one.id === id);
  return message === undefined ? state : { ...state, messages: replace(state.messages, message, change(message)) };
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
  const content = replace(message.content, call, { ...call, ...change(call), status });
  return { ...state, messages: replace(state.messages, message, { ...message, content }) };
}

/** A call and the message that it stands in; looked for from the end. */
export function findCall(
  state: SessionState,
  callId: string,
): { readonly message: Message; readonly call: ToolPart } | undefined {
  const message = state.messages.findLast(({ content }) => content.some(isCall(callId)));
  const call = message?.content.find(isCall(callId));
  return message && call && { message, call };
}

function titleFrom(message: Message): string {
  if (message.role !== 'user') return '';
  const line = extractTextContent(message).trim().split('\n', 1)[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

const tokenKinds = ['input', 'output', 'cached', 'reasoning', 'cacheRead', 'cacheWritten'] as const;

function addUsage(sum: Usage, usage: Usage): Usage {
  const total: { -readonly [Key in keyof Usage]: Usage[Key] } = { ...sum };
  for (const key of tokenKinds) if (usage[key]) total[key] = (sum[key] ?? 0) + usage[key];
  return total;
}
