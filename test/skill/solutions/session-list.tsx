import { useSessions } from 'brooklet/react/lists';
import { type ReactNode, useState } from 'react';

export function Sessions({ onOpen }: { onOpen: (sessionId: string) => void }): ReactNode {
  const [search, setSearch] = useState('');
  const { sessions, hasMore, loadMore, remove } = useSessions({ search });
  return (
    <>
      <input aria-label="Search" value={search} onChange={(event) => setSearch(event.target.value)} />
      <ul>
        {sessions.map(({ id, title }) => (
          <li key={id}>
            <button onClick={() => onOpen(id)}>{title || 'New chat'}</button>
            <button onClick={() => remove(id)}>Delete</button>
          </li>
        ))}
      </ul>
      {hasMore && <button onClick={loadMore}>More</button>}
    </>
  );
}
