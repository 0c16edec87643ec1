import { named } from '../../core/model/shapes/named.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { instructionsFor } from './instructions.ts';
import { type SkillLimits, withDefaults } from './limits.ts';
import { readEach } from './read-each.ts';
import { readSkills } from './read-skills.ts';
import { readSkillTool, type ReadSkillOptions } from './read-skill-tool.ts';
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
  /** Returns the skills that the filter keeps, for a person who switches some of them off: nothing is loaded again. */
  only(filter: (skill: Skill) => boolean): Skills;
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
  named(options, { limits: true, pageSize: true, fetch: true }, 'loadSkills');
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

  return toSkills({
    skills,
    problems: [...refused, ...found.flatMap((one) => one.problems), ...problems],
    pageSize,
    maxBytes: limits.fileBytes,
  });
}

interface Loaded extends ReadSkillOptions {
  readonly problems: readonly SkillError[];
}

function toSkills(loaded: Loaded): Skills {
  const { skills, problems, ...limits } = loaded;
  const list = [...skills.values()].map(({ body: _body, files: _files, ...skill }): Skill => skill);
  return {
    skills: list,
    problems,
    instructions: instructionsFor(list),
    tools: list.length === 0 ? [] : [readSkillTool({ skills, ...limits })],
    only(filter) {
      const kept = new Set(list.filter(filter).map(({ name }) => name));
      return toSkills({ ...loaded, skills: new Map([...skills].filter(([name]) => kept.has(name))) });
    },
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
