import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { SessionEvent } from '../../core/model/event.ts';
import type { LogSource } from '../drawer-env.ts';
import type { ReviewLabels } from '../../ui/review/labels/english.ts';
import { CopyTest } from './CopyTest.tsx';
import { LogTab } from './LogTab.tsx';
import { RequestsTab } from './RequestsTab.tsx';
import { type ListedSession, watchLog, watchSessions } from './session-log.ts';
import { StateTab } from './StateTab.tsx';
import { type TabName, Tabs } from './Tabs.tsx';
import { useDrawerTexts } from './texts/use-drawer-texts.ts';
import { useStream } from './use-stream.ts';
import { ReviewView } from '../../ui/review/ReviewView.tsx';

interface DrawerProps extends LogSource {
  /** The texts of the review. */
  readonly labels: ReviewLabels;
  readonly onClose: () => void;
}

const noSessions: readonly ListedSession[] = [];
const noEvents: readonly SessionEvent[] = [];

/** The devtools of an agent, at the foot of the page. */
export function Drawer({ agent, recorded, labels, onClose }: DrawerProps): ReactElement {
  const texts = useDrawerTexts();
  const source = { agent, recorded };
  const [tab, setTab] = useState<TabName>('log');
  const [chosen, setChosen] = useState<string>();
  const sessions = useStream(() => watchSessions(source), noSessions, [agent, recorded]);
  const sessionId = chosen ?? sessions[0]?.id ?? '';
  const pace = tab === 'log' ? 'frame' : 'calm';
  const events = useStream(() => watchLog(source, sessionId, pace), noEvents, [agent, recorded, sessionId, pace]);
  const drawer = useRef<HTMLElement>(null);
  useEffect(() => drawer.current?.querySelector<HTMLElement>('[role=tab][tabindex="0"]')?.focus(), []);

  return (
    <section
      className="drawer bk-chat"
      aria-label={texts.drawer}
      ref={drawer}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || isTyping(event.target)) return;
        event.stopPropagation();
        onClose();
      }}
    >
      <div className="bar">
        <Tabs current={tab} onSelect={setTab} />
        <SessionSelect sessions={sessions} current={sessionId} onSelect={setChosen} />
        <CopyTest events={events} />
        <button type="button" className="close bk-button" onClick={onClose}>
          {texts.close}
        </button>
      </div>
      {events[0] && events[0].seq > 1 && (
        <p className="bk-strip" role="status">
          {texts.cutOff(events[0].seq)}
        </p>
      )}
      <div className="body" role="tabpanel" id="panel" aria-labelledby={`tab-${tab}`} key={sessionId}>
        {tab === 'log' && <LogTab events={events} />}
        {tab === 'state' && <StateTab events={events} session={agent.getSession(sessionId)} />}
        {tab === 'requests' && <RequestsTab events={events} />}
        {tab === 'review' && <ReviewTab events={events} labels={labels} />}
      </div>
    </section>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === 'search' && target.value !== '';
}

interface ReviewTabProps {
  readonly events: readonly SessionEvent[];
  readonly labels: ReviewLabels;
}

/** The review of the session, as an exported file shows it. */
function ReviewTab({ events, labels }: ReviewTabProps): ReactElement {
  return <ReviewView log={events} labels={labels} showsPictures={false} />;
}

interface SessionSelectProps {
  readonly sessions: readonly ListedSession[];
  readonly current: string;
  readonly onSelect: (sessionId: string) => void;
}

/** The session that is shown; without a choice, the one that did something last. */
function SessionSelect({ sessions, current, onSelect }: SessionSelectProps): ReactElement {
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
