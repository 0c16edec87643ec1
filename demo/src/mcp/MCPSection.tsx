import { useAgent } from 'brooklet/react';
import { useFocusKeeper } from 'brooklet/ui';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { AddServer } from './AddServer.tsx';
import { start } from './connections.ts';
import { ServerCard } from './ServerCard.tsx';
import { removeServer, servers, type StoredServer } from './servers.ts';
import { signOut } from './signIns.ts';
import { useRules } from './useRules.ts';
import { useServers } from './useServers.ts';
import '../styles/extensions.css';

/** The MCP servers of the user: what each offers, and what the user allows. */
export function MCPSection(): ReactElement {
  const { mcp: words } = useAllTexts();
  const agent = useAgent();
  const root = useRef<HTMLDivElement>(null);
  const list = useServers();
  const rules = useRules(agent);
  const [added, setAdded] = useState<string>();
  const [removed, setRemoved] = useState<StoredServer>();
  useEffect(() => start(agent), [agent]);
  useFocusKeeper(root, root);

  const remove = (name: string): void => {
    const stored = removeServer(name);
    setRemoved(stored);
    if (stored) void signOut(stored.url);
  };
  const restore = (stored: StoredServer): void => {
    servers.change((all) => [...all.filter(({ name }) => name !== stored.name), stored]);
    setRemoved(undefined);
  };

  return (
    <div ref={root} className="settings settings-body" tabIndex={-1}>
      <p className="hint">{words.intro}</p>
      {list.length > 0 && (
        <ul className="servers" aria-label={words.list}>
          {list.map((view) => (
            <li key={view.stored.name}>
              <ServerCard
                view={view}
                rules={rules}
                isOpen={view.stored.name === added || list.length === 1}
                onRemove={remove}
              />
            </li>
          ))}
        </ul>
      )}
      <output className="hint removed-server">
        {removed && (
          <>
            {words.removed(new URL(removed.url).host)}{' '}
            <button type="button" className="link" onClick={() => restore(removed)}>
              {words.undo}
            </button>
          </>
        )}
      </output>
      <AddServer onAdded={setAdded} />
    </div>
  );
}
