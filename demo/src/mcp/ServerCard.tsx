import { type ReactElement, useEffect, useState } from 'react';
import type { AllTexts } from '../texts/en/rooms.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { Switch } from '../ui/Switch.tsx';
import { AccessToken } from './AccessToken.tsx';
import { reconnect } from './connections.ts';
import type { ServerState } from './states.ts';
import { ServerProblem } from './ServerProblem.tsx';
import { changeServer } from './servers.ts';
import { ServerTools } from './ServerTools.tsx';
import type { Rules } from './useRules.ts';
import type { ServerView } from './useServers.ts';

interface ServerCardProps {
  readonly view: ServerView;
  readonly rules: Rules;
  /** Whether the card is expanded before the user has chosen. */
  readonly isOpen: boolean;
  readonly onRemove: (name: string) => void;
}

/** One server: its connection, its tools, and what the user has decided about them. */
export function ServerCard({ view: { stored, state }, rules, isOpen, onRemove }: ServerCardProps): ReactElement {
  const { mcp: words } = useAllTexts();
  const [isShown, setIsShown] = useState(isOpen);
  useEffect(() => setIsShown((shown) => shown || isOpen), [isOpen]);
  const { name, url, isOn, isTrusted } = stored;
  const { host } = new URL(url);
  const server = 'server' in state ? state.server : undefined;
  return (
    <details className="server" open={isShown} onToggle={(event) => setIsShown(event.currentTarget.open)}>
      <summary>
        <span className={`dot ${dots[state.is]}`} />
        <span className="server-name">
          <bdi>{host}</bdi>
          <small>{describeState(state, words)}</small>
        </span>
        <Icon name="chevron" />
      </summary>
      {isShown && (
        <div className="server-body">
          <p className="hint server-address">
            <bdi>{url}</bdi>
          </p>
          <ServerProblem name={name} state={state} />
          {server && <ServerTools stored={stored} server={server} rules={rules} />}
          {server && (
            <Switch
              label={words.trust}
              hint={words.trustHint}
              isOn={isTrusted}
              onChange={(next) => changeServer(name, { isTrusted: next })}
            />
          )}
          {isOn && <AccessToken stored={stored} state={state} />}
          <div className="buttons">
            {state.is === 'connected' && (
              <button type="button" onClick={() => reconnect(name)}>
                <Icon name="refresh" />
                <span>{words.refresh}</span>
              </button>
            )}
            <button type="button" onClick={() => changeServer(name, { isOn: !isOn })}>
              {isOn ? words.switchOff : words.switchOn}
            </button>
            <button
              type="button"
              className="quiet"
              aria-label={words.removeServer(host)}
              onClick={() => onRemove(name)}
            >
              <Icon name="trash" />
              <span>{words.remove}</span>
            </button>
          </div>
        </div>
      )}
    </details>
  );
}

const dots: Readonly<Record<ServerState['is'], string>> = {
  off: 'idle',
  connecting: 'locked',
  'signing-in': 'locked',
  connected: '',
  failed: 'keyless',
};

function describeState(state: ServerState, words: AllTexts['mcp']): string {
  switch (state.is) {
    case 'off':
      return words.states.off;
    case 'connecting':
      return words.states.connecting;
    case 'signing-in':
      return words.states.signingIn;
    case 'connected':
      return words.tools(state.server.getTools().length);
    case 'failed':
      return words.states.failed;
  }
}
