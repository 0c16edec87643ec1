import type { Agent } from 'brooklet';
import { createWorkspaceTools } from 'brooklet/workspace';
import { fileTools } from '../tools/files.ts';
import { guard } from '../trust/holding.ts';
import { directory } from './folder.ts';
import { workspace } from './place.ts';

const workspaceTools = createWorkspaceTools({ directory }).map(guard);
const exampleTools = fileTools.map(guard);

/** Gives the agent the tools of the workspace while it is switched on. They take the place of the tools for the example files. */
export function start(agent: Pick<Agent, 'addTool' | 'removeTool'>): void {
  let isOffered = false;
  workspace.value$.subscribe((place) => {
    const isOn = place !== 'off';
    if (isOn === isOffered) return;
    isOffered = isOn;
    const [before, after] = isOn ? [exampleTools, workspaceTools] : [workspaceTools, exampleTools];
    for (const { name } of before) agent.removeTool(name);
    for (const tool of after) agent.addTool(tool);
  });
}

/** The tools are there at once. */
export async function settled(): Promise<void> {}
