import type { Annotation } from '../core/model/annotation.ts';
import type { SessionEvent } from '../core/model/event.ts';
import type { MaskNotice } from '../storage/files/mask/options.ts';
import { readExport } from '../storage/files/read-export.ts';
import type { ViewerTexts } from './texts/en.ts';

/** The log of the file, as far as it can be read. */
export interface OpenedLog {
  /** Missing when nothing can be read. */
  readonly events?: readonly SessionEvent[];
  /** The notes of reviewers. */
  readonly annotations: readonly Annotation[];
  readonly masked?: MaskNotice;
  /** Why the log was not read to its end. */
  readonly problem?: string;
}

/** @param text the content of the element with the log, which begins with an empty line */
export async function readLog(text: string, texts: Pick<ViewerTexts, 'problem'>): Promise<OpenedLog> {
  const { sessions, problem } = await readExport(text.replace(/^\n/, ''));
  const [session] = sessions;
  return {
    annotations: session?.annotations ?? [],
    ...(session && { events: session.events }),
    ...(session?.masked && { masked: session.masked }),
    ...(problem && { problem: texts.problem(problem.line, problem.field, problem.reason) }),
  };
}
