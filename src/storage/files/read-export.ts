import { named } from '../../core/model/shapes/named.ts';
import type { Annotation } from '../../core/model/annotation.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { defaultLimits, type ImportLimits } from './limits.ts';
import type { MaskNotice } from './mask/options.ts';
import { parseExport, type ImportProblem } from './parse.ts';
import { createPauses } from './pause.ts';
import { createWatch } from './watch.ts';

/** A session of a file, as far as the file can be read. */
export interface ExportedSession {
  readonly id: string;
  readonly events: readonly SessionEvent[];
  /** What was left out of the file; missing for a complete session. */
  readonly masked?: MaskNotice;
  /** Notes of reviewers, for `createAnnotations`; missing where there are none. */
  readonly annotations?: readonly Annotation[];
}

/** The result of `readExport`. */
export interface ReadExport {
  /** The sessions up to the first line that cannot be read. */
  readonly sessions: readonly ExportedSession[];
  /** The first line that cannot be read, and why; missing for a file that was read to its end. */
  readonly problem?: ImportProblem;
}

/** Options of `readExport`, all optional. */
export interface ReadExportOptions {
  /** Limits of the file, against hostile files. */
  readonly limits?: Partial<ImportLimits>;
  /** Cancels the reading, which then rejects with `ABORTED`. */
  readonly signal?: AbortSignal;
}

/**
 * Reads a file of `exportSession` or `exportAll` without a store, for a review. The file is untrusted: every field is checked, and reading
 * stops at the first line that cannot be read. The events are those of the file: only look at them, `importSessions` disarms them.
 */
export async function readExport(source: string | Blob, options: ReadExportOptions = {}): Promise<ReadExport> {
  const { limits, signal } = named(options, { limits: true, signal: true }, 'readExport');
  const { sessions, problems } = await parseExport(
    source,
    { ...defaultLimits, ...limits },
    { pauses: createPauses(), watch: createWatch(signal), maxProblems: 1 },
  );
  const [problem] = problems;
  return {
    sessions: sessions
      .filter(({ events }) => events.length > 0)
      .map(({ line: _line, annotations, ...session }) => ({
        ...session,
        ...(annotations.length > 0 && { annotations }),
      })),
    ...(problem && { problem }),
  };
}
