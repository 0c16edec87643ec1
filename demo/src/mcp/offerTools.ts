import type { Agent } from 'brooklet';
import type { MCPServer, MCPTool } from 'brooklet/mcp';
import { combineLatest } from 'rxjs';
import { guard } from '../trust/holding.ts';
import { noteInterfaces } from './interfaces.ts';
import { servers } from './servers.ts';

/** Keeps the agent in step with the tools of a server that the user has not forbidden. Returns a function that removes the tools. */
export function offerTools(agent: Pick<Agent, 'addTool' | 'removeTool'>, server: MCPServer): () => void {
  let offered = new Map<string, MCPTool>();

  const offer = (wanted: ReadonlyMap<string, MCPTool>): void => {
    for (const name of offered.keys()) if (!wanted.has(name)) agent.removeTool(name);
    for (const [name, one] of wanted) if (offered.get(name)?.tool !== one.tool) agent.addTool(guard(one.tool));
    offered = new Map(wanted);
  };

  const subscription = combineLatest([server.tools$, servers.value$]).subscribe(([tools, list]) => {
    const shown = tools.filter(({ definition }) => definition.ui?.resourceUri !== undefined);
    noteInterfaces(
      server.name,
      shown.map(({ tool }) => tool.name),
    );
    const stored = list.find(({ name }) => name === server.name);
    const forbidden = new Set(stored?.tools.flatMap(({ name, decision }) => (decision === 'forbid' ? [name] : [])));
    const allowed = tools.filter(({ definition }) => !forbidden.has(definition.name));
    offer(new Map(allowed.map((one) => [one.tool.name, one])));
  });
  return () => {
    subscription.unsubscribe();
    offer(new Map());
  };
}
