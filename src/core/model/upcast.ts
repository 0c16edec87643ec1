import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { eventVersion, type SessionEvent } from './event.ts';

/** Turns a record of one version into a record of the next. Pure and total; never changed once its version is released. */
export type Upcaster = (record: JsonObject) => JsonObject;

/** Upcasters by the version from which they start. `test/storage/golden` contains a log of each version, permanently. */
const steps: { readonly [version: number]: Upcaster } = { 1: fromV1 };

/**
 * Returns a record in the shape of the present version. A record of a newer version, and a value that is not a record, is returned unchanged:
 * readers check its `v`.
 */
export function upcast(record: unknown, by: typeof steps = steps, to: number = eventVersion): unknown {
  let current = record;
  while (isJsonObject(current) && typeof current.v === 'number' && current.v < to) {
    const step = Object.hasOwn(by, current.v) ? by[current.v] : undefined;
    if (step === undefined) return current;
    current = { ...step(current), v: current.v + 1 };
  }
  return current;
}

/** Whether a stored value is a record of the present version. */
export function isCurrent(record: unknown): record is JsonObject {
  return isJsonObject(record) && record.v === eventVersion;
}

/** Returns a log in the shape of the present version: the same array when the log has this shape already. */
export function upcastLog(events: readonly SessionEvent[]): readonly SessionEvent[] {
  if (events.every(isCurrent)) return events;
  // The boundary between a stored log and the types: a record that cannot be converted keeps its `v`, which readers check.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return events.map((event) => upcast(event) as SessionEvent);
}

/** Version 2 has standard names: approvals, tool versions, elicitations, cadences. */
function fromV1(record: JsonObject): JsonObject {
  switch (record.type) {
    case 'call.held':
      return { ...renamed(record, { binding: 'toolVersion', question: 'elicitation' }), type: 'approval.requested' };
    case 'call.decided':
      return { ...decidedV1(record), type: 'approval.decided' };
    case 'decision.revoked':
      return { ...record, type: 'rule.revoked' };
    case 'text.delta':
    case 'reasoning.delta':
    case 'call.delta':
      return renamed(record, { pace: 'cadence', began: 'startedAt' });
    case 'context.compacted':
    case 'context.compaction-failed':
      return record.cause === 'person' ? { ...record, cause: 'user' } : record;
    case 'message.added':
    case 'message.updated':
    case 'message.queued':
      return isJsonObject(record.message) ? { ...record, message: messageV1(record.message) } : record;
    default:
      return record;
  }
}

function messageV1(message: JsonObject): JsonObject {
  const { content } = message;
  return Array.isArray(content) ? { ...message, content: content.map(partV1) } : message;
}

function partV1(part: Json): Json {
  if (!isJsonObject(part) || part.type !== 'tool') return part;
  return {
    ...part,
    ...(part.status === 'held' && { status: 'awaiting-approval' }),
    ...(isJsonObject(part.approval) && { approval: decidedV1(part.approval) }),
  };
}

/** Converts the fields of a decision of version 1, in its event and in the `approval` of its call. */
function decidedV1(record: JsonObject): JsonObject {
  const { by, ...rest } = renamed(record, {
    who: 'userName',
    told: 'rejectionText',
    binding: 'toolVersion',
    question: 'elicitation',
  });
  return by === undefined ? rest : { ...rest, decidedBy: deciderV1(record) };
}

/** Version 1 called rules, timeouts and tools that ask for no approval all `policy`. */
function deciderV1({ by, verdict, binding }: JsonObject): string {
  if (by === 'person') return 'user';
  if (verdict === 'expired') return 'timeout';
  return verdict === 'rejected' || binding !== undefined ? 'rule' : 'policy';
}

/** Returns the record with other names for some of its fields. */
function renamed(record: JsonObject, names: { readonly [from: string]: string }): JsonObject {
  const present = new Map(Object.entries(names));
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [present.get(key) ?? key, value]));
}
