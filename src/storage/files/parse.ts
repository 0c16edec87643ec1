import { isJsonObject, parseJson, type Json } from '../../core/json.ts';
import type { Annotation } from '../../core/model/annotation.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { annotationList } from '../../core/model/shapes/annotation-shape.ts';
import { maxIdLength } from '../../core/model/shapes/fields.ts';
import type { Flaw } from '../../core/model/shapes/shape.ts';
import { upcast } from '../../core/model/upcast.ts';
import { readEvent } from './event-shape.ts';
import { formatVersion } from './export.ts';
import { maxSeq, overLimit, type ImportLimits } from './limits.ts';
import { linesOf, sizeOf } from './lines.ts';
import { isNotice, maskNotice } from './mask/notice-shape.ts';
import type { MaskNotice } from './mask/options.ts';
import type { Pauses } from './pause.ts';
import type { Watch } from './watch.ts';

/** One reason why a file is refused; `reason` continues a sentence that begins with the field. */
export interface ImportProblem extends Flaw {
  /** Line of the file, counted from 1. */
  readonly line: number;
  /** Path within the line's object, for example `message.content.2.text`; empty for the line as a whole. */
  readonly field: string;
}

/** A session of a file, with every field checked. */
export interface ParsedSession {
  /** Line of the header. */
  readonly line: number;
  readonly id: string;
  readonly events: readonly SessionEvent[];
  /** What was left out of the file; missing for a complete session. */
  readonly masked?: MaskNotice;
  /** Notes of reviewers. */
  readonly annotations: readonly Annotation[];
}

export interface ParsedExport {
  readonly sessions: readonly ParsedSession[];
  /** 100 at most; the rest of the file is then unchecked. */
  readonly problems: readonly ImportProblem[];
}

interface Draft extends ParsedSession {
  readonly events: SessionEvent[];
}

interface ParseOptions {
  readonly pauses: Pauses;
  readonly watch: Watch;
  /** Number of problems after which the rest of the file is unchecked. Default 100. */
  readonly maxProblems?: number;
}

/** What a line costs beside its characters: its record and its checks. */
const lineCost = 1_000;

/** Checks an untrusted file. Pauses so that the page stays responsive, writes nothing, and rejects for no content of the file: only `watch` may throw. */
export async function parseExport(
  source: string | Blob,
  limits: ImportLimits,
  { pauses, watch, maxProblems = 100 }: ParseOptions,
): Promise<ParsedExport> {
  const sessions: Draft[] = [];
  const ids = new Set<string>();
  const problems: ImportProblem[] = [];
  /** Missing after an invalid header: the lines after it cannot be checked. */
  let session: Draft | undefined;

  /** Adds one line, or returns its error. */
  function addLine(text: string, number: number): Flaw | undefined {
    const row = parseJson(text);
    if (!isJsonObject(row)) return { field: '', reason: row === undefined ? 'is not JSON' : 'is not an object' };
    return Object.hasOwn(row, 'format') || sessions.length === 0 ? addHeader(row, number) : addEvent(row);
  }

  function addHeader(row: { readonly [key: string]: Json | undefined }, line: number): Flaw | undefined {
    session = undefined;
    if (row.format !== 'brooklet')
      return { field: 'format', reason: 'is not "brooklet": the file is not an export of Brooklet' };
    const { version, head } = row;
    if (typeof version !== 'number') return { field: 'version', reason: 'is not a number' };
    if (version !== formatVersion) return { field: 'version', reason: `is ${version}; only ${formatVersion} is known` };
    if (!isJsonObject(head)) return { field: 'head', reason: 'is not an object' };
    const id = Object.hasOwn(head, 'id') ? head.id : undefined;
    if (typeof id !== 'string' || id === '') return { field: 'head.id', reason: 'is not an id' };
    if (id.length > maxIdLength) return { field: 'head.id', reason: `is longer than ${maxIdLength} characters` };
    if (ids.has(id)) return { field: 'head.id', reason: 'is the id of an earlier session of this file' };
    if (ids.size === limits.sessions) return { field: '', reason: `begins more than ${limits.sessions} sessions` };
    const { masked, annotations = [] } = row;
    const flaw = maskNotice(masked, 'masked') ?? annotationList(annotations, 'annotations');
    if (flaw) return flaw;
    ids.add(id);
    // The parse boundary between a file and the types: the shape has just checked the value.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const notes = annotations as unknown as readonly Annotation[];
    session = { line, id, events: [], annotations: notes, ...(isNotice(masked) && { masked }) };
    sessions.push(session);
    return undefined;
  }

  function addEvent(row: unknown): Flaw | undefined {
    if (session === undefined) return undefined;
    const read = readEvent(upcast(row));
    if ('flaw' in read) return read.flaw;
    const { event } = read;
    if (event.seq > maxSeq) return { field: 'seq', reason: `is greater than ${maxSeq}` };
    if (event.since !== undefined && event.since > event.seq) return { field: 'since', reason: 'comes after seq' };
    const last = session.events.at(-1);
    if (last !== undefined && event.seq <= last.seq) return { field: 'seq', reason: `does not come after ${last.seq}` };
    if ((last === undefined) !== (event.type === 'session.started')) {
      return {
        field: 'type',
        reason: last ? 'starts the session again' : 'is not session.started, the first event of a log',
      };
    }
    if (event.type === 'session.started' && event.sessionId !== session.id) {
      return { field: 'sessionId', reason: "is not the id of the session's header" };
    }
    session.events.push(event);
    return undefined;
  }

  const total = sizeOf(source);
  let done = 0;
  async function spend(length: number): Promise<void> {
    const pause = pauses.spend(length + lineCost);
    if (pause === undefined) return;
    await pause;
    watch({ step: 'check', done, total });
  }

  for await (const { number, text, flaw } of linesOf(source, limits)) {
    const reason = flaw ?? overLimit(text, limits);
    done += text.length;
    await spend(text.length);
    const found = reason === undefined ? addLine(text, number) : { field: '', reason };
    if (found !== undefined) problems.push({ line: number, ...found });
    // Lines without a header cannot be checked: a file of another program has one problem.
    if (problems.length >= maxProblems || sessions.length === 0) break;
    await spend(text.length);
  }
  if (sessions.length === 0 && problems.length === 0)
    problems.push({ line: 1, field: '', reason: 'is missing: the file is empty' });
  for (const { line, events } of sessions) {
    if (events.length === 0 && problems.length === 0)
      problems.push({ line, field: '', reason: 'is a header without any event' });
  }
  return { sessions, problems };
}
