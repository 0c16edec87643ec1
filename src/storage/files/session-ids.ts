import type { SessionStore } from '../../core/model/store.ts';

/** Yields every session once. A changed session moves to the front of the list and may be missed there, so the list is read until nothing is new. */
export async function* sessionIds(store: Pick<SessionStore, 'list'>): AsyncGenerator<string, void> {
  const known = new Set<string>();
  for (let before = -1; before < known.size;) {
    before = known.size;
    let cursor: string | undefined;
    do {
      const page = await store.list({ limit: 500, children: true, ...(cursor !== undefined && { cursor }) });
      for (const { id } of page.sessions) {
        if (known.has(id)) continue;
        known.add(id);
        yield id;
      }
      ({ cursor } = page);
    } while (cursor !== undefined);
  }
}
