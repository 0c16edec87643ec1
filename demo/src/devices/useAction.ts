import { type AgentError, toAgentError } from 'brooklet';
import { useState } from 'react';

/** An action, and how the last one went. */
interface Action {
  readonly isBusy: boolean;
  readonly error: AgentError | undefined;
  /** Runs an action; a failure is kept in `error`. */
  readonly run: (act: () => Promise<unknown>) => void;
}

/** Runs one action at a time. */
export function useAction(): Action {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<AgentError>();
  return {
    isBusy,
    error,
    run(act) {
      if (isBusy) return;
      setIsBusy(true);
      setError(undefined);
      act()
        .catch((thrown: unknown) => setError(toAgentError(thrown)))
        .finally(() => setIsBusy(false));
    },
  };
}
