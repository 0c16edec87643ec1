import { fail } from '../../../core/error.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../../core/json.ts';
import type { SessionEvent } from '../../../core/model/event.ts';
import { upcastLog } from '../../../core/model/upcast.ts';
import { isKnownType, readEvent } from '../event-shape.ts';
import { maskDeltas } from './deltas.ts';
import { type ExportMask, type MaskNotice, toNotice } from './options.ts';
import { createPatterns, type Patterns } from './patterns.ts';
import { createWalk } from './walk.ts';

/**
 * Returns a log without what the mask leaves out, with the same positions and times: it reduces, imports and can be reviewed as before.
 * An event of a type that this version does not know becomes `event.dropped`, since what it contains is unknown. Use the result for
 * whatever leaves the page: an export, Markdown, telemetry.
 *
 * @throws AgentError `INVALID_INPUT` for a pattern that is not a regular expression; `STORAGE_CORRUPT` for an event that is not JSON
 */
export function maskLog(log: readonly SessionEvent[], mask: ExportMask): readonly SessionEvent[] {
  return createMasking(mask).maskLog(log);
}

/** What masks the logs of one file. */
export interface Masking {
  readonly notice: MaskNotice;
  readonly maskLog: (log: readonly SessionEvent[]) => readonly SessionEvent[];
}

/**
 * Returns what masks several logs alike. Invariant: an id that is replaced is replaced by the same one in all of them, and two ids by two: the
 * sessions of a tree keep their links.
 *
 * @throws AgentError `INVALID_INPUT` for a pattern that is not a regular expression
 */
export function createMasking(mask: ExportMask): Masking {
  const notice = toNotice(mask);
  const patterns = createPatterns(mask.patterns ?? []);
  const walk = createWalk(mask, patterns);
  return {
    notice,
    maskLog(log) {
      const known = upcastLog(log).map((event) => toKnown(event) ?? dropped(event, patterns));
      return maskDeltas(known, patterns).map((event) => toTyped(walk(toRecord(event))) ?? dropped(event, patterns));
    },
  };
}

/** Returns the event without unknown fields; `undefined` for an event of an unknown type, or one that does not fit its type. */
function toKnown(event: SessionEvent): SessionEvent | undefined {
  return isKnownType(event.type) ? toTyped(toRecord(event)) : undefined;
}

function toTyped(record: JsonObject): SessionEvent | undefined {
  const read = readEvent(record);
  return 'event' in read ? read.event : undefined;
}

function toRecord(event: SessionEvent): JsonObject {
  try {
    const record = parseJson(JSON.stringify(event));
    if (isJsonObject(record)) return record;
  } catch (cause) {
    fail(
      'STORAGE_CORRUPT',
      `Event ${event.seq} is not JSON, so the session cannot be masked: fork the session to continue.`,
      cause,
    );
  }
  return {};
}

function dropped({ type, seq, at, v, since }: SessionEvent, { text }: Patterns): SessionEvent {
  return { type: 'event.dropped', of: text(type), seq, at, v, ...(since !== undefined && { since }) };
}
