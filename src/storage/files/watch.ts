import { fail } from '../../core/error.ts';

/** How far an import is. */
export interface ImportProgress {
  /** `check`: the file is read and checked; `prepare`: the store is asked which ids are in use; `store`: sessions are written. */
  readonly step: 'check' | 'prepare' | 'store';
  /** Characters of the file in step `check`, sessions in the other steps. */
  readonly done: number;
  /** Characters of a string or bytes of a `Blob` in step `check`, sessions in the other steps. */
  readonly total: number;
}

/** Reports progress. @throws AgentError `ABORTED` when the signal has aborted */
export type Watch = (progress: ImportProgress) => void;

export function createWatch(signal: AbortSignal | undefined, onProgress?: (progress: ImportProgress) => void): Watch {
  const check = (): void => {
    if (signal?.aborted) fail('ABORTED', 'The import was cancelled by its signal. Sessions stored so far are kept.');
  };
  return (progress) => {
    check();
    onProgress?.(progress);
    check();
  };
}
