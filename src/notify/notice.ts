import type { SessionEvent } from '../core/model/event.ts';
import type { SessionState } from '../core/model/state.ts';
import { callsAwaitingApproval } from '../core/model/status.ts';

/**
 * What happened: `ended`, a run has an answer; `failed`, a run has failed, was interrupted or has reached a limit; `asks`, a call waits for an
 * approval or an answer of a person.
 */
export type NoticeKind = 'ended' | 'failed' | 'asks';

/** Something that a person may want to know while no page of the agent is visible. */
export interface Notice {
  readonly kind: NoticeKind;
  readonly sessionId: string;
  /** Title of the session; empty where it has none. */
  readonly title: string;
}

/** A notification that can be taken back. */
export interface ShownNotice {
  readonly close: () => void;
}

/** What a notification is made of. */
export interface NotificationParts {
  readonly title: string;
  readonly body: string;
  /** One notification of a tag is shown at a time. */
  readonly tag: string;
  /** For the listener of `notificationclick` in a service worker. */
  readonly data: { readonly type: 'brooklet:notice'; readonly sessionId: string; readonly url?: string };
}

/** Returns the kind of an event, `undefined` for one that no person waits for: what a person has cancelled, for example. */
export function kindOf(event: SessionEvent, state: SessionState | undefined): NoticeKind | undefined {
  if (event.type === 'approval.requested') return 'asks';
  if (event.type !== 'run.ended' || event.outcome === 'cancelled' || state?.run?.isCompaction) return undefined;
  return event.outcome === 'completed' ? 'ended' : 'failed';
}

/** Whether nothing of an event is left to say: another run has begun, or the call has been decided. */
export function isOver(event: SessionEvent, state: SessionState): boolean {
  if (event.type === 'approval.requested')
    return !callsAwaitingApproval(state).some(({ callId }) => callId === event.callId);
  return event.type === 'run.ended' && (state.run?.id !== event.runId || state.run.outcome === undefined);
}

/** The sentences of a notification, by language. */
export const sentences: Readonly<Record<'en' | 'zh', Readonly<Record<NoticeKind, string>>>> = {
  en: {
    ended: 'The answer is complete.',
    failed: 'The answer has stopped.',
    asks: 'A call waits for your decision.',
  },
  zh: {
    ended: '回答已完成。',
    failed: '回答已中断。',
    asks: '有一个调用在等待你的决定。',
  },
};
