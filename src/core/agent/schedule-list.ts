import { type Observable, Subject } from 'rxjs';
import type { AgentError } from '../error.ts';
import { defined } from '../json.ts';
import { current } from '../log/current.ts';
import type { StoreMeta } from '../model/store.ts';
import { fromPlans, type Plan, type ScheduledPrompt, toPlans } from './scheduled-prompt.ts';

/** The list of the planned prompts of an agent: an entry of the store's `meta`, which all tabs share. */
export interface ScheduleList {
  readonly schedules$: Observable<readonly ScheduledPrompt[]>;
  readonly getSchedules: () => readonly ScheduledPrompt[];
  /** The plans as they were read last, also those of removed sessions. */
  readonly plans: () => ReadonlyMap<string, Plan>;
  /** Whether the list has been read once. */
  readonly isRead: () => boolean;
  /** Whether anything subscribes to `schedules$`. */
  readonly isShown: () => boolean;
  /** Rejects with the `AgentError` of the store. */
  read(): Promise<void>;
  put(...plans: readonly Plan[]): Promise<void>;
  drop(isOver: (plan: Plan) => boolean): Promise<void>;
  /** Notes why a prompt that is due is still here. Returns whether this is new. */
  note(id: string, error: AgentError | undefined): boolean;
  /** Notes that a session has been removed, or brought back: its prompts are shown no more, or again. */
  noteRemoved(sessionId: string, isRemoved: boolean): void;
  close(): void;
}

type Plans = ReadonlyMap<string, Plan>;

/** @param onChange called after each read and each change of the plans */
export function createScheduleList(meta: StoreMeta, key: string, onChange: () => void): ScheduleList {
  const changes = new Subject<void>();
  const errors = new Map<string, AgentError>();
  const removed = new Set<string>();
  let plans: Plans = new Map();
  let list: readonly ScheduledPrompt[] = [];
  let isRead = false;

  function take(next: Plans): void {
    isRead = true;
    plans = next;
    for (const id of errors.keys()) if (!plans.has(id)) errors.delete(id);
    publish();
    onChange();
  }

  /** Invariant: the same array, and the same entries, for as long as they say the same. */
  function publish(): void {
    const shown = [...plans.values()].filter(({ sessionId }) => !removed.has(sessionId));
    const found = shown.map((plan) => ({ ...plan, ...defined({ error: errors.get(plan.id) }) }));
    const next = found.toSorted((one, other) => one.due - other.due).map((one) => list.find(isSameAs(one)) ?? one);
    if (next.length === list.length && next.every((one, index) => one === list[index])) return;
    list = next;
    changes.next();
  }

  async function update(change: (plans: Plans) => Plans): Promise<void> {
    let next = plans;
    await meta.update(key, (stored) => fromPlans((next = change(toPlans(stored)))));
    take(next);
  }

  return {
    schedules$: current(changes, () => list),
    getSchedules: () => list,
    plans: () => plans,
    isRead: () => isRead,
    isShown: () => changes.observed,
    read: async () => take(toPlans(await meta.get(key))),
    put: (...added) => update((before) => new Map([...before, ...added.map((plan) => [plan.id, plan] as const)])),
    drop: (isOver) => update((before) => new Map([...before].filter(([, plan]) => !isOver(plan)))),
    note(id, error) {
      const before = errors.get(id);
      const isNew = error !== undefined && error.code !== before?.code && plans.has(id);
      if (isNew) errors.set(id, error);
      else if (error === undefined) errors.delete(id);
      publish();
      return isNew;
    },
    noteRemoved(sessionId, isRemoved) {
      if (isRemoved) removed.add(sessionId);
      else removed.delete(sessionId);
      publish();
    },
    close: () => changes.complete(),
  };
}

const isSameAs =
  (one: ScheduledPrompt) =>
  (other: ScheduledPrompt): boolean =>
    one.id === other.id && one.due === other.due && one.missed === other.missed && one.error === other.error;
