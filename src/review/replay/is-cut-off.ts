import { isConcurrent } from '../../core/model/rebase.ts';
import type { Recording } from './recording.ts';

/**
 * Whether another page may have ended the run here, or the log ends: what the page of the run did last was lost with it. Instructions and
 * tools may have been stored without their request.
 */
export function isCutOff(recording: Recording): boolean {
  for (const event of recording.ahead()) {
    if (event.type === 'run.ended') return event.outcome === 'cancelled' || event.outcome === 'interrupted';
    if (event.type !== 'instructions.changed' && event.type !== 'tools.changed' && !isConcurrent(event)) return false;
  }
  return true;
}
