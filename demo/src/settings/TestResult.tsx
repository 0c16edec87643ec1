import type { AgentError } from 'brooklet';
import type { ReactElement } from 'react';
import type { Verdict } from './testConnection.ts';

/** A test of a connection: in progress, done, or not possible with these settings. */
export type Test =
  | { readonly is: 'running' }
  | { readonly is: 'done'; readonly verdict: Verdict }
  | { readonly is: 'invalid'; readonly error: AgentError };

/** Shows the result of a connection test. */
export function TestResult({ test }: { readonly test: Test | undefined }): ReactElement {
  return (
    <output className="test-result">
      {test?.is === 'invalid' && (
        <span className="bad">
          <strong>Invalid.</strong> {test.error.message}
        </span>
      )}
      {test?.is === 'done' && (
        <span className={test.verdict.found === 'ok' ? 'good' : 'bad'}>
          <strong>{test.verdict.title}.</strong> {test.verdict.text}
        </span>
      )}
    </output>
  );
}
