import type { SessionStore } from 'brooklet';
import { exportAll, importSessions } from 'brooklet/storage';

export async function backUp(store: SessionStore): Promise<Blob> {
  const pieces: string[] = [];
  for await (const piece of exportAll(store)) pieces.push(piece);
  return new Blob(pieces, { type: 'application/jsonl' });
}

export async function restore(store: SessionStore, file: Blob): Promise<number> {
  const { imported } = await importSessions(store, file, { onConflict: 'skip' });
  return imported.filter(({ result }) => result === 'added').length;
}
