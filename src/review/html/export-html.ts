import { named } from '../../core/model/shapes/named.ts';
import { fail } from '../../core/error.ts';
import { parseJson } from '../../core/json.ts';
import { lazy } from '../../core/lazy.ts';
import type { Annotation } from '../../core/model/annotation.ts';
import { foldLog } from '../../core/model/fold.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { toObject } from '../../core/model/read-json.ts';
import type { SessionStore } from '../../core/model/store.ts';
import { upcastLog } from '../../core/model/upcast.ts';
import { toSummary } from '../../core/model/summary.ts';
import { annotationsOf } from '../../storage/files/export.ts';
import { createMasking } from '../../storage/files/mask/mask-log.ts';
import type { ExportMask } from '../../storage/files/mask/options.ts';
import type { ExportedSession } from '../../storage/files/read-export.ts';
import { escapeLines, toPage } from './page.ts';
import { type ReadSession, sessionLines, type SourceSession, treeLines } from './tree-lines.ts';

/**
 * What is exported: a log; a stored session with the sessions that its calls have started, at any depth; or the first session of a file
 * (`readExport`) with those of the file that are below it.
 */
export type HTMLSource =
  | readonly SessionEvent[]
  | { readonly store: Pick<SessionStore, 'read' | 'meta'>; readonly sessionId: string }
  | { readonly sessions: readonly ExportedSession[] };

/** Options of `exportHTML`, all optional. */
export interface HTMLOptions {
  /** Title of the page. Default: the title of the session. */
  readonly title?: string;
  /**
   * What to leave out of the logs, those of the sessions below included. Default: nothing. A `title` is not masked, and the notes of reviewers are
   * left out as a whole.
   */
  readonly mask?: ExportMask;
  /** Notes of reviewers on the session itself, which the file shows. Default: those in the store or in the file; none for a log. */
  readonly annotations?: readonly Annotation[];
  /**
   * Language of the viewer, as a BCP 47 tag such as `zh-CN`: English and Chinese are there, any other tag means English. Default: that of the
   * browser in which the file is opened.
   */
  readonly language?: string;
}

const loadViewer = lazy(() => import('./viewer.ts'));

/**
 * Returns a session as one HTML file that shows its review: timeline, requests, events, search and replay, and from a call the session that worked
 * on it. The file opens by double click, works without a network, and its Content-Security-Policy forbids every request. The logs in it are inert
 * data. The viewer is loaded when the function is first called. Sessions below that cannot be read, and those after 256,000,000 characters, are
 * left out: the file says so where they would be opened.
 *
 *     const file = await exportHTML({ store, sessionId }, { mask: { attachments: true } });
 *     link.href = URL.createObjectURL(file);
 *
 * Rejects with AgentError `SESSION_NOT_FOUND`, with `INVALID_INPUT` for a source of another shape, with `MODULE_UNAVAILABLE` when the viewer cannot
 * be loaded, with `INVALID_CONFIG` for a `language` that is not a BCP 47 tag, and as `exportSession` throws.
 *
 * @param source a log in the order of `seq`, a store and the id of a session, or the sessions of a file
 * @returns a file of type `text/html`, in UTF-8
 */
export async function exportHTML(source: HTMLSource, options: HTMLOptions = {}): Promise<Blob> {
  const { title, mask, annotations, language } = named(
    options,
    { title: true, mask: true, annotations: true, language: true },
    'exportHTML',
  );
  const tag = toTag(language);
  const { root: found, read } = await readSource(source, !mask);
  const viewer = await loadViewer();
  const masking = mask && createMasking(mask);
  const root = annotations ? { ...found, notes: annotations } : found;
  const own = sessionLines(root, masking);
  const escaped = escapeLines(own);
  const below = await treeLines(root, { read, masking, size: escaped.length });
  const page = toPage({ title: title ?? titleOf(own), lines: [escaped, ...below], viewer, language: tag });
  return new Blob([page], { type: 'text/html;charset=utf-8' });
}

/** Returns the tag in its canonical form. */
function toTag(language: string | undefined): string | undefined {
  try {
    return language === undefined ? undefined : new Intl.Locale(language).toString();
  } catch {
    return fail('INVALID_CONFIG', `\`language\` must be a BCP 47 tag such as "zh-CN", not ${String(language)}.`);
  }
}

interface Source {
  readonly root: SourceSession;
  /** Reads a session below. */
  readonly read: ReadSession;
}

/** Reads the notes of a stored session only where the file shows them: a mask leaves them out. */
async function readSource(source: HTMLSource, hasNotes: boolean): Promise<Source> {
  if (!isSource(source)) return fail('INVALID_INPUT', 'exportHTML takes a log, { store, sessionId } or { sessions }.');
  if ('sessions' in source) return fromFile(source.sessions);
  if (!('store' in source)) return { root: toSource('', source), read: async () => undefined };
  const { store, sessionId } = source;
  const read = async (id: string): Promise<SourceSession | undefined> => {
    const stored = await store.read(id);
    return stored && { stored, notes: hasNotes ? await annotationsOf(store, id) : [] };
  };
  return { root: (await read(sessionId)) ?? fail('SESSION_NOT_FOUND', `The store has no session ${sessionId}.`), read };
}

/** Whether a value of a page without types has the parts of a source. */
function isSource(source: unknown): boolean {
  if (!isObject(source)) return false;
  if ('sessions' in source) return Array.isArray(source.sessions) && source.sessions.every(isObject);
  if ('store' in source) return isObject(source.store) && typeof Reflect.get(source.store, 'read') === 'function';
  return Array.isArray(source) && source.every(isObject);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function fromFile(sessions: readonly ExportedSession[]): Source {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const toRead = ({ id, events, annotations, masked }: ExportedSession): SourceSession => ({
    ...toSource(id, events, annotations),
    masked,
  });
  const [first] = sessions;
  return {
    root: first ? toRead(first) : fail('SESSION_NOT_FOUND', 'The file has no session.'),
    async read(id) {
      const session = byId.get(id);
      return session && toRead(session);
    },
  };
}

function toSource(id: string, events: readonly SessionEvent[], notes: readonly Annotation[] = []): SourceSession {
  return { stored: { summary: toSummary(foldLog(id, upcastLog(events))), events }, notes };
}

/** Returns the title in the header of a file: that of the masked session. */
function titleOf(lines: string): string {
  const header = toObject(parseJson(lines.slice(0, lines.indexOf('\n'))));
  const { title } = toObject(header.head);
  return typeof title === 'string' && title !== '' ? title : 'Session';
}
