import { type AgentError, type SessionStore, toAgentError } from 'brooklet';
import { importSessions, type ImportOptions, type ImportReport } from 'brooklet/storage';
import { useCallback, useEffect, useRef, useState } from 'react';
import { noteStored } from './actions.ts';

/** What happens to a session whose id is in use. */
export type Conflict = NonNullable<ImportOptions['onConflict']>;

/** How far an import is. */
export type ImportState =
  | { readonly is: 'idle' }
  | { readonly is: 'working' }
  | { readonly is: 'checked'; readonly report: ImportReport }
  | { readonly is: 'failed'; readonly error: AgentError };

/** Checks and stores files. Leaving the component cancels. */
export function useImport(store: SessionStore | undefined): {
  readonly state: ImportState;
  /** Reports what an import would do, and stores nothing. */
  readonly check: (file: Blob, onConflict: Conflict) => Promise<void>;
  /** Stores the file. Resolves to whether everything was stored. */
  readonly store: (file: Blob, onConflict: Conflict) => Promise<boolean>;
} {
  const [state, setState] = useState<ImportState>({ is: 'idle' });
  const latest = useRef<AbortController>(undefined);
  useEffect(() => () => latest.current?.abort(), []);

  const run = useCallback(
    async (file: Blob, options: ImportOptions): Promise<ImportReport | undefined> => {
      if (!store) return undefined;
      latest.current?.abort();
      const controller = new AbortController();
      latest.current = controller;
      const { signal } = controller;
      setState({ is: 'working' });
      try {
        const report = await importSessions(store, file, { ...options, signal });
        if (!signal.aborted) setState({ is: 'checked', report });
        return report;
      } catch (thrown) {
        if (!signal.aborted) setState({ is: 'failed', error: toAgentError(thrown) });
        return undefined;
      }
    },
    [store],
  );

  const check = useCallback(
    async (file: Blob, onConflict: Conflict) => void (await run(file, { onConflict, dryRun: true })),
    [run],
  );

  return {
    state,
    check,
    async store(file, onConflict) {
      const report = await run(file, { onConflict });
      noteStored(report?.imported.flatMap((one) => (one.result === 'skipped' ? [] : one.storedAs)) ?? []);
      return report?.problems.length === 0;
    },
  };
}
