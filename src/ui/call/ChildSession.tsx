import type { ReactElement } from 'react';
import type { AgentSession } from '../../index.ts';
import { extractTextContent, type Message, type ToolPart } from '../../core/model/index.ts';
import { useAgent, useObservable, useSession, type UseSessionResult } from '../../react/index.ts';
import { part } from '../base/part.ts';
import { visible } from '../base/visible.ts';
import { useLabels } from '../labels/useLabels.ts';
import { useParts } from '../parts.ts';
import type { ThreadEnv } from '../thread/threadContext.ts';
import { Decision } from './Decision.tsx';
import { ToolCall } from './ToolCall.tsx';

/** Characters of the last text that are shown. */
const maxText = 240;
const nothing = (): void => {};

interface ChildSessionProps {
  /** Of the session. */
  readonly id: string;
  readonly call: ToolPart;
  readonly thread: ThreadEnv;
}

/** The session that works on a call, below its card: what it does and says now, the calls that wait in it, and what opens it. */
export function ChildSession({ id, call, thread }: ChildSessionProps): ReactElement | null {
  const words = useLabels('tool', undefined);
  const isLive = call.status === 'started' || call.status === 'uncertain';
  const { session, status } = useChild(isLive ? id : undefined);
  const { onOpenSession } = thread;
  if (!isLive && onOpenSession === undefined) return null;
  return (
    <div {...part('child-session', undefined, isLive ? status : 'ended')}>
      {isLive && session && <Live session={session} thread={thread} status={status ? words.child[status] : ''} />}
      {onOpenSession && (
        <button type="button" className="bk-button" data-state="quiet" onClick={() => onOpenSession(id)}>
          {words.openChild}
        </button>
      )}
    </div>
  );
}

/** Returns the session as soon as it exists: its call states its id before. */
function useChild(id: string | undefined): ReturnType<typeof useChildStatus> {
  // React Compiler would keep the result of `getSession`: which sessions are in memory is not a state of React.
  'use no memo';
  const agent = useAgent();
  const known = useObservable(id === undefined ? undefined : agent.events$, () =>
    id === undefined ? undefined : agent.getSession(id),
  );
  const opened = useSession(known ? undefined : id);
  return useChildStatus(known ?? opened.session);
}

function useChildStatus(session: AgentSession | undefined): Pick<UseSessionResult, 'session' | 'status'> {
  const status = useObservable(session?.status$, () => session?.getStatus());
  return { session, status };
}

interface LiveProps {
  readonly session: AgentSession;
  readonly thread: ThreadEnv;
  readonly status: string;
}

function Live({ session, thread, status }: LiveProps): ReactElement {
  const { ToolCall: Card = ToolCall } = useParts();
  const text = useObservable(session.messages$, () => lastText(session.getMessages()));
  const own = useObservable(session.approvals$, () => session.getApprovals());
  return (
    <>
      <p className="bk-child-line">
        <span className="bk-tag">{status}</span> <bdi>{visible(text)}</bdi>
      </p>
      {own.map((held) => (
        <Card key={held.callId} call={held}>
          <Decision call={held} thread={thread} session={session} onLate={nothing} />
        </Card>
      ))}
    </>
  );
}

/** The end of the last text of the agent. */
function lastText(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === 'assistant' && extractTextContent(message) !== '');
  const text = last ? extractTextContent(last).trim() : '';
  return text.length > maxText ? `…${text.slice(1 - maxText)}` : text;
}
