import type { AgentError } from 'brooklet';
import { MCPError, type MCPProblem } from 'brooklet/mcp';
import type { ReactElement } from 'react';
import { UnlockForm } from '../keys/UnlockForm.tsx';
import type { AllTexts } from '../texts/en/rooms.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { reconnect } from './connections.ts';
import { isSignIn, signIn } from './signIns.ts';
import type { ServerState } from './states.ts';

interface ServerProblemProps {
  readonly name: string;
  readonly state: ServerState;
}

/** Why a server cannot be used now, with the action that helps. `null` for a server without a problem. */
export function ServerProblem({ name, state }: ServerProblemProps): ReactElement | null {
  const { mcp: words, common } = useAllTexts();
  if (state.is === 'signing-in')
    return (
      <div className="server-problem">
        <p>{state.address === undefined ? words.signingIn : words.blocked}</p>
        <div className="buttons">
          {state.address !== undefined && (
            <a className="button primary" href={state.address} target="_blank" rel="noreferrer">
              {words.openSignIn}
            </a>
          )}
          <button type="button" onClick={state.cancel}>
            {common.cancel}
          </button>
        </div>
      </div>
    );
  if (state.is !== 'failed') return null;
  const { error } = state;
  if (error.code === 'AUTHENTICATION_LOCKED')
    return (
      <div className="server-problem">
        <p>{words.locked}</p>
        <UnlockForm />
      </div>
    );
  const { title, advice } = explain(error, words);
  return (
    <div className={isSignIn(error) ? 'server-problem' : 'server-problem is-bad'} role="alert">
      <p>
        <strong>{title}</strong>
        {advice !== undefined && <> {advice}</>}
      </p>
      <details>
        <summary>
          <Icon name="chevron" />
          {words.details}
        </summary>
        <p className="hint">
          <bdi>{error.message}</bdi>
        </p>
      </details>
      <div className="buttons">
        {isSignIn(error) && (
          <button type="button" className="primary" onClick={() => signIn(name)}>
            {words.signIn}
          </button>
        )}
        <button type="button" onClick={() => reconnect(name)}>
          {common.retry}
        </button>
      </div>
    </div>
  );
}

type Problem = Exclude<keyof AllTexts['mcp']['problems'], 'other'>;

/** Problems that a person meets, each with its own words. The message of the error, for the owner of the server, is in the details. */
const known: { readonly [problem in MCPProblem]?: Problem } = {
  cors: 'cors',
  'sign-in': 'signIn',
  forbidden: 'forbidden',
  version: 'version',
  'not-mcp': 'notMCP',
  redirect: 'redirect',
  offline: 'offline',
  unreachable: 'unreachable',
  timeout: 'unreachable',
  failed: 'failed',
};

function explain(
  error: AgentError,
  { problems }: AllTexts['mcp'],
): { readonly title: string; readonly advice?: string } {
  const problem = error instanceof MCPError ? known[error.problem] : undefined;
  return problem === undefined ? { title: problems.other } : problems[problem];
}
