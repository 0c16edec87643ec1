import { statusOf } from '../model/status.ts';
import type { Runs } from './runs.ts';
import type { SessionEnv } from './session-env.ts';

/** The coordination with other tabs that have the session open: one tab runs the session, the others follow. */
export interface Tabs {
  /** Stops the run that is open in the log, whichever tab drives it. */
  cancel(): void;
  /** Stops listening to the page. */
  close(): void;
}

/** Creates the `Tabs` of a session that only this tab has. */
export function createLoneTab({ log, ports }: SessionEnv, runs: Runs): Tabs {
  return {
    cancel: () => runs.current()?.end('cancelled'),
    close: ports.onHide((leaving) => {
      // Ends the run of this tab with the page, so that the next tab reads the end and need not infer it.
      if (leaving && statusOf(log.getState()) === 'running') runs.current()?.end('interrupted');
    }),
  };
}
