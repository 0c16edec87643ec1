import { filter, firstValueFrom, map, race, timer } from 'rxjs';
import { serverNameOf } from './serverNameOf.ts';
import { stateOf, states$ } from './states.ts';

/** ms that a message waits for servers that are being connected. */
const longestWait = 5_000;

/** Resolves when no server is being connected any more, or after a while. */
export async function settled(): Promise<void> {
  const done$ = states$.pipe(filter((all) => [...all.values()].every(({ is }) => is !== 'connecting')));
  await firstValueFrom(race(done$, timer(longestWait)));
}

/** Resolves when the server of a tool is no longer being connected. Rejects with the error of a server that cannot be reached. */
export async function serverReady(toolName: string): Promise<void> {
  const name = serverNameOf(toolName) ?? '';
  const state = await firstValueFrom(
    states$.pipe(
      map(() => stateOf(name)),
      filter(({ is }) => is !== 'connecting'),
    ),
  );
  if (state.is === 'failed' && !state.server) throw state.error;
}
