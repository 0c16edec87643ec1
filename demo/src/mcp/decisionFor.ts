import { isJsonObject } from 'brooklet/core';
import type { MCPTool, MCPToolDefinition } from 'brooklet/mcp';
import { parseObject } from '../base/json.ts';
import type { StoredServer, ToolDecision } from './servers.ts';

/** What applies to a tool now. */
export interface CurrentDecision {
  readonly decision: ToolDecision;
  /** What the server said when the user allowed the tool, or when it last ran, if that was something else. */
  readonly before?: Pick<MCPToolDefinition, 'title' | 'description' | 'inputSchema'>;
}

/** Returns what applies to a tool: the decision of the user, which holds for the definition that the user has seen. */
export function decisionFor(
  { tools, isTrusted }: Pick<StoredServer, 'tools' | 'isTrusted'>,
  { definition, previous }: Pick<MCPTool, 'definition' | 'previous'>,
): CurrentDecision {
  const stored = tools.find(({ name }) => name === definition.name);
  const changed = previous && { before: previous };
  if (stored?.decision === 'forbid') return { decision: 'forbid', ...changed };
  if (stored?.decision === 'allow' && stored.definition !== JSON.stringify(definition))
    return { decision: 'ask', before: previous ?? readDefinition(stored.definition) };
  const { readOnlyHint } = definition.annotations;
  return { decision: stored?.decision ?? (isTrusted && readOnlyHint === true ? 'allow' : 'ask'), ...changed };
}

function readDefinition(text = ''): NonNullable<CurrentDecision['before']> {
  const { title, description, inputSchema } = parseObject(text) ?? {};
  return {
    ...(typeof title === 'string' && { title }),
    description: typeof description === 'string' ? description : '',
    inputSchema: isJsonObject(inputSchema) ? inputSchema : {},
  };
}
