import { useSessions } from 'brooklet/react/lists';

function Sessions({ onOpen }: { onOpen: (sessionId: string) => void }) {
  const { sessions, hasMore, loadMore, remove } = useSessions();
  return (
    <ul>
      {sessions.map(({ id, title }) => (
        <li key={id}>
          <button onClick={() => onOpen(id)}>{title || 'New chat'}</button>
          <button onClick={() => remove(id)}>Delete</button>
        </li>
      ))}
      {hasMore && <button onClick={loadMore}>More</button>}
    </ul>
  );
}

export { Sessions };
