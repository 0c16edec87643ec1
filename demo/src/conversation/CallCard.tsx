import type { ToolPart } from 'brooklet';
import { isJsonObject } from 'brooklet/core';
import { useObservable } from 'brooklet/react';
import { ToolCall, type ToolCallProps } from 'brooklet/ui';
import { lazy, type ReactElement, type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react';
import { getCallId, route$ } from '../base/route.ts';
import { hasInterface } from '../mcp/interfaces.ts';
import { serverLabelOf } from '../mcp/servers.ts';
import { CallNotes, RuleNote } from './rooms.ts';
import { useTexts } from '../texts/useTexts.ts';
import { withSummary } from '../texts/summaries.ts';
import { useShownChat } from '../model/ShownChat.ts';

const CallInterface = lazy(async () => ({ default: (await import('../mcp/CallInterface.tsx')).CallInterface }));
const UndoChange = lazy(async () => ({ default: (await import('../workspace/UndoChange.tsx')).UndoChange }));

/** A call with what only Studio knows of it: its server, its interface, its rule, and what takes a change of a file back. */
export function CallCard({ call: stored, children, ...props }: ToolCallProps): ReactElement {
  const isAsking = children !== undefined;
  const texts = useTexts();
  const call = useMemo(() => withSummary(stored, texts), [stored, texts]);
  const card = (
    <ToolCall
      {...props}
      call={call}
      tag={serverLabelOf(call)}
      isOpen={showsInterface(call) ? true : undefined}
      renderBody={(usual) => (
        <Body call={call} isAsking={isAsking}>
          {usual}
        </Body>
      )}
    >
      {children}
    </ToolCall>
  );
  return stored.session === undefined ? card : <CalledPlace callId={stored.callId}>{card}</CalledPlace>;
}

interface CalledPlaceProps {
  readonly callId: string;
  readonly children: ReactNode;
}

/** Shows and focuses the call that the address names: the conversation of its agent leads back to it. */
function CalledPlace({ callId, children }: CalledPlaceProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const called = useObservable(route$, getCallId);
  useEffect(() => {
    if (called !== callId) return undefined;
    // After the conversation has gone to its end.
    const frame = requestAnimationFrame(() => {
      place.current?.scrollIntoView({ block: 'center' });
      place.current?.querySelector('summary')?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [called, callId]);
  return <div ref={place}>{children}</div>;
}

interface BodyProps {
  readonly call: ToolPart;
  /** Whether the card has the form of a decision. */
  readonly isAsking: boolean;
  /** The form, or the record of the call. */
  readonly children: ReactNode;
}

function Body({ call, isAsking, children }: BodyProps): ReactElement {
  const session = useShownChat()?.session;
  const { tool: words } = useTexts();
  const isChange = call.status === 'succeeded' && (call.name === 'write_file' || call.name === 'patch_file');
  const content = isAsking ? (
    // What a person has to know is there before the form of the decision is.
    <Suspense fallback={null}>
      {session && <CallNotes session={session} call={call} />}
      {children}
    </Suspense>
  ) : (
    <>
      {children}
      <Suspense fallback={null}>
        {isChange && <UndoChange call={call} />}
        {session && call.approval?.decidedBy === 'rule' && <RuleNote session={session} call={call} />}
        <p className="hint">
          {words.function} <code>{call.name}</code>
        </p>
      </Suspense>
    </>
  );
  if (!session || !showsInterface(call)) return content;
  return (
    <Suspense fallback={null}>
      <CallInterface session={session} call={call}>
        {content}
      </CallInterface>
    </Suspense>
  );
}

/** Whether the tool has shown an interface for a call. An interface that calls a tool itself shows the result on its own. */
function showsInterface({ name, startedAt, provider }: ToolPart): boolean {
  const isOfInterface = isJsonObject(provider) && 'mcp-app' in provider;
  return startedAt !== undefined && !isOfInterface && hasInterface(name);
}
