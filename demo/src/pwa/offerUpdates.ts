import { getTexts } from '../texts/language.ts';
import { closeToast, showToast } from '../toast/toasts.ts';
import { keepOffline, startVersion, waitingVersion$ } from './serviceWorker.ts';

/** Offers each new version of the page. It starts when the user says so, or when all tabs of the page were closed. */
export function offerUpdates(): void {
  let toast: number | undefined;
  waitingVersion$.subscribe((version) => {
    if (toast !== undefined) closeToast(toast);
    toast = undefined;
    if (!version) return;
    const { shell } = getTexts();
    toast = showToast(shell.updateReady, {
      duration: Infinity,
      action: { label: shell.update, run: () => startVersion(version) },
    });
  });
  void keepOffline();
}
