import { type ReactElement, type SubmitEvent, useId, useRef, useState } from 'react';
import { useVaultAction } from '../keys/useVaultAction.ts';
import { useVault } from '../keys/vault.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { reconnect } from './connections.ts';
import { isSignIn } from './signIns.ts';
import type { ServerState } from './states.ts';
import type { StoredServer } from './servers.ts';
import { toAccessToken } from './toAccessToken.ts';
import { pastedId, pastedTokens } from './vaultTokens.ts';

interface AccessTokenProps {
  readonly stored: StoredServer;
  readonly state: ServerState;
}

/** The access token of a server without a sign-in: the user pastes it, and the vault keeps it. It is never shown again. */
export function AccessToken({ stored: { name, url }, state }: AccessTokenProps): ReactElement {
  const { mcp: words } = useAllTexts();
  const { keys, status } = useVault();
  const { error, isBusy, run } = useVaultAction();
  const field = useRef<HTMLInputElement>(null);
  const [isInvalid, setIsInvalid] = useState(false);
  const problemId = useId();
  const key = keys.find(({ id }) => id === pastedId(url));
  const isRefused = state.is === 'failed' && isSignIn(state.error);
  const [isOpen, setIsOpen] = useState<boolean>();
  const isLocked = status === 'locked';

  const save = async (token: string): Promise<void> => {
    if (await run(() => pastedTokens.save(url, token))) reconnect(name);
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const input = field.current;
    const token = toAccessToken(input?.value ?? '');
    setIsInvalid(token === undefined);
    if (input === null || token === undefined) return;
    input.value = '';
    void save(token);
  };

  return (
    <details
      className="suggested access-token"
      open={isOpen ?? isRefused}
      onToggle={({ currentTarget }) => currentTarget.open !== (isOpen ?? isRefused) && setIsOpen(currentTarget.open)}
    >
      <summary>
        <Icon name="chevron" />
        {words.token}
      </summary>
      <p className="hint">{status === 'memory' ? words.tokenInMemory : words.tokenStored}</p>
      {key && (
        <p className="access-token-kept">
          <Icon name="key" />
          <span>{key.lastFour === undefined ? words.tokenKept : words.tokenEndsIn(key.lastFour)}</span>
          {!isLocked && (
            <button type="button" disabled={isBusy} onClick={() => void save('')}>
              {words.removeToken}
            </button>
          )}
        </p>
      )}
      {key && isRefused && <p className="hint bad">{words.tokenRefused}</p>}
      {!isLocked && (
        <form className="add-row" noValidate autoComplete="off" onSubmit={onSubmit}>
          <label className="stacked grow">
            <span>{key ? words.otherToken : words.pasteToken}</span>
            <input
              ref={field}
              type="password"
              required
              autoComplete="off"
              data-1p-ignore=""
              data-lpignore="true"
              spellCheck={false}
              aria-invalid={isInvalid}
              aria-describedby={isInvalid ? problemId : undefined}
              onChange={() => setIsInvalid(false)}
            />
          </label>
          <button type="submit" disabled={isBusy}>
            {words.useToken}
          </button>
        </form>
      )}
      {(isInvalid || error) && (
        <p id={problemId} className="hint bad" role="alert">
          {error?.message ?? words.invalidToken}
        </p>
      )}
    </details>
  );
}
