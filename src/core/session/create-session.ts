import { Observable } from 'rxjs';
import type { LazyContext } from '../context/lazy.ts';
import { fail } from '../error.ts';
import { defined } from '../json.ts';
import { lazy, lazyValues } from '../lazy.ts';
import { current } from '../log/current.ts';
import type { Log } from '../log/log.ts';
import { isAwaitingApproval, isUnderWay, type SessionStatus, statusOf } from '../model/status.ts';
import type { SessionStore } from '../model/store.ts';
import type { Replica } from '../log/replica.ts';
import type { StorageStatus } from '../model/sync-state.ts';
import { type Message, toMessage } from '../model/message.ts';
import type { Ports } from '../ports.ts';
import type { Policy } from '../model/next.ts';
import type { RunEnv } from './perform.ts';
import type { AgentSession, ChatInput } from './session.ts';
import { createRuns, type RunsOptions } from './runs.ts';
import { settingsOf } from './run-settings.ts';
import { createSend } from './send.ts';
import { createTabs } from './tabs.ts';

export interface SessionOptions {
  readonly log: Log;
  readonly replica: Replica;
  readonly store: SessionStore | undefined;
  readonly env: Pick<RunEnv, 'client' | 'tools' | 'present' | 'meta' | 'agentName' | 'formatRejection'> & {
    readonly ports: Ports;
  };
  readonly toRequest: RunsOptions['toRequest'];
  readonly policy: Policy;
  readonly context: LazyContext;
  /** Called when another tab has removed the session. */
  readonly onGone: () => void;
}

/** A session that can also be put away. */
export interface OwnedSession extends AgentSession {
  /** Cancels its run, ends its streams; every verb throws from now on. Waits for nothing. */
  close(): void;
  /** Whether it may leave the memory: nothing runs or waits, all of it is stored, and nobody subscribes to it. */
  isIdle(): boolean;
}

const inMemory: StorageStatus = { state: 'memory' };

/** Puts a session together: its log, the runs that this tab drives, the other tabs, and what a person decides. */
export function createAgentSession(options: SessionOptions): OwnedSession {
  const { log, replica, store, env, toRequest, policy, context, onGone } = options;
  const { append, getState } = log;
  const { id } = getState();
  const { ports } = env;
  const getStatus = (): SessionStatus => statusOf(getState());
  let closed = false;
  /** What is being sent: see `createSend`. */
  const sending = new Set<string>();

  const runs = createRuns({
    log,
    newId: ports.id,
    env: { ...env, sessionId: id, flush: replica.flush, now: ports.now },
    toRequest,
    policy,
    context,
    replica,
    // A person, or another tab, may be faster.
    expire: ({ callId, isLate }) =>
      void decisions()
        .then(({ expire }) => expire(callId, isLate))
        .catch(() => {}),
  });
  const tabs = createTabs({ log, replica, runs, isSending: (key) => sending.has(key), onGone });
  const send = createSend({ log, replica, runs, tabs, sending, isClosed: () => closed });
  /** Only where somebody has something to decide. */
  const decisions = lazy(async () => {
    const { createDecisions } = await import('./decisions.ts');
    return createDecisions({ log, replica, env, runs, tabs, checkUsable });
  });

  /** Whether something may be said here, be it while another tab runs the session, or has just been first. */
  function checkOpen(): void {
    if (closed) fail('SESSION_REMOVED', `Session ${id} has been removed, or has left the memory: open it again.`);
    const storage = replica.getStatus();
    if (storage.state === 'read-only') fail('SESSION_READ_ONLY', storage.error.message, storage.error);
    if (storage.state !== 'stale' || replica.isReading()) return;
    void replica.catchUp();
    fail('SESSION_READ_ONLY', `Another tab has gone on with session ${id}, which cannot be read now.`, storage.error);
  }

  function checkUsable(): void {
    checkOpen();
    if (log.isRunOpen() && tabs.runsElsewhere()) fail('SESSION_BUSY', `Another tab is running session ${id}.`);
  }

  function checkIdle(): void {
    checkUsable();
    const status = getStatus();
    if (isUnderWay(status))
      fail('SESSION_BUSY', `Session ${id} is ${status}: wait for the end of its run, or cancel it.`);
  }

  function toQuestion(input: string | ChatInput): Message {
    const { content, metadata } = typeof input === 'string' ? { content: input } : input;
    const message = toMessage({ role: 'user', content, ...defined({ metadata }) }, ports);
    return message.content.every((part) => part.type === 'text' && part.text.trim() === '')
      ? fail('INVALID_INPUT', 'The message to send is empty.')
      : message;
  }

  // Loaded while the person still reads; and what has waited for too long expires.
  log.viewTurns(isAwaitingApproval).subscribe((held) => {
    if (held) decisions().catch(() => {});
  });
  /** What is written to a store that lasts no longer than the page is not saved. */
  function getStorage(): StorageStatus {
    const status = replica.getStatus();
    const isLost = store?.isPersistent?.() === false && (status.state === 'saved' || status.state === 'saving');
    return isLost ? inMemory : status;
  }

  const stopListening = ports.onHide((leaving) => {
    // What this tab runs ends with it, and the next one need not guess.
    if (leaving && getStatus() === 'running') runs.current()?.end('interrupted');
    replica.hurry();
  });

  let watchers = 0;
  /** Counts those who look on. */
  function watched<T>(values$: Observable<T>): Observable<T> {
    return new Observable((subscriber) => {
      watchers++;
      subscriber.add(() => watchers--);
      subscriber.add(values$.subscribe(subscriber));
    });
  }

  return {
    id,
    messages$: watched(log.view((state) => state.messages)),
    getMessages: () => getState().messages,
    status$: watched(log.view(statusOf)),
    getStatus,
    state$: watched(log.view((state) => state)),
    getState,
    storage$: watched(current(replica.status$, getStorage)),
    getStorage,
    events$: watched(log.events$),

    addMessage(input) {
      checkUsable();
      const message = toMessage(input, ports);
      if (log.hasMessage(message.id)) fail('INVALID_INPUT', `There is a message ${message.id} already.`);
      append({ type: 'message.added', message });
      return message.id;
    },
    updateMessage(messageId, updater) {
      checkUsable();
      const message =
        getState().messages.find(({ id }) => id === messageId) ??
        fail('MESSAGE_NOT_FOUND', `There is no message ${messageId} in session ${id}.`);
      append({ type: 'message.updated', message: { ...updater(message), id: message.id, role: message.role } });
    },
    clear() {
      checkUsable();
      // What another tab has said just now, nobody here has seen.
      if (replica.isReading()) fail('SESSION_BUSY', `Another tab has just gone on with session ${id}.`);
      tabs.cancel();
      append({ type: 'session.cleared' });
    },
    rename(title) {
      checkOpen();
      append({ type: 'session.renamed', title });
    },
    send(input, { whenBusy = 'refuse', ...runOptions } = {}) {
      checkOpen();
      const message = toQuestion(input);
      runs.check(runOptions);
      if (whenBusy === 'interrupt') tabs.cancel();
      else if (whenBusy !== 'refuse' && isUnderWay(getStatus())) return runs.queue(message, whenBusy, runOptions);
      checkIdle();
      return send(message, runOptions);
    },
    unqueue(messageId) {
      checkOpen();
      append({ type: 'message.unqueued', messageId });
    },
    cancel: tabs.cancel,
    terminate: tabs.cancel,
    takeOver: replica.takeOver,
    resume(runOptions = {}) {
      checkIdle();
      const { run: last } = getState();
      if (last === undefined || last.outcome === 'completed')
        return runs.startQueued() ?? fail('NOTHING_TO_RESUME', `Session ${id} has no run to go on with.`);
      runs.check(runOptions, last.settings, last.promptId);
      return runs.start(runOptions, { resumes: last.id });
    },
    regenerate(messageId, runOptions = {}) {
      checkIdle();
      const from =
        getState().messages.findLast(
          (message) => message.role === 'user' && (messageId === undefined || message.id === messageId),
        ) ??
        fail(
          messageId === undefined ? 'NOTHING_TO_RESUME' : 'MESSAGE_NOT_FOUND',
          `There is no message ${messageId ?? 'of a user'} in session ${id} to answer anew.`,
        );
      const base = settingsOf(getState(), from.id);
      runs.check(runOptions, base, from.id);
      append({ type: 'session.rewound', messageId: from.id });
      return runs.start(runOptions, { base });
    },
    approve: async (...what) => (await decisions()).approve(...what),
    reject: async (...what) => (await decisions()).reject(...what),
    answer: async (...what) => (await decisions()).answer(...what),
    revokeApprovalRule(name) {
      checkUsable();
      append({ type: 'rule.revoked', name });
    },
    getContext: () => context.get(getState())?.report(getState()),
    context$: watched(lazyValues(async () => log.view((await context.load()).report))),
    compact() {
      checkIdle();
      return runs.start({}, { isCompaction: true });
    },
    restoreContext(compactionId) {
      checkUsable();
      append({ type: 'context.restored', compactionId });
    },
    pin(messageId, pinned = true) {
      checkOpen();
      append({ type: 'message.pinned', messageId, pinned });
    },
    flushed: () => replica.flush(),
    isIdle: () => !isUnderWay(getStatus()) && replica.getStatus().state === 'saved' && watchers === 0,
    close() {
      tabs.cancel();
      replica.hurry();
      closed = true;
      stopListening();
      tabs.close();
      replica.close();
      log.close();
      runs.close();
    },
  };
}
