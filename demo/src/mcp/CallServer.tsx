import type { ToolPart } from 'brooklet';
import type { ReactElement } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { findTool } from './findTool.ts';
import { serverNameOf } from './serverNameOf.ts';
import { ServerProblem } from './ServerProblem.tsx';
import { ToolChange } from './ToolChange.tsx';
import { useServers } from './useServers.ts';
import '../styles/extensions.css';

/** For the card of a call that waits: the server that would run it, whether the server answers, and what the server has changed. */
export function CallServer({ call }: { readonly call: ToolPart }): ReactElement {
  const { mcp: words } = useAllTexts();
  const name = serverNameOf(call.name) ?? '';
  const server = useServers().find(({ stored }) => stored.name === name);
  const { previous, definition } = findTool(call.name) ?? {};
  if (!server) return <p className="hint">{words.fromUnknown(name)}</p>;
  const { stored, state } = server;
  const { host } = new URL(stored.url);
  // A server has no connection before the code of the servers is loaded.
  const isConnecting = stored.isOn && (state.is === 'connecting' || state.is === 'off');
  return (
    <>
      <p className="hint">{words.from(host)}</p>
      {isConnecting && <p className="hint">{words.states.connecting}</p>}
      {!stored.isOn && <p className="hint">{words.isOff(host)}</p>}
      <ServerProblem name={name} state={state} />
      {previous && definition && <ToolChange before={previous} now={definition} />}
    </>
  );
}
