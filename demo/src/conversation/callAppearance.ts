import type { ToolPart } from 'brooklet';
import type { Texts } from '../texts/en/en.ts';
import { tabName } from '../tab.ts';
import type { IconName } from '../ui/Icon.tsx';

/** How a call looks in its state. */
export interface Appearance {
  readonly icon: IconName;
  readonly label: string;
  readonly tone: 'busy' | 'asking' | 'good' | 'bad' | 'calm';
}

/** Returns how a call looks in its state. */
export function appearanceOf(call: ToolPart, { status: text }: Texts['tool']): Appearance {
  switch (call.status) {
    case 'streaming':
      return { icon: 'tool', label: text.writing, tone: 'busy' };
    case 'requested':
    case 'approved':
    case 'edited':
      return { icon: 'tool', label: text.starting, tone: 'busy' };
    case 'started':
      return { icon: 'tool', label: text.running, tone: 'busy' };
    case 'awaiting-approval':
      return call.approval?.elicitation === undefined
        ? { icon: 'hand', label: text.waiting, tone: 'asking' }
        : { icon: 'question', label: text.asks, tone: 'asking' };
    case 'succeeded':
      return { icon: 'check', label: text.done, tone: 'good' };
    case 'failed':
      return { icon: 'alert', label: text.failed, tone: 'bad' };
    case 'timed-out':
      return { icon: 'alert', label: text.timedOut, tone: 'bad' };
    case 'invalid':
      return { icon: 'alert', label: text.invalid, tone: 'bad' };
    case 'uncertain':
      return { icon: 'alert', label: text.uncertain, tone: 'bad' };
    case 'rejected':
      return {
        icon: 'close',
        label: call.approval?.decidedBy === 'rule' ? text.notRun : text.declined,
        tone: 'calm',
      };
    case 'expired':
      return { icon: 'close', label: text.expired, tone: 'calm' };
    case 'cancelled':
      return { icon: 'close', label: text.cancelled, tone: 'calm' };
  }
}

/** Returns the verdict of a user on a call; `undefined` if no user has decided. */
function verdictOf({ approval, editedInput }: ToolPart, words: Texts['tool']): string | undefined {
  if (approval === undefined || approval.decidedBy !== 'user') return undefined;
  if (approval.verdict === 'rejected') return words.verdicts.rejected;
  if (approval.elicitation !== undefined) return words.verdicts.answered;
  return editedInput ? words.verdicts.changed : words.verdicts.approved;
}

/** Describes the decision of a user on a call, and in which tab it was made. */
export function describeDecision(call: ToolPart, words: Texts['tool']): string | undefined {
  const verdict = verdictOf(call, words);
  const tab = call.approval?.userName;
  if (verdict === undefined || tab === undefined) return verdict;
  return tab === tabName ? words.inThisTab(verdict) : words.inOtherTab(verdict, tab);
}

/** Describes why a decision that was made here does not count. */
export function describeLoss(call: ToolPart, words: Texts['tool']): string {
  const verdict = verdictOf(call, words);
  const tab = call.approval?.userName;
  return verdict === undefined || tab === undefined || tab === tabName
    ? words.tooLate
    : words.tooLateOther(verdict, tab);
}
