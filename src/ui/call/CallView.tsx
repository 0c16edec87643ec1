import { type ReactElement, useState } from 'react';
import type { ToolPart } from '../../core/model/index.ts';
import { useLabels } from '../labels/useLabels.ts';
import { useParts } from '../parts.ts';
import { useThread } from '../thread/threadContext.ts';
import { ChildSession } from './ChildSession.tsx';
import { Decision } from './Decision.tsx';
import { describeLoss } from './decision.ts';
import { ToolCall } from './ToolCall.tsx';

/** A call of a thread: its card, the form of its decision while it waits for one, and the session that works on it. */
export function CallView({ call }: { readonly call: ToolPart }): ReactElement {
  const { ToolCall: Card = ToolCall } = useParts();
  const words = useLabels('tool', undefined);
  const thread = useThread();
  /** Outlives the form: another tab may decide first, and the form is gone then. */
  const [wasLate, setWasLate] = useState(false);
  const isAwaiting = call.status === 'awaiting-approval' && call.approval?.proposal === undefined;
  return (
    <>
      <Card call={call}>
        {isAwaiting && thread?.session ? (
          <Decision call={call} thread={thread} session={thread.session} onLate={() => setWasLate(true)} />
        ) : undefined}
      </Card>
      {call.session !== undefined && thread?.session && <ChildSession id={call.session} call={call} thread={thread} />}
      {wasLate && !isAwaiting && (
        <p className="bk-bad" role="alert">
          {describeLoss(call, words)}
        </p>
      )}
    </>
  );
}
