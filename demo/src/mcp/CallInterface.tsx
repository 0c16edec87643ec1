import type { AgentSession, ToolPart } from 'brooklet';
import { useObservable } from 'brooklet/react';
import type { ReactElement, ReactNode } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { MCPInterface } from './MCPInterface.tsx';
import { serverNameOf } from './serverNameOf.ts';
import { findServer, servers } from './servers.ts';
import { getStates, states$ } from './states.ts';
import '../styles/extensions.css';
import '../styles/interfaces.css';

interface CallInterfaceProps {
  readonly session: AgentSession;
  readonly call: ToolPart;
  /** The record of the call, or the form of a decision that it waits for. */
  readonly children: ReactNode;
}

/** For the card of a call that has started: the interface of its tool, once the server is connected, and the record folded below it. */
export function CallInterface({ session, call, children }: CallInterfaceProps): ReactElement {
  const { mcp, interfaces: words } = useAllTexts();
  const name = serverNameOf(call.name) ?? '';
  const state = useObservable(states$, getStates).get(name);
  useObservable(servers.value$, servers.get);
  const stored = findServer(name);
  const server = state && 'server' in state ? state.server : undefined;
  const host = stored && new URL(stored.url).host;
  const isFolded = server !== undefined && call.status !== 'awaiting-approval';
  return (
    <>
      {server && <MCPInterface server={server} session={session} call={call} />}
      {!server && stored && host !== undefined && (
        <p className="hint">{stored.isOn ? words.notConnected(host) : words.isOff(host)}</p>
      )}
      {isFolded ? (
        <details className="suggested">
          <summary>
            <Icon name="chevron" />
            {mcp.details}
          </summary>
          <div className="interface-record">{children}</div>
        </details>
      ) : (
        children
      )}
    </>
  );
}
