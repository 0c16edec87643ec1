import { type AgentError, type SessionStore, toAgentError } from 'brooklet';
import {
  type HistoryReport,
  importHistory,
  importSessions,
  type ImportOptions,
  type ImportProgress,
  type ImportReport,
  recognizeFile,
} from 'brooklet/storage';
import { useCallback, useEffect, useRef, useState } from 'react';
import { noteStored } from './actions.ts';

/** What happens to a session of an export whose id is in use. */
export type Conflict = NonNullable<ImportOptions['onConflict']>;

/** What a person chooses. */
export interface ImportChoices {
  readonly conflict: Conflict;
  /** Whether conversations of another program that were deleted here are imported again. */
  readonly restoreRemoved: boolean;
}

/** How far an import is. */
export type ImportState =
  | { readonly is: 'idle' }
  | { readonly is: 'working'; readonly progress?: ImportProgress }
  /** A file of this app. */
  | { readonly is: 'checked'; readonly report: ImportReport }
  /** A file of another program. */
  | { readonly is: 'history'; readonly report: HistoryReport }
  /** A file of neither. */
  | { readonly is: 'unknown' }
  /** `done`: conversations that were looked at until then. `isStoring`: whether the file was being stored. */
  | { readonly is: 'stopped'; readonly isStoring: boolean; readonly done: number }
  | { readonly is: 'failed'; readonly error: AgentError };

/** Checks and stores files of this app and of other programs. Leaving the component cancels. */
export function useImport(store: SessionStore | undefined): {
  readonly state: ImportState;
  /** Reports what an import would do, and stores nothing. */
  readonly check: (file: Blob, choices: ImportChoices) => Promise<void>;
  /** Stores the file. Resolves to the number of conversations that were stored; `undefined` where not everything was. */
  readonly store: (file: Blob, choices: ImportChoices) => Promise<number | undefined>;
  /** Stops what is under way. What is stored stays. */
  readonly stop: () => void;
} {
  const [state, setState] = useState<ImportState>({ is: 'idle' });
  const latest = useRef<AbortController>(undefined);
  const reached = useRef<ImportProgress>(undefined);
  /** Whether the file is stored, and not only looked at: it is read for both. */
  const isStoring = useRef(false);
  useEffect(() => () => latest.current?.abort(), []);

  /** Returns the ids of the sessions that were stored, or would be; `undefined` where the file was refused or the import stopped. */
  const run = useCallback(
    async (file: Blob, choices: ImportChoices, dryRun: boolean): Promise<readonly string[] | undefined> => {
      if (!store) return undefined;
      latest.current?.abort();
      const controller = new AbortController();
      latest.current = controller;
      const { signal } = controller;
      const set = (next: ImportState): void => {
        if (latest.current === controller && !signal.aborted) setState(next);
      };
      let percent = -1;
      reached.current = undefined;
      isStoring.current = !dryRun;
      const onProgress = (progress: ImportProgress): void => {
        reached.current = progress;
        const now = Math.floor((100 * progress.done) / (progress.total || 1)) + (progress.step === 'store' ? 100 : 0);
        if (now !== percent) set({ is: 'working', progress });
        percent = now;
      };
      set({ is: 'working' });
      try {
        const format = await recognizeFile(file);
        if (format === undefined) {
          set({ is: 'unknown' });
          return undefined;
        }
        if (format === 'brooklet') {
          const report = await importSessions(store, file, {
            onConflict: choices.conflict,
            dryRun,
            signal,
            onProgress,
          });
          set({ is: 'checked', report });
          if (report.problems.length > 0) return undefined;
          return report.imported.flatMap((one) => (one.result === 'skipped' ? [] : one.storedAs));
        }
        const { restoreRemoved } = choices;
        const report = await importHistory(store, file, { restoreRemoved, dryRun, signal, onProgress });
        set({ is: 'history', report });
        return report.conversations.flatMap((one) => (isStored(one.result) ? one.sessionId : []));
      } catch (thrown) {
        set({ is: 'failed', error: toAgentError(thrown) });
        return undefined;
      }
    },
    [store],
  );

  const check = useCallback(async (file: Blob, choices: ImportChoices) => void (await run(file, choices, true)), [run]);

  return {
    state,
    check,
    async store(file, choices) {
      const stored = await run(file, choices, false);
      noteStored(stored ?? []);
      return stored?.length;
    },
    stop() {
      latest.current?.abort();
      const { step, done = 0 } = reached.current ?? {};
      setState({ is: 'stopped', isStoring: isStoring.current, done: step === 'store' && isStoring.current ? done : 0 });
    },
  };
}

/** Whether an import stores something of a conversation with this result. */
export function isStored(result: HistoryReport['conversations'][number]['result']): boolean {
  return result === 'added' || result === 'extended';
}
