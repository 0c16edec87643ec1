import { type AgentError, type AgentErrorCode, toAgentError } from 'brooklet';
import { useState } from 'react';
import type { AllTexts } from '../texts/en/rooms.ts';

/** An action of the vault, and how it went. */
export interface VaultAction {
  readonly isBusy: boolean;
  /** Why the last action failed. */
  readonly error: AgentError | undefined;
  /** Runs an action of the vault. Resolves to whether it succeeded. */
  readonly run: (action: () => Promise<unknown>) => Promise<boolean>;
}

/** Runs one action of the vault at a time, and keeps its failure. */
export function useVaultAction(): VaultAction {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<AgentError>();
  const run = async (action: () => Promise<unknown>): Promise<boolean> => {
    setIsBusy(true);
    setError(undefined);
    const failure = await failureOf(action);
    setIsBusy(false);
    setError(failure);
    return failure === undefined;
  };
  return { isBusy, error, run };
}

async function failureOf(action: () => Promise<unknown>): Promise<AgentError | undefined> {
  try {
    await action();
    return undefined;
  } catch (thrown) {
    return toAgentError(thrown);
  }
}

type Reason = Extract<keyof AllTexts['keys'], 'wrong' | 'declined' | 'noPasskey'>;

const reasons: { readonly [code in AgentErrorCode]?: Reason } = {
  AUTHENTICATION_FAILED: 'wrong',
  ABORTED: 'declined',
  INVALID_CONFIG: 'noPasskey',
};

/** Returns why an action of the vault failed, in the words of the interface. */
export function reasonOf({ code, message }: AgentError, words: AllTexts['keys']): string {
  const reason = reasons[code];
  return reason === undefined ? message : words[reason];
}
