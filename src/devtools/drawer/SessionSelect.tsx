import type { ReactElement } from 'react';
import type { ListedSession } from './session-log.ts';
import { useDrawerTexts } from './texts/use-drawer-texts.ts';

interface SessionSelectProps {
  readonly sessions: readonly ListedSession[];
  readonly current: string;
  readonly onSelect: (sessionId: string) => void;
}

/** The session that is shown; without a choice, the one that did something last. */
export function SessionSelect({ sessions, current, onSelect }: SessionSelectProps): ReactElement {
  const { session, noSession } = useDrawerTexts();
  return (
    <label className="bk-picker">
      <span>{session}</span>{' '}
      <select value={current} onChange={({ target }) => onSelect(target.value)}>
        {sessions.length === 0 && <option value="">{noSession}</option>}
        {sessions.map(({ id, title }) => (
          <option key={id} value={id}>
            {title || id}
          </option>
        ))}
      </select>
    </label>
  );
}
