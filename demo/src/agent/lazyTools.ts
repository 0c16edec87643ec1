import type { Agent, AgentOptions } from 'brooklet';

type Present = NonNullable<AgentOptions['present']>;

let presenter: Present | undefined;

/** Presents results once the tools are loaded: before that no tool can have run. */
export const present: Present = (name, ...call) => presenter?.(name, ...call) ?? { summary: name };

/**
 * Returns a function that adds the tools to the agent, once. It resolves when the page's own tools are there, for a message (`all`) when those
 * of servers and skills are there, too. Never rejects: without its tools the agent still answers, and the next call tries again.
 */
export function createToolLoader(agent: Agent): (all?: boolean) => Promise<void> {
  let loading: Promise<{ readonly added: Promise<void> }> | undefined;
  const load = async (): Promise<{ readonly added: Promise<void> }> => {
    const toolkit = await import('./toolkit.ts');
    presenter = toolkit.present;
    return { added: toolkit.addTools(agent) };
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
