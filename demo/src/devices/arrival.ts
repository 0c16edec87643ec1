import { fromEvent, startWith } from 'rxjs';
import { openOverlay } from '../base/overlay.ts';

/** The beginning of the fragment of a link with a code. A fragment is never a part of a request. */
export const codeRoute = '#/enrol/';

let code = '';

/** Returns the code of the link with which the page was opened; empty without one. */
export const getArrivedCode = (): string => code;

export function forgetArrivedCode(): void {
  code = '';
}

/** Shows the form for a code when the page is opened with a link that contains one. The code leaves the address at once. */
export function watchArrival(): void {
  fromEvent(window, 'hashchange')
    .pipe(startWith(undefined))
    .subscribe(() => {
      if (!location.hash.startsWith(codeRoute)) return;
      code = location.hash.slice(codeRoute.length);
      history.replaceState(null, '', '#/');
      openOverlay({ is: 'settings', section: 'devices' });
    });
}
