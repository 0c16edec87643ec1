/** @jsxImportSource preact */
import type { VNode } from 'preact';
import type { ListedSession } from './session-log.ts';

interface SessionSelectProps {
  readonly sessions: readonly ListedSession[];
  readonly current: string;
  readonly onSelect: (sessionId: string) => void;
}

/** The session that is shown; without a choice, the one that did something last. */
export function SessionSelect({ sessions, current, onSelect }: SessionSelectProps): VNode {
  return (
    <label class="session">
      <span>Session</span>{' '}
      <select value={current} onChange={({ currentTarget }) => onSelect(currentTarget.value)}>
        {sessions.length === 0 && <option value="">none yet</option>}
        {sessions.map(({ id, title }) => (
          <option key={id} value={id}>
            {title || id}
          </option>
        ))}
      </select>
    </label>
  );
}
