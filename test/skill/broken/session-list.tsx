import { useSessions } from 'brooklet/react/lists';
import { type ReactNode, useState } from 'react';

/** Searches the titles only, of the first page only. */
export function Sessions({ onOpen }: { onOpen: (sessionId: string) => void }): ReactNode {
  const [search, setSearch] = useState('');
  const { sessions, remove } = useSessions();
  return (
    <>
      <input aria-label="Search" value={search} onChange={(event) => setSearch(event.target.value)} />
      <ul>
        {sessions
          .filter(({ title }) => title.includes(search))
          .map(({ id, title }) => (
            <li key={id}>
              <button onClick={() => onOpen(id)}>{title}</button>
              <button onClick={() => remove(id)}>Delete</button>
            </li>
          ))}
      </ul>
    </>
  );
}
