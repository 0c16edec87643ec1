import { createAgent } from 'brooklet';
import { notify } from 'brooklet/notify';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';

declare global {
  interface Window {
    /** Hides and shows the page: a browser that is driven by tests keeps all its pages visible. */
    look: (isVisible: boolean) => void;
    /** What the page has shown, and what the browser has reported of it. */
    notifications: { readonly title: string; readonly body: string; readonly events: string[] }[];
    opened: string[];
    sessionId: string;
    permission: string;
    ended: number;
  }
}

let isVisible = true;
Object.defineProperty(document, 'visibilityState', { get: () => (isVisible ? 'visible' : 'hidden') });
window.look = (next) => {
  isVisible = next;
  document.dispatchEvent(new Event('visibilitychange'));
};
window.notifications = [];
window.opened = [];
window.ended = 0;

const query = new URLSearchParams(location.search);
const isAndroid = query.has('android');
if (query.has('worker')) {
  await navigator.serviceWorker.register('/sw.js');
  await navigator.serviceWorker.ready;
}

/** A notification of the browser, whose events are noted. */
class Noted extends (globalThis.Notification ?? EventTarget) {
  constructor(title: string, options: NotificationOptions = {}) {
    // As Chrome for Android does.
    if (isAndroid) throw new TypeError("Failed to construct 'Notification': Illegal constructor.");
    super(title, options);
    const events: string[] = [];
    window.notifications.push({ title: this.title, body: this.body, events });
    for (const type of ['show', 'close', 'error', 'click']) this.addEventListener(type, () => events.push(type));
  }
}
if (globalThis.Notification) window.Notification = Noted;

const agent = createAgent({ client: createScriptedClient([reply.text('Yes.')]), store: createIndexedDBStore() });
notify(agent, { onOpen: (sessionId) => window.opened.push(sessionId) });
agent.events$.subscribe(({ event }) => (window.ended += Number(event.type === 'run.ended')));
const session = await agent.openSession('a', { create: true });
window.sessionId = session.id;

document.querySelector('#ask')?.addEventListener('click', () => {
  notify.request().then(
    (permission) => (window.permission = permission),
    (error: unknown) => (window.permission = String(error)),
  );
});
document.querySelector('#send')?.addEventListener('click', () => void session.send('Hello'));
