import { BehaviorSubject } from 'rxjs';

/** https://developer.mozilla.org/docs/Web/API/BeforeInstallPromptEvent */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}

const offered = new BehaviorSubject<InstallEvent | undefined>(undefined);

/** Whether the browser lets the page offer its installation. */
export const canInstall$ = offered.asObservable();
export const canInstall = (): boolean => offered.value !== undefined;

/** Waits for the browser's offer to install the page, which is then in the menu. */
export function watchInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    if (!isInstallEvent(event)) return;
    event.preventDefault();
    offered.next(event);
  });
  addEventListener('appinstalled', () => offered.next(undefined));
}

/** Asks the user whether to install the page. The browser allows this once. */
export async function install(): Promise<void> {
  const event = offered.value;
  offered.next(undefined);
  await event?.prompt();
}

function isInstallEvent(event: Event): event is InstallEvent {
  return 'prompt' in event;
}
