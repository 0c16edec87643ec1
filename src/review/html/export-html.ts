import { named } from '../../core/model/shapes/named.ts';
import { fail } from '../../core/error.ts';
import { parseJson } from '../../core/json.ts';
import { lazy } from '../../core/lazy.ts';
import type { Annotation } from '../../core/model/annotation.ts';
import { foldLog } from '../../core/model/fold.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { toObject } from '../../core/model/read-json.ts';
import type { SessionStore, StoredSession } from '../../core/model/store.ts';
import { upcastLog } from '../../core/model/upcast.ts';
import { toSummary } from '../../core/model/summary.ts';
import { annotationsOf, exportSession } from '../../storage/files/export.ts';
import type { ExportMask } from '../../storage/files/mask/options.ts';
import { toPage } from './page.ts';

/** What is exported: a log, or a stored session. */
export type HTMLSource =
  | readonly SessionEvent[]
  | { readonly store: Pick<SessionStore, 'read' | 'meta'>; readonly sessionId: string };

/** Options of `exportHTML`, all optional. */
export interface HTMLOptions {
  /** Title of the page. Default: the title of the session. */
  readonly title?: string;
  /** What to leave out of the log. Default: nothing. A `title` is not masked, and the notes of reviewers are left out as a whole. */
  readonly mask?: ExportMask;
  /** Notes of reviewers, which the file shows. Default: those of the session in the store; none for a log. */
  readonly annotations?: readonly Annotation[];
  /**
   * Language of the viewer, as a BCP 47 tag such as `zh-CN`: English and Chinese are there, any other tag means English. Default: that of the
   * browser in which the file is opened.
   */
  readonly language?: string;
}

const loadViewer = lazy(() => import('./viewer.ts'));

/**
 * Returns a session as one HTML file that shows its review: timeline, requests, events, search and replay. The file opens by double click, works
 * without a network, and its Content-Security-Policy forbids every request. The log in it is inert data. The viewer is loaded when the function is
 * first called.
 *
 *     const file = await exportHTML({ store, sessionId }, { mask: { attachments: true } });
 *     link.href = URL.createObjectURL(file);
 *
 * Rejects with AgentError `SESSION_NOT_FOUND`, with `MODULE_UNAVAILABLE` when the viewer cannot be loaded, with `INVALID_CONFIG` for a `language`
 * that is not a BCP 47 tag, and as `exportSession` throws.
 *
 * @param source a log in the order of `seq`, or a store and the id of a session
 * @returns a file of type `text/html`, in UTF-8
 */
export async function exportHTML(source: HTMLSource, options: HTMLOptions = {}): Promise<Blob> {
  const { title, mask, annotations, language } = named(
    options,
    { title: true, mask: true, annotations: true, language: true },
    'exportHTML',
  );
  const tag = toTag(language);
  const { stored, notes } = await readSource(source);
  const viewer = await loadViewer();
  const lines = exportSession(stored, mask ? { mask } : { annotations: annotations ?? notes });
  return new Blob([toPage({ title: title ?? titleOf(lines), lines, viewer, language: tag })], {
    type: 'text/html;charset=utf-8',
  });
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
  readonly stored: StoredSession;
  readonly notes: readonly Annotation[];
}

async function readSource(source: HTMLSource): Promise<Source> {
  if (!('store' in source)) {
    const stored = { summary: toSummary(foldLog('', upcastLog(source))), events: source };
    return { stored, notes: [] };
  }
  const { store, sessionId } = source;
  const stored = await store.read(sessionId);
  return {
    stored: stored ?? fail('SESSION_NOT_FOUND', `The store has no session ${sessionId}.`),
    notes: await annotationsOf(store, sessionId),
  };
}

/** Returns the title in the header of a file: that of the masked session. */
function titleOf(lines: string): string {
  const header = toObject(parseJson(lines.slice(0, lines.indexOf('\n'))));
  const { title } = toObject(header.head);
  return typeof title === 'string' && title !== '' ? title : 'Session';
}
