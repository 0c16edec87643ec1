import { type AgentError, toAgentError } from 'brooklet';
import { useRef, useState } from 'react';

/** The state of the decisions on one call: one decision at a time, and why the last one was refused. */
export interface Deciding {
  readonly isDeciding: boolean;
  readonly refusal: AgentError | undefined;
  readonly decide: (decision: () => Promise<void>) => void;
  readonly clear: () => void;
}

/** Returns the state of the decisions on one call. It outlives the form: another tab may decide first, and the form is gone then. */
export function useDeciding(): Deciding {
  const [refusal, setRefusal] = useState<AgentError>();
  const [isDeciding, setIsDeciding] = useState(false);
  const isUnderWay = useRef(false);
  return {
    isDeciding,
    refusal,
    clear: () => setRefusal(undefined),
    decide: (decision) => {
      // The buttons are not disabled meanwhile: a disabled button loses the focus.
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      setRefusal(undefined);
      setIsDeciding(true);
      decision()
        .catch((thrown: unknown) => setRefusal(toAgentError(thrown)))
        .finally(() => {
          isUnderWay.current = false;
          setIsDeciding(false);
        });
    },
  };
}
