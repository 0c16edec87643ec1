import { defined } from '../../core/json.ts';
import type { RowOrigin, StoredSession } from '../../core/model/store.ts';
import { toWriteId } from '../../core/model/write-id.ts';

/** What the row of a write states of it. */
export type RowFacts = Omit<RowOrigin, 'writeId'>;

/** What identifies a write on one side. */
export interface Stamp {
  readonly writeId: string;
  /** Missing where there is nothing to state. */
  readonly origin?: RowOrigin;
}

/** The content of the id of a write before rows had `origin`. */
interface UpcastName extends RowFacts {
  /** Name of the write, which is the same on both sides. */
  readonly name: string;
}

/**
 * Returns what the last write of a log states. Pure. A row may be older than the last write (`SessionWrite.phase`): then it states nothing of
 * that write.
 */
export function factsOf({ summary: { origin }, writeId }: Pick<StoredSession, 'summary' | 'writeId'>): RowFacts {
  return origin !== undefined && origin.writeId === writeId ? origin : upcastFacts(writeId);
}

/** Returns what the id of a write states, where its row is not at hand or states nothing. Pure. */
export function upcastFacts(writeId: string | undefined): RowFacts {
  const { name: _name, ...facts } = upcastName(writeId ?? '');
  return facts;
}

/** Returns the name of a write: the part of its id that is the same on both sides. */
export function nameOf(writeId: string): string {
  return upcastName(writeId).name;
}

/**
 * Returns the id of a write, and what its row states of it. The same write has the same name on both sides. The lineages of the two sides
 * differ as soon as the past of one side was replaced, and the other side ignored it.
 *
 * @param name unique within the lineage
 */
export function stamp(lineage: string, name: string, facts: RowFacts): Stamp {
  const writeId = toWriteId(lineage, oldName(name, facts));
  const { device, kind, of } = facts;
  const stated = defined({ device, kind, of });
  return Object.keys(stated).length > 0 ? { writeId, origin: { writeId, ...stated } } : { writeId };
}

// Versions before `SessionSummary.origin` read all of it in the id: `<lineage>/<device>:<kind>-<name>`. Their rows are read for ever. Their
// pages may be open beside this one, so that ids keep this form until a version that no such page can meet (decision 303).

const prefixes = { mark: 'removing-', row: 'listed-', kept: 'kept-' } as const;

/**
 * Returns the fields that versions before `SessionSummary.origin` have written into the id of a write. Pure and total. Only a mark has both a
 * device and a kind: the other kinds are those of a log that this device has made.
 */
export function upcastName(writeId: string): UpcastName {
  const text = writeId.slice(writeId.lastIndexOf('/') + 1);
  const end = text.indexOf(':');
  const device = end < 0 ? undefined : decode(text.slice(0, end));
  const name = text.slice(end + 1);
  if (name.startsWith(prefixes.mark)) return { name, ...defined({ device }), kind: 'mark' };
  if (device !== undefined) return { name, device };
  if (name.startsWith(prefixes.row)) return { name, kind: 'row' };
  return name.startsWith(prefixes.kept) ? { name, kind: 'kept', of: name.slice(prefixes.kept.length) } : { name };
}

/** Returns the name that versions before `SessionSummary.origin` read. */
function oldName(name: string, { device, kind }: RowFacts): string {
  const prefix = kind === undefined ? '' : prefixes[kind];
  const whole = name.startsWith(prefix) ? name : prefix + name;
  return device === undefined ? whole : `${encodeURIComponent(device)}:${whole}`;
}

/** A broken escape in a name of another device must not stop the synchronization. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
