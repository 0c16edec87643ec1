import { toAgentError } from 'brooklet';
import { useRef, useState } from 'react';
import { createClient } from '../connection.ts';
import type { Endpoint } from '../endpoint.ts';
import { testConnection } from './testConnection.ts';
import type { Test } from './TestResult.tsx';

interface ConnectionTest {
  readonly test: Test | undefined;
  /** Tests an endpoint with a key. */
  readonly run: (endpoint: Endpoint, key: string) => Promise<void>;
  /** Shows why an endpoint is invalid. */
  readonly refuse: (thrown: unknown) => void;
  /** Forgets the result, which is about other values. */
  readonly clear: () => void;
}

/** Tests connections, one at a time: only the latest test shows its result. */
export function useConnectionTest(): ConnectionTest {
  const [test, setTest] = useState<Test>();
  const latest = useRef(0);

  const run = async (endpoint: Endpoint, key: string): Promise<void> => {
    const number = (latest.current += 1);
    setTest({ is: 'running' });
    const result = await resultOf(endpoint, key);
    if (latest.current === number) setTest(result);
  };

  return {
    test,
    run,
    refuse: (thrown) => setTest({ is: 'invalid', error: toAgentError(thrown) }),
    clear: () => {
      latest.current += 1;
      setTest(undefined);
    },
  };
}

async function resultOf(endpoint: Endpoint, key: string): Promise<Test> {
  try {
    return { is: 'done', verdict: await testConnection(await createClient(endpoint, key), endpoint.baseURL) };
  } catch (thrown) {
    return { is: 'invalid', error: toAgentError(thrown) };
  }
}
