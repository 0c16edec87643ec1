import { BehaviorSubject, distinctUntilChanged, map, merge } from 'rxjs';
import type { Agent } from '../core/agent/agent.ts';
import type { ScheduledPrompt } from '../core/agent/scheduled-prompt.ts';
import { type AgentError, fromErrorInfo, toErrorInfo } from '../core/error.ts';
import type { HeldPrompts } from './protocol.ts';

type Prompts = readonly ScheduledPrompt[];

/** Returns why prompts that are due have not been sent. */
export function toHeld(prompts: Prompts): HeldPrompts {
  return Object.fromEntries(prompts.flatMap(({ id, error }) => (error ? [[id, toErrorInfo(error)]] : [])));
}

/** The planned prompts of a page, with the errors of the worker that sends them. */
export interface PagePrompts extends Pick<Agent, 'schedules$' | 'getSchedules'> {
  /** Takes the errors of the worker, in the place of those before; none where there is no worker. */
  readonly note: (held: HeldPrompts) => void;
  /** Completes `schedules$`. */
  readonly close: () => void;
}

export function createPagePrompts({
  schedules$,
  getSchedules,
}: Pick<Agent, 'schedules$' | 'getSchedules'>): PagePrompts {
  const held$ = new BehaviorSubject<ReadonlyMap<string, AgentError>>(new Map());
  let last: { readonly prompts: Prompts; readonly held: unknown; readonly list: Prompts } | undefined;

  /** Returns the same list while nothing has changed: React reads it at each render. */
  function withErrors(prompts: Prompts): Prompts {
    const held = held$.value;
    if (last?.prompts !== prompts || last.held !== held) {
      const list = prompts.map((prompt) => {
        const error = held.get(prompt.id);
        return error ? { ...prompt, error } : prompt;
      });
      last = { prompts, held, list: held.size > 0 ? list : prompts };
    }
    return last.list;
  }

  return {
    schedules$: merge(schedules$, held$).pipe(
      map(() => withErrors(getSchedules())),
      distinctUntilChanged(),
    ),
    getSchedules: () => withErrors(getSchedules()),
    note: (held) => held$.next(new Map(Object.entries(held).map(([id, error]) => [id, fromErrorInfo(error)]))),
    close: () => held$.complete(),
  };
}
