import type { StoredSession } from '../../core/model/store.ts';
import { factsOf } from './origin.ts';

export type Place = 'here' | 'there';

/** The log of a session, as it was read on one side. */
export interface LogState {
  readonly is: 'log';
  readonly stored: StoredSession;
  /** The device that runs the session; on this device missing for itself. */
  readonly device?: string | undefined;
  /** Whether the log keeps a part of another log, and no page has written to it since. */
  readonly isUntouchedFork: boolean;
  /** Whether decisions of the remote log are left out: this log is then not the one of the device that wrote last. */
  readonly isCurbed?: boolean;
}

/** What one side has of a session. */
export type SideState =
  | LogState
  /** This device has the row of another device's session; its log is not here yet. */
  | { readonly is: 'row'; readonly stored: StoredSession }
  /** A mark has the place of a removed session. Here its removal was cut off; the remote store keeps the mark for some time. */
  | { readonly is: 'mark'; readonly stored: StoredSession }
  /** A person removed the session. */
  | { readonly is: 'removed' }
  /** The session never was there, or was lost. */
  | { readonly is: 'missing' };

/** Returns what a side has of a session. Pure. @param wasRemoved whether a person removed the session there; for a side without its log */
export function classify(place: Place, stored: StoredSession | undefined, wasRemoved: boolean): SideState {
  if (stored === undefined) return { is: wasRemoved ? 'removed' : 'missing' };
  const { kind, device } = factsOf(stored);
  if (kind === 'mark' && (place === 'here' || isEmpty(stored))) return { is: 'mark', stored };
  if (kind === 'row' && place === 'here') return { is: 'row', stored };
  return { is: 'log', stored, device, isUntouchedFork: kind === 'kept' };
}

/** Whether the content of a mark says that it is one, too: a codec binds it better than the name of a write. */
function isEmpty({ events: [first, ...rest], summary }: StoredSession): boolean {
  return first?.type === 'session.started' && rest.length === 0 && summary.messageCount === 0;
}
