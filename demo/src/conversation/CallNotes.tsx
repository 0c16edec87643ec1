import type { AgentSession, ToolPart } from 'brooklet';
import type { ReactElement } from 'react';
import { CallServer } from '../mcp/CallServer.tsx';
import { serverNameOf } from '../mcp/serverNameOf.ts';
import { UntrustedNote } from '../mcp/UntrustedNote.tsx';

interface CallNotesProps {
  readonly session: AgentSession;
  readonly call: ToolPart;
}

/** What a person has to know before the decision on a call: which untrusted content came before, and whose tool it is. */
export function CallNotes({ session, call }: CallNotesProps): ReactElement {
  return (
    <>
      <UntrustedNote session={session} call={call} />
      {serverNameOf(call.name) !== undefined && <CallServer call={call} />}
    </>
  );
}
