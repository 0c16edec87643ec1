import type { SessionStore, SessionSummary } from 'brooklet';
import { useAgent } from 'brooklet/react';
import { labelsOf } from 'brooklet/ui';
import { useEffect, useMemo, useState } from 'react';

interface Known {
  /** In the order of the alphabet. */
  readonly labels: readonly string[];
  readonly hasArchive: boolean;
}

const nothing: Known = { labels: [], hasArchive: false };

/** ms after a change until the rows are read again: the change is stored first. */
const afterChange = 1_000;
/** Rows that are read at once. */
const pageSize = 200;

/**
 * Returns the labels of all conversations, and whether any is archived. The list has the first pages only: the rows of the others are read when
 * the page is idle, and after `refresh`.
 *
 * @param listed what is listed now: its labels are known at once
 */
export function useKnown(listed: readonly SessionSummary[]): Known & { readonly refresh: () => void } {
  const { store } = useAgent();
  const [stored, setStored] = useState(nothing);
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const read = async (): Promise<void> => {
      const known = store && (await readKnown(store, controller.signal));
      if (known && !controller.signal.aborted) setStored(known);
    };
    const timer = setTimeout(() => void read().catch(() => {}), afterChange);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [store, changes]);
  const known = useMemo(() => join(stored, listed), [stored, listed]);
  return { ...known, refresh: () => setChanges((count) => count + 1) };
}

async function readKnown(store: SessionStore, signal: AbortSignal): Promise<Known> {
  let known = nothing;
  let cursor: string | undefined;
  do {
    const page = await store.list({ limit: pageSize, ...(cursor !== undefined && { cursor }) });
    known = join(known, page.sessions);
    ({ cursor } = page);
  } while (cursor !== undefined && !signal.aborted);
  return known;
}

function join(known: Known, sessions: readonly SessionSummary[]): Known {
  const labels = new Set([...known.labels, ...sessions.flatMap(labelsOf)]);
  return {
    labels: [...labels].sort((a, b) => a.localeCompare(b)),
    hasArchive: known.hasArchive || sessions.some(({ metadata }) => metadata?.['archived'] === true),
  };
}
