import { unref } from '../core/ports.ts';
import type { NotificationParts, ShownNotice } from './notice.ts';
import { showInBrowser } from './show.ts';

/** A channel between the tabs of an origin. */
export interface NotifyChannel {
  readonly post: (message: unknown) => void;
  readonly close: () => void;
}

/** The environment of `notify`. Tests pass their own; a page uses that of the browser. */
export interface NotifyPorts {
  readonly isVisible: () => boolean;
  /** Calls `callback` each time the page has become visible or hidden. Returns a function that stops. */
  readonly onVisibility: (callback: () => void) => () => void;
  readonly getTitle: () => string;
  readonly setTitle: (title: string) => void;
  /** Whether a notification may be shown. */
  readonly isAllowed: () => boolean;
  /** Shows a notification. Resolves with `undefined` where the browser cannot show one. */
  readonly show: (parts: NotificationParts, onClick: () => void) => Promise<ShownNotice | undefined>;
  /** Brings this page to the front. */
  readonly focus: () => void;
  readonly go: (url: string) => void;
  /** Web Locks; `undefined` where the browser has none: each tab then decides for itself. */
  readonly locks: Pick<LockManager, 'request' | 'query'> | undefined;
  /** Opens a channel to the other tabs; `undefined` where the browser has none. */
  readonly openChannel: (name: string, onMessage: (message: unknown) => void) => NotifyChannel | undefined;
  /** Calls `callback` with each message of the page's service worker. Returns a function that stops. */
  readonly onWorkerMessage: (callback: (message: unknown) => void) => () => void;
  /** Language of the page, as `<html lang>` states it. */
  readonly language: () => string;
  readonly delay: (callback: () => void, ms: number) => () => void;
}

export const browserNotifyPorts: NotifyPorts = {
  isVisible: () => document.visibilityState === 'visible',
  onVisibility: (callback) => listen(document, 'visibilitychange', callback),
  getTitle: () => document.title,
  setTitle: (title) => void (document.title = title),
  isAllowed: () => globalThis.Notification?.permission === 'granted',
  show: showInBrowser,
  focus: () => globalThis.focus(),
  go: (url) => location.assign(url),
  locks: globalThis.navigator?.locks,
  openChannel(name, onMessage) {
    try {
      const channel = new BroadcastChannel(name);
      unref(channel);
      channel.addEventListener('message', ({ data }) => onMessage(data));
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
      return { post: (message) => channel.postMessage(message), close: () => channel.close() };
    } catch {
      // The page is in a sandbox: it shares nothing with other pages.
      return undefined;
    }
  },
  onWorkerMessage(callback) {
    const workers = globalThis.navigator?.serviceWorker;
    if (workers === undefined) return () => {};
    return listen(workers, 'message', (event) => callback(event instanceof MessageEvent ? event.data : undefined));
  },
  language: () => document.documentElement.lang,
  delay(callback, ms) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

function listen(target: EventTarget, type: string, callback: (event: Event) => void): () => void {
  target.addEventListener(type, callback);
  return () => target.removeEventListener(type, callback);
}
