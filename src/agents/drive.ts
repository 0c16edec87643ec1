import { toAgentError } from '../core/error.ts';
import { when } from '../core/log/current.ts';
import type { Budget } from '../core/model/settings.ts';
import { isUnderWay, statusOf } from '../core/model/status.ts';
import type { ChildSession } from '../core/tools/family.ts';

/** Writes of a session that are refused in a row, before its call fails. */
const mostConflicts = 5;

/**
 * Lets a session work on its call, whatever happened to it before, and resolves at the end of its run: it sends the prompt to a new session,
 * waits for a run that is under way here or in another tab, and resumes a run that was cut or has reached the limit of a session above.
 *
 * Rejects with what the session throws.
 */
export async function drive(
  child: ChildSession,
  prompt: string,
  budget: Budget | undefined,
  signal: AbortSignal,
): Promise<void> {
  /** Whether the last run has ended as this tab drove it for this attempt. */
  let isDone = false;
  let conflicts = 0;
  while (!signal.aborted) {
    const state = child.getState();
    if (isUnderWay(statusOf(state))) {
      // Another tab runs it, or a person has decided one of its calls.
      const isOver = await when(child.status$, (status) => !isUnderWay(status));
      if (!isOver) return;
      continue;
    }
    const { run } = state;
    if (isDone || (run !== undefined && !mayGoOn(run))) return;
    try {
      const options = budget && { budget };
      isDone = true;
      const message = { id: `prompt-of-${child.id}`, content: prompt };
      const { error } = await (run === undefined ? child.send(message, options) : child.resume());
      // The write of this tab was refused: the log is that of the other tab now.
      if (error?.code === 'STORAGE_CONFLICT' && conflicts++ < mostConflicts) isDone = false;
    } catch (thrown) {
      // Another tab was first.
      if (toAgentError(thrown).code !== 'SESSION_BUSY') throw thrown;
      isDone = false;
    }
  }
}

/** Whether a run continues by itself when its call does: a person has stopped no part of it, and no limit of its own. */
function mayGoOn({ outcome, account }: NonNullable<ReturnType<ChildSession['getState']>['run']>): boolean {
  return outcome === 'interrupted' || outcome === 'failed' || (outcome === 'limit' && account !== undefined);
}
