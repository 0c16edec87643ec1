import { readAnswer, readChatInput, readDecision } from '../core/session/read-arguments.ts';
import { readRunOptions } from '../core/session/run-settings.ts';
import type { ChatVerbs } from './chatVerbs.ts';

type Prepare = {
  readonly [Name in keyof ChatVerbs]?: (...args: Parameters<ChatVerbs[Name]>) => (verbs: ChatVerbs) => Promise<unknown>;
};

const prepare: Prepare = {
  regenerate(messageId, options = {}) {
    const copy = readRunOptions(options, 'regenerate');
    return (verbs) => verbs.regenerate(messageId, copy);
  },
  resume(options = {}) {
    const copy = readRunOptions(options, 'resume');
    return (verbs) => verbs.resume(copy);
  },
  edit(messageId, input, options = {}) {
    const copies = [readChatInput(input), readRunOptions(options, 'edit')] as const;
    return (verbs) => verbs.edit(messageId, ...copies);
  },
  approve(callId, options = {}) {
    const copy = readDecision(options, 'approve');
    return (verbs) => verbs.approve(callId, copy);
  },
  reject(callId, options = {}) {
    const copy = readDecision(options, 'reject');
    return (verbs) => verbs.reject(callId, copy);
  },
  answer(callId, answer, options = {}) {
    const copies = [readAnswer(answer), readDecision(options, 'answer')] as const;
    return (verbs) => verbs.answer(callId, ...copies);
  },
};

/**
 * How the actions of a chat are called with copies of what they were given: an action awaits its code and its session before the session
 * copies. The arguments of the other actions are strings, numbers and files, which cannot change. Each function throws AgentError
 * `INVALID_INPUT` for an argument of the wrong shape.
 */
export const callsWithCopies: Readonly<
  Partial<Record<keyof ChatVerbs, (...args: readonly never[]) => (verbs: ChatVerbs) => Promise<unknown>>>
> = prepare;
