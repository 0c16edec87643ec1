import { type AgentError, toAgentError } from 'brooklet';
import { MCPError } from 'brooklet/mcp';
import { accessTo, whenBlocked } from './access.ts';
import { reconnect } from './connections.ts';
import { forgetSignIn, noteSignIn } from './signInNote.ts';
import { findServer } from './servers.ts';
import { type ServerState, setState, stateOf } from './states.ts';
import { pastedTokens } from './vaultTokens.ts';

/** Lets the user sign in. Call it by a click: the browser blocks other windows. */
export function signIn(name: string): void {
  const stored = findServer(name);
  if (!stored) return;
  const before = stateOf(name);
  const cancelling = new AbortController();
  const cancel = (): void => cancelling.abort();
  // The server may have been removed, or switched off, meanwhile.
  const setOwn = (state: ServerState): void => {
    const now = stateOf(name);
    if (now.is === 'signing-in' && now.cancel === cancel) setState(name, state);
  };
  setState(name, { is: 'signing-in', cancel });
  whenBlocked(stored.url, (address) => setOwn({ is: 'signing-in', address, cancel }));
  noteSignIn(name);
  accessTo(stored.url)
    .signIn(stored.url, { signal: cancelling.signal })
    .then(
      () => {
        setOwn(before);
        reconnect(name);
      },
      (thrown: unknown) => {
        forgetSignIn(name);
        setOwn(cancelling.signal.aborted ? before : { ...before, is: 'failed', error: toAgentError(thrown) });
      },
    );
}

/** Forgets the tokens of a server. Never rejects: a token that is locked stays until the keys are erased. */
export async function signOut(url: string): Promise<void> {
  await Promise.allSettled([accessTo(url).signOut(url), pastedTokens.save(url, '')]);
}

/** Whether the user can sign in to make an error go away. */
export function isSignIn(error: AgentError): boolean {
  return error instanceof MCPError && error.problem === 'sign-in';
}
