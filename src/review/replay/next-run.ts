import type { Recorded } from './facts.ts';
import type { Recording } from './recording.ts';

/** Returns the start of the next run of the log. */
export function nextRun(recording: Recording): Recorded<'run.started'> | undefined {
  for (const event of recording.ahead()) if (event.type === 'run.started') return event;
  return undefined;
}
