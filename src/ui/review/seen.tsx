import type { ReactElement, ReactNode } from 'react';
import type { Message, Part, ToolPart } from '../../core/model/index.ts';
import { Approval } from '../call/Approval.tsx';
import { Question } from '../call/Question.tsx';
import { ToolCall } from '../call/ToolCall.tsx';
import { useParts } from '../parts.ts';
import type { ThreadEnv } from '../thread/threadContext.ts';
import { OpenBelow } from './tree/OpenBelow.tsx';

const nothing = async (): Promise<undefined> => undefined;
const ignore = async (): Promise<void> => {};
const never = async (): Promise<boolean> => false;

/** A thread in which nothing can be done: messages have no buttons, and forms cannot be filled in. */
export const seenThread: ThreadEnv = {
  session: undefined,
  actions: {
    edit: nothing,
    regenerate: nothing,
    selectAlternative: never,
    approve: never,
    reject: never,
    answer: never,
  },
  isBusy: true,
  held: undefined,
  renderPart: (content: Part): ReactNode => (content.type === 'tool' ? <SeenCall call={content} /> : undefined),
  renderVerbs: () => null,
  beforeDecision: undefined,
  onOpenSession: undefined,
  awaited: undefined,
  setAwaited: () => {},
};

/** A call as the person saw it, and what opens its session. */
function SeenCall({ call }: { readonly call: ToolPart }): ReactElement {
  return (
    <>
      <SeenCard call={call} />
      <OpenBelow sessionId={call.session} call={call} />
    </>
  );
}

/** While the call waited for a decision, with the form. */
function SeenCard({ call }: { readonly call: ToolPart }): ReactElement {
  const { ToolCall: Card = ToolCall, Approval: Form = Approval } = useParts();
  const { status, approval } = call;
  if (status !== 'awaiting-approval' || approval?.proposal !== undefined) return <Card call={call} />;
  return (
    <Card call={call}>
      <fieldset disabled className="bk-seen-form">
        {approval?.elicitation ? (
          <Question call={call} schema={approval.elicitation} onAnswer={ignore} onDecline={ignore} />
        ) : (
          <Form call={call} onApprove={ignore} onReject={ignore} />
        )}
      </fieldset>
    </Card>
  );
}

/** Returns a message without the times from which a clock runs: what waited or worked then does not now. */
export function withoutClocks(message: Message): Message {
  return message.content.some(hasClock) ? { ...message, content: message.content.map(withoutClock) } : message;
}

function hasClock(part: Part): boolean {
  if (part.type === 'tool') return part.status === 'started' || part.approval?.expiresAt !== undefined;
  return part.type === 'reasoning' && part.startedAt !== undefined;
}

function withoutClock(part: Part): Part {
  if (!hasClock(part)) return part;
  if (part.type === 'reasoning') {
    const { startedAt: _startedAt, ...rest } = part;
    return rest;
  }
  if (part.type !== 'tool') return part;
  const { startedAt: _startedAt, approval, ...call } = part;
  if (approval === undefined) return call;
  const { expiresAt: _expiresAt, ...decision } = approval;
  return { ...call, approval: decision };
}
