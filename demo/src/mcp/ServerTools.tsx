import type { MCPServer } from 'brooklet/mcp';
import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import type { StoredServer } from './servers.ts';
import { ServerTool } from './ServerTool.tsx';
import type { Rules } from './useRules.ts';

interface ServerToolsProps {
  readonly stored: StoredServer;
  readonly server: MCPServer;
  readonly rules: Rules;
}

/** The tools of a server, each with the decision of the user, and those that cannot be offered. */
export function ServerTools({ stored, server, rules }: ServerToolsProps): ReactElement {
  const { mcp: words } = useAllTexts();
  const tools = useObservable(server.tools$, server.getTools);
  const leftOut = server.getLeftOut();
  return (
    <>
      {tools.length === 0 && <p className="hint">{words.noTools}</p>}
      <ul className="server-tools" aria-label={words.toolsOf(new URL(stored.url).host)}>
        {tools.map((tool) => (
          <ServerTool key={tool.definition.name} stored={stored} tool={tool} rules={rules} />
        ))}
      </ul>
      {leftOut.length > 0 && (
        <div className="hint">
          <p>{words.leftOut}</p>
          <ul>
            {leftOut.map(({ name, reason }) => (
              <li key={name}>
                <bdi>{name}</bdi>: {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
