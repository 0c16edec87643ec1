import type { AgentError } from 'brooklet';
import type { ReactElement } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import type { Verdict } from './testConnection.ts';

/** A test of a connection: in progress, done, or not possible with these settings. */
export type Test =
  | { readonly is: 'running' }
  | { readonly is: 'done'; readonly verdict: Verdict }
  | { readonly is: 'invalid'; readonly error: AgentError };

interface TestResultProps {
  readonly test: Test | undefined;
  /** What a person can do when the service does not answer: see `Provider.noAnswer`. */
  readonly advice: string | undefined;
}

/** Shows the result of a connection test, always in the same place. */
export function TestResult({ test, advice }: TestResultProps): ReactElement {
  const { settings: words } = useAllTexts();
  return (
    <output className="test-result">
      {test?.is === 'invalid' && (
        <span className="bad">
          <strong>{words.invalid}</strong> {test.error.message}
        </span>
      )}
      {test?.is === 'done' && (
        <span className={test.verdict.found === 'ok' ? 'good' : 'bad'}>
          <strong>
            {test.verdict.title}
            {words.stop}
          </strong>{' '}
          {test.verdict.text}
          {noAnswer.has(test.verdict.found) && advice && ` ${advice.replaceAll('{origin}', location.origin)}`}
        </span>
      )}
    </output>
  );
}

const noAnswer: ReadonlySet<Verdict['found']> = new Set(['cors', 'unreachable']);
