import type { Agent, AgentEvent } from '../core/agent/agent.ts';
import { fail } from '../core/error.ts';
import { defined, isJsonObject } from '../core/json.ts';
import { createBadge } from './badge.ts';
import { isOver, kindOf, type Notice, sentences, type ShownNotice } from './notice.ts';
import { type NotifyOptions, readNotifyOptions } from './notify-options.ts';
import { browserNotifyPorts, type NotifyPorts } from './ports.ts';
import { createPresence } from './presence.ts';

/** The answer to `notify.request`. `unsupported`: this browser has no notifications; the badge in the title works without. */
export type NotifyPermission = NotificationPermission | 'unsupported';

/** The type of `notify`. */
export interface Notify {
  /**
   * Notifies the person while no page of the agent is visible: when a run has ended or failed, and when a call waits for a decision. One of
   * all tabs shows the notification; each tab whose session it is has a number before its title, until the person looks at a page. Returns a
   * function that stops, and releases everything.
   *
   *     const stop = notify(agent, { onOpen: (sessionId) => show(sessionId) });
   *     button.onclick = () => notify.request();
   *
   * Without the permission, and in a browser without notifications, there is the number alone.
   *
   * @throws AgentError `INVALID_CONFIG` for an option of an unknown name or of a wrong type, and for an agent without `events$`
   */
  (agent: Pick<Agent, 'events$' | 'getSession'>, options?: NotifyOptions): () => void;
  /**
   * Asks the person for the permission to show notifications. Call it in a handler of a click: a browser refuses any other question. Rejects
   * with AgentError `INVALID_CONFIG` outside of a gesture of the person, where the browser can say so.
   */
  readonly request: () => Promise<NotifyPermission>;
}

/** Notifies the person while no page of the agent is visible: see `Notify`. */
export const notify: Notify = Object.assign(start, { request });

async function request(): Promise<NotifyPermission> {
  const { Notification: notifications } = globalThis;
  if (notifications === undefined) return 'unsupported';
  if (notifications.permission !== 'default') return notifications.permission;
  // Safari before 16.4 and Firefox before 120 have none.
  const { userActivation }: { readonly userActivation?: UserActivation } = globalThis.navigator;
  if (userActivation && !userActivation.isActive)
    fail('INVALID_CONFIG', 'notify.request asks the person: call it in a handler of a click.');
  return notifications.requestPermission();
}

function start(agent: Pick<Agent, 'events$' | 'getSession'>, given: NotifyOptions = {}): () => void {
  const { subscribe }: { readonly subscribe?: unknown } = Object(agent?.events$);
  if (typeof subscribe !== 'function' || typeof agent.getSession !== 'function')
    fail('INVALID_CONFIG', 'notify takes an agent: `notify(agent, options)`.');
  const { name = '', kinds, onOpen, url, text, language, ports: own } = readNotifyOptions(given);
  const ports: NotifyPorts = { ...browserNotifyPorts, ...own };
  const badge = createBadge(ports);
  const shown = new Set<ShownNotice>();
  let isStopped = false;

  function clear(): void {
    badge.clear();
    for (const one of shown) one.close();
    shown.clear();
  }

  const presence = createPresence(name, ports, clear);

  function look(): void {
    presence.noteSeen();
    if (ports.isVisible()) clear();
  }

  function open(sessionId: string): void {
    ports.focus();
    if (onOpen) onOpen(sessionId);
    else if (url) ports.go(url(sessionId));
  }

  async function take({ sessionId, event }: AgentEvent): Promise<void> {
    const session = agent.getSession(sessionId);
    const state = session?.getState();
    const kind = kindOf(event, state);
    if (kind === undefined || (kinds && !kinds.includes(kind))) return;
    const notice: Notice = { kind, sessionId, title: state?.title ?? '' };
    if ((await presence.isWatched()) || isStopped) return;
    // Meanwhile the person may have decided in another tab, and the run may continue: the queue, or `autoResume`.
    if (session && (isOver(event, session.getState()) || session.getResuming() !== undefined)) return;
    badge.add();
    if (!ports.isAllowed() || !(await presence.claim(`${sessionId} ${event.seq}`))) return;
    const worded = text?.(notice) ?? {};
    const { title = notice.title || badge.plain(), body = sentences[languageOf(language, ports)][kind] } = worded;
    const one = await ports.show(
      {
        title,
        body,
        tag: `brooklet ${name} ${sessionId}`,
        data: { type: 'brooklet:notice', sessionId, ...defined({ url: url?.(sessionId) }) },
      },
      () => open(sessionId),
    );
    if (one === undefined) return;
    // The person may have come, or the page may have stopped, while it was being shown.
    if (isStopped || ports.isVisible()) one.close();
    else shown.add(one);
  }

  const events = agent.events$.subscribe((found) => {
    take(found).catch((error: unknown) => globalThis.reportError?.(error));
  });
  const stopLooking = ports.onVisibility(look);
  const stopWorker = ports.onWorkerMessage((message) => {
    if (isJsonObject(message) && message.type === 'brooklet:open' && typeof message.sessionId === 'string')
      open(message.sessionId);
  });

  return () => {
    isStopped = true;
    events.unsubscribe();
    stopLooking();
    stopWorker();
    presence.close();
    clear();
  };
}

function languageOf(chosen: 'en' | 'zh' | undefined, { language }: NotifyPorts): 'en' | 'zh' {
  return chosen ?? (language().startsWith('zh') ? 'zh' : 'en');
}
