import type { SourceFile } from './sources/source-file.ts';

/** The file that makes a folder a skill. */
export const skillFile = 'SKILL.md';

/** A skill: a folder with a `SKILL.md`. */
export interface Skill {
  /** Lower-case letters, digits and single hyphens, 64 at most. */
  readonly name: string;
  /** What the skill does and when to use it, as its author wrote it. */
  readonly description: string;
  /** Paths of its files, relative to its folder, sorted; `SKILL.md` among them. */
  readonly paths: readonly string[];
  /** Estimated tokens of the text of its `SKILL.md`, which the model reads when it loads the skill. */
  readonly tokens: number;
  /** Name of its source: a URL, or the name of a file or a folder. */
  readonly source: string;
}

/** A skill with its files. Internal. */
export interface OpenSkill extends Skill {
  /** The text below the front matter of its `SKILL.md`. */
  readonly body: string;
  readonly files: ReadonlyMap<string, SourceFile>;
}
