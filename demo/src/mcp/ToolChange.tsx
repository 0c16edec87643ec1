import type { MCPToolDefinition } from 'brooklet/mcp';
import type { ReactElement } from 'react';
import { Diff } from 'brooklet/ui';
import { useAllTexts } from '../texts/useAllTexts.ts';
import type { CurrentDecision } from './decisionFor.ts';

interface ToolChangeProps {
  readonly before: NonNullable<CurrentDecision['before']>;
  readonly now: MCPToolDefinition;
}

/** What a server has changed about a tool since the user saw it. */
export function ToolChange({ before, now }: ToolChangeProps): ReactElement {
  const { mcp: words } = useAllTexts();
  const changes = [
    { name: words.changedTitle, from: before.title ?? '', to: now.title ?? '' },
    { name: words.changedDescription, from: before.description, to: now.description },
    { name: words.changedInput, from: toText(before.inputSchema), to: toText(now.inputSchema) },
  ].filter(({ from, to }) => from !== to);
  return (
    <div className="tool-change">
      <p>{words.changedText}</p>
      {changes.length === 0 && <p className="hint">{words.changedElse}</p>}
      {changes.map(({ name, from, to }) => (
        <Diff key={name} before={from} after={to} name={name} />
      ))}
    </div>
  );
}

function toText(schema: object): string {
  return JSON.stringify(schema, null, 2);
}
