import type { Agent, Tool } from 'brooklet';
import { filter, map, type Observable, take, tap } from 'rxjs';
import { watchArrival } from '../devices/arrival.ts';
import { engine } from '../base/engine.ts';
import { servers } from '../mcp/servers.ts';
import { skillSources } from '../skills/list.ts';
import { guard } from '../trust/holding.ts';
import { workspace } from '../workspace/place.ts';

/** Tools that depend on what the user has added. Their code is loaded when there is something. */
interface Extension {
  start(agent: Agent): void;
  /** Resolves when the tools are there, as far as they can be. */
  settled(): Promise<void>;
}

/**
 * Adds the page's own tools to the agent at once, then those of the workspace, the skills and the servers of the user, as soon as there are
 * any. Resolves when these are there. Never rejects: without them the agent still answers.
 */
export async function addTools(agent: Agent, own: readonly Tool[]): Promise<void> {
  for (const tool of own) agent.addTool(guard(tool));
  watchArrival();
  engine.value$
    .pipe(filter(Boolean), take(1))
    .subscribe(() => void import('../devices/sync.ts').then(({ start }) => start()));
  const startWhen = (isWanted$: Observable<boolean>, load: () => Promise<Extension>): Promise<void> =>
    new Promise((resolve) => {
      const start = async (): Promise<void> => {
        const extension = await load();
        extension.start(agent);
        await extension.settled();
      };
      const wanted$ = isWanted$.pipe(
        tap((isWanted) => isWanted || resolve()),
        filter(Boolean),
        take(1),
      );
      wanted$.subscribe(() => void start().then(resolve, () => resolve()));
    });
  await Promise.all([
    startWhen(workspace.value$.pipe(map((place) => place !== 'off')), () => import('../workspace/offerWorkspace.ts')),
    startWhen(skillSources.value$.pipe(map((list) => list.length > 0)), () => import('../skills/offerSkills.ts')),
    startWhen(servers.value$.pipe(map((list) => list.length > 0)), () => import('../mcp/connections.ts')),
  ]);
}
