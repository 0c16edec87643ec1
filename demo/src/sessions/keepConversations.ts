import type { Agent } from 'brooklet';
import { keepStorage } from 'brooklet/storage';
import { filter, take } from 'rxjs';

/**
 * Asks the browser to keep the conversations, once a visit, when the first answer is complete: then there is something to keep. Not where the
 * browser would ask the person: the settings have a button for that.
 *
 * @param keep replaces the request, for tests
 */
export function keepConversations(
  { events$ }: Pick<Agent, 'events$'>,
  keep: () => Promise<unknown> = keepStorage,
): void {
  const answered$ = events$.pipe(
    filter(({ event }) => event.type === 'run.ended' && event.outcome === 'completed'),
    take(1),
  );
  answered$.subscribe(() => void asksNobody().then((isSilent) => isSilent && keep()));
}

/** Whether the browser decides by itself. Safari, which erases the data of sites that are rarely visited, knows no such permission. */
async function asksNobody(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'persistent-storage' })).state !== 'prompt';
  } catch {
    return true;
  }
}
