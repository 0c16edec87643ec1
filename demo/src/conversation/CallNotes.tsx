import type { AgentSession, ToolPart } from 'brooklet';
import { lazy, type ReactElement, Suspense } from 'react';
import { serverNameOf } from '../mcp/serverNameOf.ts';
import { UntrustedNote } from '../trust/UntrustedNote.tsx';

const CallServer = lazy(async () => ({ default: (await import('../mcp/CallServer.tsx')).CallServer }));

interface CallNotesProps {
  readonly session: AgentSession;
  readonly call: ToolPart;
}

/** What a person has to know before the decision on a call: which untrusted content came before, and whose tool it is. */
export function CallNotes({ session, call }: CallNotesProps): ReactElement {
  return (
    <>
      <UntrustedNote session={session} call={call} />
      {serverNameOf(call.name) !== undefined && (
        <Suspense fallback={null}>
          <CallServer call={call} />
        </Suspense>
      )}
    </>
  );
}
