import type { Tool } from '../core/tools/tool.ts';
import { instructionsFor } from './instructions.ts';
import { type SkillLimits, withDefaults } from './limits.ts';
import { readEach } from './read-each.ts';
import { readSkills } from './read-skills.ts';
import { readSkillTool } from './read-skill-tool.ts';
import { type OpenSkill, type Skill, skillFile } from './skill.ts';
import { SkillError } from './skill-error.ts';
import { nameOf, openSource, type SkillSource, toSources } from './sources/open-source.ts';

/** Options of `loadSkills`. */
export interface LoadSkillsOptions {
  /** What a source may contain. */
  readonly limits?: SkillLimits;
  /** Maximum number of characters in one result of `read_skill`. Default: 20,000. */
  readonly pageSize?: number;
  /** Default: the browser's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Skills, ready for an agent: see `withSkills`. */
export interface Skills {
  readonly skills: readonly Skill[];
  /** What was left out, and why. One bad skill does not stop the others. */
  readonly problems: readonly SkillError[];
  /** The names and descriptions, for the agent's instructions: at most 200 tokens for each skill. Empty without skills. */
  readonly instructions: string;
  /** `read_skill`; empty without skills. */
  readonly tools: readonly Tool[];
}

/**
 * Reads the names and descriptions of skills, folders with a `SKILL.md`, from a URL, a zip, a picked folder or OPFS. Everything else in the
 * folders is read by the model, with the tool `read_skill`, when a task needs it.
 *
 *     const skills = await loadSkills('https://example.com/.well-known/skills/index.json');
 *     for (const { message } of skills.problems) console.warn(message);
 *     const agent = createAgent(withSkills({ client, instructions: 'Answer briefly.' }, skills));
 *
 * Rejects with the `SkillError` of the source when no source can be read. A source that cannot be read among others is in `problems`.
 */
export async function loadSkills(
  from: SkillSource | Iterable<SkillSource>,
  options: LoadSkillsOptions = {},
): Promise<Skills> {
  const limits = withDefaults(options.limits ?? {});
  const { pageSize = 20_000, fetch = (url, init) => globalThis.fetch(url, init) } = options;
  const { values: found, problems: refused } = await readEach(
    toSources(from),
    async (source) => readSkills(await openSource(source, { fetch, limits }), nameOf(source), limits),
    nameOf,
  );
  if (found.length === 0 && refused[0] !== undefined) throw refused[0];
  const { skills, problems } = merge(
    found.flatMap((one) => one.skills),
    limits,
  );

  return {
    skills: [...skills.values()].map(({ name, description, paths }) => ({ name, description, paths })),
    problems: [...refused, ...found.flatMap((one) => one.problems), ...problems],
    instructions: instructionsFor([...skills.values()]),
    tools: skills.size === 0 ? [] : [readSkillTool({ skills, pageSize, maxBytes: limits.fileBytes })],
  };
}

/** Returns skills by name. The first of two skills with one name stays. */
function merge(
  all: readonly OpenSkill[],
  limits: Required<SkillLimits>,
): { readonly skills: ReadonlyMap<string, OpenSkill>; readonly problems: readonly SkillError[] } {
  const skills = new Map<string, OpenSkill>();
  const problems: SkillError[] = [];
  for (const skill of all) {
    const path = `${skill.name}/${skillFile}`;
    if (skills.has(skill.name))
      problems.push(new SkillError(path, 'duplicate', 'Another skill has this name already.'));
    else if (skills.size === limits.skills)
      problems.push(new SkillError(path, 'too-many', `There are more than ${limits.skills} skills.`));
    else skills.set(skill.name, skill);
  }
  return { skills, problems };
}
