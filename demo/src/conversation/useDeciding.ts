import { toAgentError } from 'brooklet';
import { useState } from 'react';

/** The state of a form that decides on a call: one decision at a time, and why the last decision was refused. */
export interface Deciding {
  readonly isDeciding: boolean;
  readonly problem: string | undefined;
  readonly setProblem: (problem: string | undefined) => void;
  readonly decide: (decision: () => Promise<void>) => void;
}

/** Returns the state of a form that decides on a call. */
export function useDeciding(): Deciding {
  const [problem, setProblem] = useState<string>();
  const [isDeciding, setIsDeciding] = useState(false);
  return {
    isDeciding,
    problem,
    setProblem,
    decide: (decision) => {
      setProblem(undefined);
      setIsDeciding(true);
      decision()
        .catch((thrown: unknown) => setProblem(toAgentError(thrown).message))
        .finally(() => setIsDeciding(false));
    },
  };
}
