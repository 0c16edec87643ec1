import type { Agent, AgentOptions } from 'brooklet';

type Present = NonNullable<AgentOptions['present']>;

let presenter: Present | undefined;

/** Presents results once the tools are loaded: before that no tool can have run. */
export const present: Present = (name, ...call) => presenter?.(name, ...call) ?? { summary: name };

/**
 * Returns a function that adds the tools to the agent, once. It resolves when the page's own tools are there, for a message (`all`) when those
 * of servers and skills are there, too. `page`: the agent has those that need no page already. Never rejects: without its tools the agent still answers, and the next call tries again.
 */
export function createToolLoader(agent: Agent, has: 'all' | 'page' = 'all'): (all?: boolean) => Promise<void> {
  let loading: Promise<{ readonly added: Promise<void> }> | undefined;
  const load = async (): Promise<{ readonly added: Promise<void> }> => {
    const [toolkit, { tools, pageTools }, presenting] = await Promise.all([
      import('./toolkit.ts'),
      import('../tools/tools.ts'),
      import('./presenting.ts'),
    ]);
    presenter = presenting.present;
    return { added: toolkit.addTools(agent, has === 'all' ? tools : pageTools) };
  };
  return async (all) => {
    try {
      const { added } = await (loading ??= load());
      if (all) await added;
    } catch {
      loading = undefined;
    }
  };
}
