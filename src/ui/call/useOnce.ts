import { useRef, useState } from 'react';
import { type AgentError, toAgentError } from '../../core/model/index.ts';

/** The state of what a person does with a form: one act at a time, and why the last one was refused. */
export interface Once {
  readonly isUnderWay: boolean;
  readonly refusal: AgentError | undefined;
  /** Runs an act, unless one is under way. */
  readonly run: (act: () => unknown) => void;
  readonly clear: () => void;
}

/** Returns the state of the acts of a form. */
export function useOnce(): Once {
  const [refusal, setRefusal] = useState<AgentError>();
  const [isUnderWay, setIsUnderWay] = useState(false);
  const isBusy = useRef(false);
  return {
    isUnderWay,
    refusal,
    clear: () => setRefusal(undefined),
    run: (act) => {
      // The buttons are not disabled meanwhile: a disabled button loses the focus.
      if (isBusy.current) return;
      isBusy.current = true;
      setRefusal(undefined);
      setIsUnderWay(true);
      const end = (thrown?: unknown): void => {
        isBusy.current = false;
        setIsUnderWay(false);
        if (thrown !== undefined) setRefusal(toAgentError(thrown));
      };
      Promise.resolve()
        .then(act)
        .then(() => end(), end);
    },
  };
}
