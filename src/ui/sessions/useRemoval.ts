import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { toAgentError, type AgentError, type SessionSummary } from '../../index.ts';
import type { SessionListProps } from './props.ts';

/** What was removed from the list, and can be brought back. */
export interface Removal {
  /** The sessions without those that were removed: the store may still list them for a moment. */
  readonly listed: readonly SessionSummary[];
  /** Those of the last removal, while it can be undone. */
  readonly removed: readonly SessionSummary[];
  readonly problem: AgentError | 'not-restored' | undefined;
  /** `undefined` where nothing can be removed. */
  readonly remove: ((sessions: readonly SessionSummary[]) => void) | undefined;
  /** Brings sessions back. `undefined` where nothing can be. */
  readonly undo: ((sessions: readonly SessionSummary[]) => void) | undefined;
  readonly dismiss: () => void;
}

const none: readonly SessionSummary[] = [];
const noIds: ReadonlySet<string> = new Set();

/** Removes sessions from the list at once, and brings them back: by undo, and where they could not be removed. */
export function useRemoval({
  sessions: source,
  onRemove,
  onUndo,
}: Pick<SessionListProps, 'sessions' | 'onRemove' | 'onUndo'>): Removal {
  const { sessions, error, remove: removeOne, restore } = source;
  const [hidden, setHidden] = useState(noIds);
  const [removed, setRemoved] = useState(none);
  const [problem, setProblem] = useState<Removal['problem']>();

  const show = useCallback(
    (some: readonly SessionSummary[]) =>
      setHidden((before) => {
        const ids = new Set(some.map(({ id }) => id));
        return new Set([...before].filter((id) => !ids.has(id)));
      }),
    [],
  );

  // An id that is no longer listed is forgotten: an import may bring it back.
  const isUnused = hidden.size > 0 && sessions.filter(({ id }) => hidden.has(id)).length < hidden.size;
  const isLoading = source.isLoading ?? false;
  useEffect(() => {
    if (isUnused && !isLoading)
      setHidden((before) => new Set(sessions.flatMap(({ id }) => (before.has(id) ? [id] : []))));
  }, [isUnused, isLoading, sessions]);

  // A failed action is the `error` of `useSessions`: what is still listed then was not removed.
  const seen = useRef(error);
  useEffect(() => {
    if (error !== undefined && error !== seen.current) {
      setHidden(noIds);
      setRemoved(none);
    }
    seen.current = error;
  }, [error]);

  const listed = useMemo(
    () => (hidden.size === 0 ? sessions : sessions.filter(({ id }) => !hidden.has(id))),
    [sessions, hidden],
  );

  const canRemove = onRemove !== undefined || removeOne !== undefined;
  const remove = (some: readonly SessionSummary[]): void => {
    if (some.length === 0) return;
    const fail = (thrown?: unknown): void => {
      show(some);
      setRemoved((now) => (now === some ? none : now));
      if (thrown !== undefined) setProblem(toAgentError(thrown));
    };
    setProblem(undefined);
    setHidden((before) => new Set([...before, ...some.map(({ id }) => id)]));
    setRemoved(some);
    attempt(() => (onRemove ? onRemove(some) : some.map(({ id }) => removeOne?.(id)))).then(
      (result) => (result === false ? fail() : undefined),
      fail,
    );
  };

  const canUndo = onUndo !== undefined || restore !== undefined;
  const undo = (some: readonly SessionSummary[]): void => {
    setRemoved((now) => (now === some ? none : now));
    show(some);
    attempt(() => (onUndo ? onUndo(some) : some.map(({ id }) => restore?.(id)))).then(
      (result) => (result === false ? setProblem('not-restored') : undefined),
      (thrown: unknown) => setProblem(toAgentError(thrown)),
    );
  };

  return {
    listed,
    removed,
    problem,
    remove: canRemove ? remove : undefined,
    undo: canUndo ? undo : undefined,
    dismiss: () => {
      setRemoved(none);
      setProblem(undefined);
    },
  };
}

/** Resolves with what an action of the page returns; rejects with what it throws. Several results: all of them, `false` if one of them is. */
async function attempt(action: () => unknown): Promise<unknown> {
  const result = action();
  if (!Array.isArray(result)) return result;
  const all: readonly unknown[] = await Promise.all(result);
  return all.includes(false) ? false : all;
}
