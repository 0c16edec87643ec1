import { AgentError, messageOf } from '../../core/error.ts';

/** What is wrong with a file of a source of skills. */
export type SkillProblem =
  /** The source or the file could not be read. */
  | 'unreadable'
  /** The source contains no `SKILL.md`. */
  | 'no-skill'
  /** A path that leaves its folder, or is not a path. */
  | 'unsafe-path'
  /** More bytes than the limit, also after decompression. */
  | 'too-large'
  /** More files or skills than the limit. */
  | 'too-many'
  /** Not UTF-8. */
  | 'not-text'
  /** No front matter, or front matter that cannot be read. */
  | 'front-matter'
  | 'name'
  | 'description'
  /** Another skill has the name already, or another file the path. */
  | 'duplicate';

/** Why a skill, a file or a whole source of skills was left out. The message names the file. */
export class SkillError extends AgentError {
  override readonly name = 'SkillError';
  /** Path of the file within its source; for a whole source, its name. */
  readonly path: string;
  readonly problem: SkillProblem;

  constructor(path: string, problem: SkillProblem, why: string, cause?: unknown) {
    super(`${JSON.stringify(path.slice(0, 200))}: ${why}`, { code: 'INVALID_INPUT', cause });
    this.path = path;
    this.problem = problem;
  }
}

/** Returns a `SkillError` for anything that was thrown while a file was read. */
export function toSkillError(thrown: unknown, path: string): SkillError {
  return thrown instanceof SkillError ? thrown : new SkillError(path, 'unreadable', messageOf(thrown), thrown);
}
