import type { SkillError } from '../skill-error.ts';

/** A file of a source of skills. */
export interface SourceFile {
  /** Relative to the source, with `/` between folders. Not checked. */
  readonly path: string;
  /** Bytes, where the source states them. */
  readonly size?: number;
  /** Rejects with the reason when the file cannot be read. */
  readonly read: () => Promise<Uint8Array>;
}

/** The files of a source, and what was left out of it. */
export interface SourceFiles {
  readonly files: readonly SourceFile[];
  readonly problems: readonly SkillError[];
}
