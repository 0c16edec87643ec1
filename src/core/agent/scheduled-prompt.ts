import { fail, type AgentError } from '../error.ts';
import { defined, isJsonObject, type Json, type JsonObject } from '../json.ts';
import { type OptionNames, named } from '../model/shapes/named.ts';

/** Options of `Agent.schedule`. */
export interface ScheduleOptions {
  /**
   * What becomes of the prompt when it is more than five minutes late, because no page was open for example. `run`: it is sent at the next visit, once.
   * `skip`: it is left out. Default `run`.
   */
  readonly missed?: 'run' | 'skip';
}

/** A prompt that is sent later: see `Agent.schedule`. */
export interface ScheduledPrompt {
  /** Id of the message. */
  readonly id: string;
  readonly sessionId: string;
  /** The beginning of the text, of at most 200 characters. */
  readonly text: string;
  /** ms since the epoch */
  readonly due: number;
  readonly missed: 'run' | 'skip';
  /** Why the prompt is still here although it is due: there is no client, for example. It is tried again once a minute. */
  readonly error?: AgentError;
}

/** What the list of an agent states of a prompt. The prompt itself is in the queue of its session. */
export type Plan = Omit<ScheduledPrompt, 'error'>;

/** ms: a prompt that is later than this is missed. A timer of a page in the background fires once a minute. */
export const mostLate: number = 5 * 60_000;

/** ms for which the prompt of a removed session is kept: the removal may be undone. */
export const longestUndo: number = 7 * 24 * 3_600_000;

/** Ten years, in ms: a later time is a mistake, such as microseconds. */
const furthest = 10 * 366 * 24 * 3_600_000;
const longestText = 200;

/**
 * Returns the time at which a prompt is due: ms since the epoch.
 *
 * @throws AgentError `INVALID_INPUT`
 */
export function readDue(when: unknown, now: number): number {
  const due: unknown = when instanceof Date ? when.getTime() : when;
  if (typeof due !== 'number' || !Number.isFinite(due))
    return fail('INVALID_INPUT', 'The time of the prompt must be a valid Date, or a number of ms since the epoch.');
  if (due <= now) return fail('INVALID_INPUT', 'The time of the prompt has passed already: send it.');
  if (due - now > furthest) return fail('INVALID_INPUT', 'The time of the prompt lies more than ten years ahead.');
  return due;
}

const names: OptionNames<ScheduleOptions> = { missed: true };

/** @throws AgentError `INVALID_INPUT`, and `INVALID_CONFIG` for an option that `schedule` does not have */
export function readScheduleOptions(options: ScheduleOptions): ScheduleOptions {
  const { missed } = named(options, names, 'schedule', 'INVALID_INPUT');
  const isKnown = missed === undefined || missed === 'run' || missed === 'skip';
  return isKnown ? { ...defined({ missed }) } : fail('INVALID_INPUT', '`missed` must be "run" or "skip".');
}

/** Returns the beginning of a text. */
export const shortened = (text: string): string =>
  text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;

/** Returns the plans of a stored list, by the ids of their messages. A stored value may be damaged: such entries are left out. */
export function toPlans(stored: Json | undefined): ReadonlyMap<string, Plan> {
  const entries = isJsonObject(stored) ? Object.entries(stored) : [];
  return new Map(entries.flatMap(([id, value]) => (isPlan(value) ? [[id, { ...value, id }]] : [])));
}

/** The list, as it is stored; `undefined` for an empty one. */
export function fromPlans(plans: ReadonlyMap<string, Plan>): JsonObject | undefined {
  const entries = Array.from(
    plans,
    ([id, { sessionId, text, due, missed }]) => [id, { sessionId, text, due, missed }] as const,
  );
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function isPlan(value: Json | undefined): value is JsonObject & Omit<Plan, 'id'> {
  return (
    isJsonObject(value) &&
    typeof value.sessionId === 'string' &&
    typeof value.text === 'string' &&
    typeof value.due === 'number' &&
    (value.missed === 'run' || value.missed === 'skip')
  );
}
