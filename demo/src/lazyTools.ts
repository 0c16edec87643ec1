import type { Agent, AgentOptions } from 'brooklet';

type Present = NonNullable<AgentOptions['present']>;

let presenter: Present | undefined;

/** Presents results once the tools are loaded: before that no tool can have run. */
export const present: Present = (name, ...call) => presenter?.(name, ...call) ?? { summary: name };

/** Returns a function that adds the tools to the agent, once. Never rejects: without its tools the agent still answers, and the next call tries again. */
export function createToolLoader(agent: Pick<Agent, 'addTool'>): () => Promise<void> {
  let loading: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    const toolkit = await import('./toolkit.ts');
    presenter = toolkit.present;
    for (const tool of toolkit.tools) agent.addTool(tool);
  };
  return () =>
    (loading ??= load().catch(() => {
      loading = undefined;
    }));
}
