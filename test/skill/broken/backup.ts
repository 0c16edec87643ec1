import type { SessionStore } from 'brooklet';
import { exportAll, importSessions } from 'brooklet/storage';

export async function backUp(store: SessionStore): Promise<Blob> {
  const pieces: string[] = [];
  for await (const piece of exportAll(store)) pieces.push(piece);
  return new Blob(pieces);
}

/** Makes a copy of each conversation that is already there. */
export async function restore(store: SessionStore, file: Blob): Promise<number> {
  const { sessions } = await importSessions(store, file, { onConflict: 'copy' });
  return sessions;
}
