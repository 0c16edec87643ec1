import type { ToolPart } from 'brooklet';
import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { findTool } from './findTool.ts';
import { getStates, states$ } from './states.ts';
import { serverNameOf } from './serverNameOf.ts';
import { ServerProblem } from './ServerProblem.tsx';
import { servers } from './servers.ts';
import { ToolChange } from './ToolChange.tsx';
import '../styles/extensions.css';

/** For the card of a call that waits: the server that would run it, whether the server answers, and what the server has changed. */
export function CallServer({ call }: { readonly call: ToolPart }): ReactElement | null {
  const { mcp: words } = useAllTexts();
  const states = useObservable(states$, getStates);
  const name = serverNameOf(call.name) ?? '';
  const stored = servers.get().find((server) => server.name === name);
  const state = states.get(name);
  const { previous, definition } = findTool(call.name) ?? {};
  if (!stored || !state) return <p className="hint">{words.fromUnknown(name)}</p>;
  const { host } = new URL(stored.url);
  return (
    <>
      <p className="hint">{words.from(host)}</p>
      {state.is === 'connecting' && <p className="hint">{words.states.connecting}</p>}
      {state.is === 'off' && <p className="hint">{words.isOff(host)}</p>}
      <ServerProblem name={name} state={state} />
      {previous && definition && <ToolChange before={previous} now={definition} />}
    </>
  );
}
