import { useEffect, useRef, useState } from 'react';
import { toAgentError } from '../../index.ts';
import type { Provider } from '../../llm/providers/index.ts';
import type { KeyLabels } from '../labels/key-english.ts';
import type { KeyFieldProps, ReadyKey } from './props.ts';
import { testKey } from './testKey.ts';
import { type Problem, toVerdict } from './verdict.ts';

interface KeyTestProps extends Pick<KeyFieldProps, 'test' | 'request'> {
  readonly provider: Provider;
  readonly baseURL: string;
  readonly words: KeyLabels;
}

interface KeyTest {
  readonly isTesting: boolean;
  /** What the last test has found. */
  readonly problem: Problem | undefined;
  readonly setProblem: (problem: Problem | undefined) => void;
  /** Tests a key. Resolves with what is wrong, if anything. Never rejects. */
  readonly run: (apiKey: string | ReadyKey['apiKey']) => Promise<'passed' | 'stopped' | Problem['of']>;
  readonly stop: () => void;
}

/** Tests keys, one at a time. Leaving the component stops the test. */
export function useKeyTest({ provider, baseURL, test = false, request, words }: KeyTestProps): KeyTest {
  const [isTesting, setIsTesting] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const testing = useRef<AbortController>(undefined);
  useEffect(() => () => testing.current?.abort(), []);

  const run: KeyTest['run'] = async (apiKey) => {
    testing.current?.abort();
    const controller = new AbortController();
    testing.current = controller;
    const { signal } = controller;
    setProblem(undefined);
    setIsTesting(true);
    const model = typeof test === 'string' ? test : undefined;
    const tested = testKey({ provider, baseURL, apiKey, model, request, signal });
    const failure = await tested.then(() => undefined, toAgentError);
    const { noAnswer } = provider;
    const found =
      failure && !signal.aborted ? await toVerdict(failure, { baseURL, noAnswer, request }, words.verdicts) : undefined;
    setIsTesting(false);
    if (signal.aborted) return 'stopped';
    setProblem(found);
    return found?.of ?? 'passed';
  };
  return { isTesting, problem, setProblem, run, stop: () => testing.current?.abort() };
}
