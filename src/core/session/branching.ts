import { fail } from '../error.ts';
import { alternativesOf } from '../model/alternatives.ts';
import { promptToAnswer } from '../model/commands.ts';
import { toMessage } from '../model/message.ts';
import { checkNew } from './check-new.ts';
import type { Guard } from './guard.ts';
import { settingsOf } from './run-settings.ts';
import type { Runs } from './runs.ts';
import type { ChatInput, RunOptions, RunResult } from './session.ts';
import type { SessionEnv } from './session-env.ts';
import { toEdited } from './to-edited.ts';

/**
 * The verbs that change which version of the conversation is shown. Loaded at the first use: the arguments are copies that were checked within
 * the call of the verb.
 */
interface Branching {
  edit(messageId: string, input: string | ChatInput, options: RunOptions): Promise<RunResult>;
  selectAlternative(messageId: string, version: number | string): Promise<void>;
}

interface BranchingDeps {
  readonly check: Guard;
  readonly runs: Runs;
  readonly until: (options: RunOptions, begin: () => Promise<RunResult>, promptId?: string) => Promise<RunResult>;
}

export function createBranching({ log, ports }: SessionEnv, { check, runs, until }: BranchingDeps): Branching {
  const { getState } = log;
  return {
    async edit(messageId, input, options) {
      check('idle');
      const before = promptToAnswer(getState(), messageId);
      const { id: supersedes } = before;
      const { input: edited, origin } = toEdited(before, input);
      checkNew(log, edited.id);
      const message = toMessage({ role: 'user', ...edited }, ports, origin);
      const base = settingsOf(getState(), supersedes);
      runs.check(options, base, supersedes);
      return until(options, () => runs.send(message, options, { base, supersedes }), message.id);
    },
    async selectAlternative(messageId, version) {
      check('idle');
      const { ids, index } = alternativesOf(getState(), messageId);
      const id =
        ids.find((one, at) => one === version || at === version) ??
        fail('MESSAGE_NOT_FOUND', `Message ${messageId} has no version ${version} in session ${getState().id}.`);
      if (id !== ids[index]) log.append({ type: 'alternative.selected', messageId: id });
    },
  };
}
