import type { AgentError } from 'brooklet';
import { eventVersion } from 'brooklet/core';
import { version } from 'brooklet/package.json';
import type { Annotation, Review } from 'brooklet/review';
import { estimateSpace, type Space } from 'brooklet/storage';
import { storageWarning$ } from '../encryption/localStore.ts';
import { toFile } from './toFile.ts';

/** What a bug report says of the page, beside the session. */
export interface Circumstances {
  readonly madeAt: string;
  /** Version of the package. */
  readonly version: string;
  /** Version of the events that this page writes. */
  readonly eventVersion: number;
  readonly browser: string;
  readonly languages: readonly string[];
  readonly screen: string;
  readonly isOnline: boolean;
  readonly storage: Space | string;
  readonly storageWarning?: string;
  /** The last errors of the session. */
  readonly errors: readonly string[];
}

/** Errors in a report. */
const maxErrors = 20;

/** Returns the circumstances of the page and the last errors of a session. */
export async function circumstancesOf(review: Review): Promise<Circumstances> {
  const warning: AgentError | undefined = storageWarning$.value;
  const storage = await estimateSpace().catch(() => undefined);
  return {
    madeAt: new Date().toISOString(),
    version,
    eventVersion,
    browser: navigator.userAgent,
    languages: navigator.languages,
    screen: `${innerWidth} × ${innerHeight}, ${devicePixelRatio}×`,
    isOnline: navigator.onLine,
    storage: storage ?? 'unknown',
    ...(warning && { storageWarning: `${warning.code}: ${warning.message}` }),
    errors: review.errors
      .slice(-maxErrors)
      .map(({ seq, of, message, error }) => `#${seq} ${of}: ${error ? `${error.code} ` : ''}${message}`),
  };
}

/** What a person chose to put into the report. */
export interface ReportParts {
  readonly description: string;
  readonly circumstances: Circumstances;
  readonly review: Review;
  readonly notes: readonly Annotation[];
  readonly withSession: boolean;
}

/**
 * Returns a bug report as one text: what happened, the circumstances, and the session as an export, which the review opens: it skips
 * everything before the first line of the export.
 */
export function toReport({ description, circumstances, review, notes, withSession }: ReportParts): string {
  const about = JSON.stringify({ format: 'brooklet-report', version: 1, description, circumstances });
  return withSession ? `${about}\n${toFile(review, notes)}` : `${about}\n`;
}
