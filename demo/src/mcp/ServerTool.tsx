import type { MCPTool } from 'brooklet/mcp';
import { Segments } from 'brooklet/ui';
import type { ReactElement } from 'react';
import { titleOf } from '../texts/titleOf.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { decisionFor } from './decisionFor.ts';
import { decideTool, type StoredServer, type ToolDecision } from './servers.ts';
import { ToolChange } from './ToolChange.tsx';
import type { Rules } from './useRules.ts';

interface ServerToolProps {
  readonly stored: StoredServer;
  readonly tool: MCPTool;
  readonly rules: Rules;
}

/** One tool of a server: what the server says about it, and what the user has decided. */
export function ServerTool({ stored, tool, rules }: ServerToolProps): ReactElement {
  const texts = useAllTexts();
  const { mcp: words } = texts;
  const { definition } = tool;
  const { decision, before } = decisionFor(stored, tool);
  // A rule decides where the server would ask, but not about a tool that has changed.
  const rule = decision === 'ask' && !before ? rules.decisionOf(tool.tool.name) : undefined;
  const title = definition.title ?? titleOf(texts, definition.name);

  const decide = (chosen: ToolDecision): void => {
    const { name } = definition;
    decideTool(stored.name, {
      name,
      decision: chosen,
      ...(chosen === 'allow' && { definition: JSON.stringify(definition) }),
    });
    // A rule would outlast the decision.
    rules.revoke(tool.tool.name);
  };

  return (
    <li className="server-tool">
      <div className="server-tool-text">
        <strong title={definition.name}>
          <bdi>{title}</bdi>
        </strong>
        {definition.annotations.readOnlyHint === true && <span className="badge">{words.readOnly}</span>}
        {before && <span className="badge replaced">{words.changed}</span>}
        {definition.description !== '' && (
          <p className="hint">
            <bdi>{definition.description}</bdi>
          </p>
        )}
      </div>
      <Segments
        legend={words.decisionOn(title)}
        options={[
          { value: 'allow', label: words.allow, title: words.allowTitle },
          { value: 'ask', label: words.ask, title: words.askTitle },
          { value: 'forbid', label: words.forbid, title: words.forbidTitle },
        ]}
        value={rule ?? decision}
        onChange={decide}
      />
      {before && <ToolChange before={before} now={definition} />}
    </li>
  );
}
