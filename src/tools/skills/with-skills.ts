import type { Tool } from '../../core/tools/tool.ts';
import type { Skills } from './load-skills.ts';

/** The options of an agent that skills are added to. */
interface SkillableOptions {
  readonly instructions?: string;
  readonly tools?: readonly Tool[];
  /** Unused: with it, options of an agent that have only a client fit, too. */
  readonly client?: unknown;
}

type AddedSkills = Pick<Skills, 'instructions' | 'tools'>;

/** The options of an agent, with skills. The types of its own tools stay. */
export type WithSkills<Options extends SkillableOptions> = Omit<Options, 'instructions' | 'tools'> & {
  readonly instructions: string;
  readonly tools: readonly (Tool | ToolOf<Options>)[];
};

type ToolOf<Options extends SkillableOptions> = Options extends { readonly tools: readonly (infer Own)[] }
  ? Own
  : never;

/**
 * Adds skills to the options of an agent, or of a session: their names and descriptions to the instructions, `read_skill` to the tools.
 *
 *     const agent = createAgent(withSkills({ client, instructions: 'Answer briefly.', tools }, await loadSkills(zip)));
 */
export function withSkills<const Options extends SkillableOptions>(
  options: Options,
  skills: AddedSkills,
): WithSkills<Options>;
export function withSkills(options: SkillableOptions, skills: AddedSkills): WithSkills<SkillableOptions> {
  const instructions = [options.instructions, skills.instructions].filter(Boolean).join('\n\n');
  return { ...options, instructions, tools: [...(options.tools ?? []), ...skills.tools] };
}
