import { defined } from '../../core/json.ts';
import type { LLMClient } from '../../core/model/llm.ts';
import { type Message, toMessage } from '../../core/model/message.ts';
import { brought } from '../../core/model/origin.ts';
import type { RunSettings } from '../../core/model/settings.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { openRun, type QueuedMessage } from '../../core/model/state.ts';
import { callsAwaitingApproval, isUnderWay, statusOf } from '../../core/model/status.ts';
import type { RunOptions } from '../../core/session/session.ts';
import { factOf } from './event-content.ts';
import type { Recorded } from './facts.ts';
import { nextRun } from './next-run.ts';
import type { Recording } from './recording.ts';
import type { Stage } from './stage.ts';

type MessageEvent = Extract<SessionEvent, { readonly message: Message }>;

/** What the person, the page and other tabs do in a replay. */
export interface VerbsEnv {
  readonly recording: Recording;
  readonly client: LLMClient;
  /** Lets the session have these tools beside those of its next request. */
  readonly offer: (names: readonly string[]) => void;
}

/** Does again what a person, the page or another tab did, so that the session records this event. The promise is that of the verb. */
export function doAgain(event: SessionEvent, stage: Stage, env: VerbsEnv): Promise<unknown> | void {
  const message = 'message' in event && !isQueued(event, stage) ? event.message : undefined;
  return env.recording.during(event, message, () => perform(event, stage, env));
}

function perform(event: SessionEvent, stage: Stage, env: VerbsEnv): Promise<unknown> | void {
  const { session, log, runs } = stage;
  switch (event.type) {
    case 'session.renamed':
      return session.rename(event.title);
    case 'metadata.changed':
      return session.setMetadata(event.metadata);
    case 'session.cleared':
      return session.clear();
    case 'message.updated':
      return session.updateMessage(event.message.id, () => event.message);
    case 'message.removed':
      return session.removeMessage(event.messageId);
    case 'message.unqueued':
      return session.unqueue(event.messageId);
    case 'message.pinned':
      return session.pin(event.messageId, event.pinned);
    case 'context.restored':
      return session.restoreContext(event.compactionId);
    case 'rule.revoked':
      return session.revokeApprovalRule(event.name);
    case 'session.rewound':
      return session.regenerate(event.messageId, optionsOf(nextRun(env.recording)?.settings, env));
    case 'message.added':
      return addMessage(event, stage, env);
    case 'message.queued': {
      const { message, mode, settings, due, isDue } = event;
      const options = optionsOf(settings, env);
      // That a message was planned, and is due, are facts: no clock of the replay sends it.
      if (!isWritable(message) || due !== undefined || isDue) return void log.append(factOf(event));
      return isUnderWay(statusOf(log.peek()))
        ? session.send(inputOf(message), { ...options, whenBusy: mode })
        : runs.queue(message, mode, options);
    }
    case 'run.started':
      return startRun(event, stage, env);
    case 'approval.decided':
      return decide(event, stage);
    default:
      return void log.append(factOf(event));
  }
}

function addMessage(
  event: Recorded<'message.added'>,
  { session, log, runs, ports }: Stage,
  env: VerbsEnv,
): Promise<unknown> | void {
  const { message, supersedes } = event;
  const planned = plannedIn(log, message.id);
  if (planned) return runs.admit({ ...planned, message });
  if (isQueued(event, { log })) return session.resume();
  if (!isWritable(message)) return void log.append(factOf(event));
  const next = env.recording.afterNext();
  const isSent =
    message.role === 'user' && next?.type === 'run.started' && next.resumes === undefined && !next.isCompaction;
  if (supersedes !== undefined) {
    if (!isSent) return void log.append(factOf(event));
    // As `edit` does, whose code would be loaded first.
    const edited = toMessage({ role: 'user', ...inputOf(message) }, ports, message.origin);
    return runs.start(optionsOf(next.settings, env), { cause: { type: 'message.added', message: edited, supersedes } });
  }
  if (isSent) return session.send(inputOf(message), optionsOf(next.settings, env));
  session.addMessage(brought({ ...message }, message.origin));
}

/** Whether an event admits a message of the queue. */
function isQueued({ type, message }: MessageEvent, { log }: Pick<Stage, 'log'>): boolean {
  return type === 'message.added' && log.peek().queue.some((queued) => queued.message.id === message.id);
}

/** Returns the message of the queue that waits for its time. */
function plannedIn(log: Stage['log'], messageId: string): QueuedMessage | undefined {
  return log.peek().queue.find(({ message, due }) => message.id === messageId && due !== undefined);
}

function startRun(
  { resumes, isAutomatic, isCompaction, settings }: Recorded<'run.started'>,
  { session, log, runs }: Stage,
  env: VerbsEnv,
): Promise<unknown> {
  const options = optionsOf(settings, env);
  if (isCompaction) return session.compact();
  if (resumes !== undefined && !isAutomatic && openRun(log.peek()) === undefined) return session.resume(options);
  return runs.start(options, defined({ resumes, isAutomatic }));
}

function decide(event: Recorded<'approval.decided'>, { session, log }: Stage): Promise<unknown> {
  const { callId, verdict, input, reason, userName, remember, answer } = event;
  const options = defined({ userName, remember });
  if (verdict === 'rejected') return session.reject(callId, { ...options, ...defined({ reason }) });
  const call = callsAwaitingApproval(log.peek()).find((one) => one.callId === callId);
  const isQuestion = call?.approval?.elicitation !== undefined;
  if (isQuestion) return session.answer(callId, answer ?? null, defined({ userName }));
  return session.approve(callId, { ...options, ...defined({ input }) });
}

/** Returns the options of a run from its settings. A client and a scratch of its own are not stored: the replay has stand-ins for them. */
function optionsOf({ needs, ...settings }: RunSettings = {}, { client, offer }: VerbsEnv): RunOptions {
  offer(settings.tools ?? []);
  return {
    ...settings,
    ...(needs?.includes('client') && { client }),
    ...(needs?.includes('scratch') && { scratch: '' }),
  };
}

/** Whether a page can write the message: it has no fields that only a run sets. */
function isWritable(message: Message): boolean {
  return (
    message.role !== 'assistant' &&
    Object.keys(message).every((key) => ['id', 'role', 'content', 'timestamp', 'metadata'].includes(key))
  );
}

function inputOf({ content, metadata, origin }: Message): Pick<Message, 'content' | 'metadata'> {
  return brought({ content, ...defined({ metadata }) }, origin);
}
