import type { NotificationParts, ShownNotice } from './notice.ts';

/**
 * Shows a notification by the page, or by its service worker where the page itself cannot (Android). Resolves with `undefined` where neither
 * can. The service worker gets the click then: see docs/notify.md.
 */
export async function showInBrowser(
  { title, ...options }: NotificationParts,
  onClick: () => void,
): Promise<ShownNotice | undefined> {
  try {
    const notification = new Notification(title, options);
    notification.addEventListener('click', onClick);
    return notification;
  } catch {
    // `new Notification` throws a TypeError where only a service worker may show notifications.
    const worker = await globalThis.navigator?.serviceWorker?.getRegistration();
    if (worker === undefined) return undefined;
    await worker.showNotification(title, options);
    return { close: () => void closeAll(worker, options.tag) };
  }
}

async function closeAll(worker: ServiceWorkerRegistration, tag: string): Promise<void> {
  for (const notification of await worker.getNotifications({ tag })) notification.close();
}
