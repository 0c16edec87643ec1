import { notify } from 'brooklet/notify';
import { notifications } from './notifications.ts';

/**
 * Switches the notifications, and asks the browser for the permission. Resolves with whether it may show them. Call it in the handler of a click:
 * WebKit forgets the click over an import, so that the module of `notify` is here already.
 */
export async function switchNotifications(isOn: boolean): Promise<boolean> {
  notifications.change(() => isOn);
  if (!isOn) return true;
  return (await notify.request().catch(() => 'default')) === 'granted';
}
