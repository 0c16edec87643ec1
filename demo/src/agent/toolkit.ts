import type { Agent } from 'brooklet';
import { createPresenter } from 'brooklet/tools';
import { filter, map, type Observable, take, tap } from 'rxjs';
import { textIn } from '../base/json.ts';
import { watchArrival } from '../devices/arrival.ts';
import { engine } from '../base/engine.ts';
import { serverNameOf } from '../mcp/serverNameOf.ts';
import { servers } from '../mcp/servers.ts';
import { skillSources } from '../skills/list.ts';
import { tools } from '../tools/tools.ts';
import { guard } from '../trust/holding.ts';
import { workspace } from '../workspace/place.ts';

const presentOwn = createPresenter();

/**
 * Presents the results of tools that have no `present` of their own, and previews an edit before its approval. The result of a server is
 * summed up by its first line, whatever the server calls its tool.
 */
export const present: typeof presentOwn = (name, input, output, isError) => {
  const presentation = presentOwn(name, input, output, isError);
  return serverNameOf(name) === undefined ? presentation : { ...presentation, summary: firstLineOf(output) };
};

function firstLineOf(output: unknown): string {
  const text = typeof output === 'string' ? output : textOf(output);
  return (text.trim().split('\n', 1)[0] ?? '').slice(0, 120);
}

function textOf(output: unknown): string {
  const parts: readonly unknown[] = Array.isArray(output) ? output : [];
  return parts.map((part) => textIn(part, 'text')).find((text) => text !== '') ?? JSON.stringify(output) ?? '';
}

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
export async function addTools(agent: Agent): Promise<void> {
  for (const tool of tools) agent.addTool(guard(tool));
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
