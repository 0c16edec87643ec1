import type { SessionEvent } from './event.ts';
import { isConcurrent } from './rebase.ts';
import type { Message } from './message.ts';
import type { RunSettings } from './settings.ts';

/** A message whose run was refused with it: another tab wrote first. */
export interface RefusedPrompt {
  readonly message: Message;
  /** Id of the message that was edited. */
  readonly supersedes?: string | undefined;
  readonly runId: string;
  readonly settings?: RunSettings | undefined;
}

/** The events of a refused write by how they continue. Events of runs are in none of the lists. */
export interface Refused {
  /** Sent again, each with a run of its own. */
  readonly prompts: readonly RefusedPrompt[];
  /** Appended again at once: they are valid beside the run of another tab. */
  readonly concurrent: readonly SessionEvent[];
  /** Appended again when no run is under way. */
  readonly later: readonly SessionEvent[];
}

/** Sorts the events of a user that the store has refused because another tab wrote first. */
export function sortRefused(events: readonly SessionEvent[]): Refused {
  const ended = new Set(events.map((event) => event.type === 'run.ended' && event.runId));
  const prompts = events.flatMap((event, index): readonly RefusedPrompt[] => {
    const started = events[index + 1];
    if (event.type !== 'message.added' || started?.type !== 'run.started' || ended.has(started.runId)) return [];
    return [{ message: event.message, supersedes: event.supersedes, runId: started.runId, settings: started.settings }];
  });
  return {
    prompts,
    concurrent: events.filter(isConcurrent),
    later: events.filter(
      (event) =>
        event.type === 'message.updated' ||
        event.type === 'message.removed' ||
        event.type === 'context.restored' ||
        event.type === 'rule.revoked' ||
        (event.type === 'message.added' && !prompts.some(({ message }) => message === event.message)),
    ),
  };
}
