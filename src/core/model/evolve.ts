import { defined, merge } from '../json.ts';
import { extractTextContent, isToolPart, type Message, placeOf, type ToolPart } from './message.ts';
import { removeMessage, setAside, showAlternative } from './alternatives.ts';
import { changeApproval } from './approval.ts';
import { changeCall, changeContent, changeMessage, changeReply, closeAll, putCall } from './change.ts';
import type { SessionEvent } from './event.ts';
import { findCall } from './find-call.ts';
import { withoutHandoffs } from './handoffs.ts';
import { withOrigin } from './origin.ts';
import { closeCalls, grow, sealCalls, withCall, withCallsOf } from './parts.ts';
import { addSpending, changeContext, noSpending, pay, refuseReply, spend, subtractSpending } from './usage.ts';
import { isOwnLimit, noUsage, openRun, type QueuedMessage, type RunState, type SessionState } from './state.ts';

/**
 * Returns the state after one more event. Pure: the same log always reduces to the same state. An event that does not apply changes only
 * `seq` and `updatedAt`.
 */
export function evolve(state: SessionState, event: SessionEvent): SessionState {
  const updatedAt = isActivity(event) ? event.at : state.updatedAt;
  return { ...applyEvent(state, event), seq: event.seq, updatedAt };
}

/** A title and metadata say something about the conversation; they do not continue it. */
const isActivity = ({ type }: SessionEvent): boolean => type !== 'session.renamed' && type !== 'metadata.changed';

/** Like `evolve`, but without the fields that every event changes: `seq` and `updatedAt`. */
function applyEvent(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'session.started':
      return {
        ...state,
        id: event.sessionId,
        title: event.title ?? '',
        createdAt: event.at,
        ...defined({ path: event.path }),
      };
    case 'session.renamed':
      return { ...state, title: event.title };
    case 'metadata.changed':
      return { ...state, metadata: event.metadata };
    case 'session.cleared':
      return { ...state, messages: [], queue: [], replaced: [], alternatives: [], context: [] };
    case 'session.imported': {
      const take = (message: Message): Message => withOrigin(withoutHandoffs(sealCalls(message)), { type: 'import' });
      const rest = withoutReplaced(state);
      return {
        ...rest,
        messages: [...state.messages, ...state.replaced].map(take),
        queue: rest.queue.map((queued) => ({ ...queued, message: take(queued.message) })),
        alternatives: rest.alternatives.map((one) => ({ ...one, messages: one.messages.map(take) })),
      };
    }
    case 'session.rewound': {
      const end = placeOf(state.messages, event.messageId) + 1;
      return end === 0
        ? state
        : { ...setAside(state, end), replaced: state.messages.slice(end), rewoundTo: event.messageId };
    }
    case 'alternative.selected':
      return withTitle(state, showAlternative(state, event.messageId));
    case 'message.added': {
      const { message, supersedes } = event;
      const place = openRun(state) ? -1 : placeOf(state.messages, supersedes);
      const base = place < 0 ? state : setAside(state, place);
      const added = {
        ...base,
        title: state.title || titleFrom(message),
        messages: [...base.messages, sealCalls(message)],
        queue: without(state.queue, event.message.id),
      };
      return base === state ? added : withTitle(state, added);
    }
    case 'message.updated':
      return changeMessage(state, event.message.id, (message) => withCallsOf(message, event.message));
    case 'message.removed':
      return removeMessage(state, event.messageId);
    case 'message.queued': {
      const { message, mode, settings, due, missed, isDue } = event;
      if (isDue && !state.queue.some((planned) => planned.message.id === message.id)) return state;
      const queued = { message, mode, ...defined({ settings, due, missed }) };
      return { ...state, queue: [...without(state.queue, message.id), queued] };
    }
    case 'message.unqueued':
      return { ...state, queue: without(state.queue, event.messageId) };
    case 'run.started': {
      // Invariant: one run at a time. The owner of an earlier run that is still open has vanished.
      const open = openRun(state);
      if (open) return applyEvent(endRun(state, open, { outcome: 'interrupted' }), event);
      const resumed = state.run?.id === event.resumes ? state.run : undefined;
      const used = isOwnLimit(resumed) ? undefined : resumed;
      const { steps, usage } = used ?? { steps: 0, usage: noUsage };
      const { isCompaction, isAutomatic, settings, carried } = event;
      const children = carried ? subtractSpending(used?.children ?? noSpending, carried) : used?.children;
      const autoResumes = resumed && isAutomatic ? (resumed.autoResumes ?? 0) + 1 : undefined;
      const promptId = resumed ? resumed.promptId : state.messages.at(-1)?.id;
      const continues = resumed?.outcome === 'completed' ? state.messages.at(-1)?.id : resumed?.continues;
      const run = {
        id: event.runId,
        steps,
        usage,
        since: event.at,
        ...defined({ cost: used?.cost, children }),
        ...defined({ promptId, continues, autoResumes, isCompaction, settings }),
      };
      return { ...(resumed ? state : closeAll(state, 'cancelled')), run };
    }
    case 'run.ended': {
      const run = openRun(state);
      return run?.id === event.runId ? endRun(state, run, event) : state;
    }
    case 'instructions.changed':
      return { ...state, instructions: { contentId: event.contentId, messages: event.messages } };
    case 'tools.changed':
      return { ...state, tools: { contentId: event.contentId, tools: event.tools } };
    case 'reply.started': {
      const run = openRun(state);
      if (run === undefined) return state;
      const reply: Message = {
        id: event.messageId,
        role: 'assistant',
        content: [],
        timestamp: event.at,
        status: 'streaming',
        ...defined({ context: event.context, settings: run.settings, origin: event.origin }),
      };
      return {
        ...state,
        run: merge(run, {
          steps: run.steps + 1,
          openReply: event.messageId,
          ...defined({ reserved: event.reserved }),
        }),
        messages: [...state.messages, reply],
      };
    }
    case 'text.delta':
    case 'reasoning.delta':
    case 'call.delta':
      return changeContent(state, (content) => grow(content, event));
    case 'part.added':
      // Calls are added by their own events only: a call in a part could claim to be approved.
      if (isToolPart(event.part)) return state;
      return changeContent(state, (content) => [...content, event.part]);
    case 'call.requested': {
      const { type: _type, seq: _seq, at: _at, v: _v, ...fields } = event;
      // Invariant: an id belongs to one call. Otherwise a decision on one call could approve another.
      const found = findCall(state, event.callId);
      if (found && found.message.id !== state.run?.openReply) return state;
      return changeContent(state, (content) =>
        withCall(content, event.callId, () => ({ type: 'tool', status: 'requested', ...fields })),
      );
    }
    case 'reply.ended': {
      const { finish, usage, model, cost } = event;
      const ended = changeReply(state, (reply) =>
        merge(closeCalls(reply, 'cancelled', 'streaming'), {
          status: 'complete' as const,
          finish,
          ...defined({ usage, model }),
        }),
      );
      // The message of the reply may have been cleared.
      if (state.run?.openReply === undefined) return state;
      const { openReply, isRefused: _isRefused, ...run } = state.run;
      const isEmpty = ended.messages.findLast(({ id }) => id === openReply)?.content.length === 0;
      return spend({ ...ended, run, replaced: isEmpty ? state.replaced : [] }, usage, cost ?? run.reserved);
    }
    case 'reply.refused':
      return refuseReply(state);
    case 'approval.requested':
    case 'approval.decided':
    case 'approval.proposed':
      return changeApproval(state, event);
    case 'rule.revoked':
      return { ...state, approvalRules: state.approvalRules.filter(({ name }) => name !== event.name) };
    case 'call.started': {
      const { attempt, at: startedAt, server, session } = event;
      const started = changeCall(state, event.callId, 'started', () => ({
        startedAt,
        ...defined({ attempt: attempt > 1 ? attempt : undefined, server, session }),
      }));
      return started === state ? state : withChild(started, session);
    }
    case 'call.progress': {
      const found = findCall(state, event.callId);
      return found?.call.status === 'started' ? putCall(state, found, { progress: event.progress }) : state;
    }
    case 'call.ended': {
      const { outcome, output, summary, details, requiresFollowUp, handoff, spent, decidedAt = 0 } = event;
      const ended = changeCall(state, event.callId, outcome, (call) => ({
        isError: outcome !== 'succeeded',
        ...defined({ output, summary, details, requiresFollowUp, handoff }),
        ...(call.startedAt !== undefined && { durationMs: event.at - call.startedAt }),
      }));
      const run = openRun(ended);
      if (ended === state || run === undefined || spent === undefined) return ended;
      const children = addSpending(run.children ?? noSpending, spent);
      // The time in which a person has decided a call below does not count.
      return { ...ended, run: merge(run, { children, since: Math.max(run.since, decidedAt) }) };
    }
    case 'context.compacted':
    case 'context.compaction-failed':
    case 'context.restored':
    case 'message.pinned':
      return changeContext(state, event);
    case 'event.dropped':
  }
  // A dropped event, and an event of a newer version, stays in the log and changes nothing.
  return state;
}

const hasSession = ({ session }: ToolPart): boolean => session !== undefined;

type RunEnded = Extract<SessionEvent, { type: 'run.ended' }>;

/** Adds the session of a call; a second attempt at the call has the same one. */
function withChild(state: SessionState, session: string | undefined): SessionState {
  const { children = [] } = state;
  return session === undefined || children.includes(session) ? state : { ...state, children: [...children, session] };
}

function endRun(
  state: SessionState,
  { openReply, ...run }: RunState,
  { outcome, error, limit, account, spent }: Pick<RunEnded, 'outcome' | 'error' | 'limit' | 'account' | 'spent'>,
): SessionState {
  const interrupted = changeReply(state, (reply) => ({ ...closeCalls(reply, 'cancelled'), status: 'interrupted' }));
  // An interrupted reply without content is removed. During a regenerate (`replaced` is not empty), every other empty reply is removed, too.
  const isEmptyReply = ({ id, status, content }: Message): boolean =>
    content.length === 0 && status !== undefined && (id === openReply || state.replaced.length > 0);
  const messages = interrupted.messages.some(isEmptyReply)
    ? interrupted.messages.filter((message) => !isEmptyReply(message))
    : interrupted.messages;
  const place = placeOf(messages, state.rewoundTo) + 1;
  const children = spent && addSpending(run.children ?? noSpending, spent);
  const isUnanswered = state.replaced.length > 0 && messages.slice(place).every(({ status }) => status === undefined);
  const closed: SessionState = {
    ...(isUnanswered ? withoutReplaced(interrupted) : interrupted),
    // A reply that was cut off counts as what was reserved for it: the service may have billed all of it.
    run: merge(pay(run, run.reserved), { outcome, ...defined({ error, limit, account, children }) }),
    messages: isUnanswered ? [...messages.slice(0, place), ...state.replaced, ...messages.slice(place)] : messages,
    replaced: [],
  };
  // Open calls of an interrupted or failed run can be continued; a call that was running may or may not have taken effect.
  if (outcome === 'interrupted' || outcome === 'failed') return closeAll(closed, 'uncertain', 'started');
  // The session of a call has reached the limit of the tree: it goes on when the run is resumed.
  const kept = outcome === 'limit' ? closeAll(closed, 'uncertain', 'started', hasSession) : closed;
  return closeAll(kept, 'cancelled');
}

/** Forgets the answer that is being replaced, which returns to the conversation: it is not an alternative. */
function withoutReplaced(state: SessionState): SessionState {
  const [first] = state.replaced;
  return {
    ...state,
    alternatives: state.alternatives.filter(({ messages }) => messages[0]?.id !== first?.id),
    replaced: [],
  };
}

function without(queue: readonly QueuedMessage[], messageId: string): readonly QueuedMessage[] {
  return queue.some(({ message }) => message.id === messageId)
    ? queue.filter(({ message }) => message.id !== messageId)
    : queue;
}

/**
 * Returns the state after another version of a message is shown. A title that is the beginning of the first user message follows it; every
 * other title was given, and stays. Both states have all messages.
 */
function withTitle(before: SessionState, after: SessionState): SessionState {
  const title = firstTitle(before.messages) === before.title ? firstTitle(after.messages) : '';
  return title === '' || title === after.title ? after : { ...after, title };
}

function firstTitle(messages: readonly Message[]): string {
  const first = messages.find(({ role }) => role === 'user');
  return first ? titleFrom(first) : '';
}

function titleFrom(message: Message): string {
  if (message.role !== 'user') return '';
  const line = extractTextContent(message)
    .trim()
    .replace(/\n[^]*/, '');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
