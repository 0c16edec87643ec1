import { fail } from '../../core/error.ts';
import { lazy } from '../../core/lazy.ts';
import type { SessionStore } from '../../core/model/store.ts';
import type { ExportOptions } from '../../storage/files/export.ts';
import type { ImportOptions, ImportReport } from '../../storage/files/import.ts';

/** Loads what few pages use: files are written and read by a click. */
const loadExport = lazy(() => import('../../storage/files/export.ts'));
const loadImport = lazy(() => import('../../storage/files/import.ts'));

/** Rejects with the AgentError of the store, or with that of the first session that cannot be read, unless `onSkip` takes it. */
export async function toFile(store: SessionStore, { onSkip = refuse, ...options }: ExportOptions = {}): Promise<Blob> {
  const { exportAll } = await loadExport();
  const pieces: string[] = [];
  for await (const piece of exportAll(store, { ...options, onSkip })) pieces.push(piece);
  return new Blob(pieces, { type: 'application/jsonl' });
}

export async function fromFile(
  store: SessionStore,
  file: string | Blob,
  options?: ImportOptions,
): Promise<ImportReport> {
  const { importSessions } = await loadImport();
  return importSessions(store, file, options);
}

const refuse: NonNullable<ExportOptions['onSkip']> = (sessionId, error) => {
  throw error ?? fail('SESSION_NOT_FOUND', `There is no session ${sessionId}.`);
};
