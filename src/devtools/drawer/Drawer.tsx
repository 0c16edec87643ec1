import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { SessionEvent } from '../../core/model/event.ts';
import type { LogSource } from '../drawer-env.ts';
import type { ReviewLabels } from '../../ui/review/labels/english.ts';
import { CopyTest } from './CopyTest.tsx';
import { LogTab } from './LogTab.tsx';
import { RequestsTab } from './RequestsTab.tsx';
import { ReviewTab } from './ReviewTab.tsx';
import { type ListedSession, watchLog, watchSessions } from './session-log.ts';
import { SessionSelect } from './SessionSelect.tsx';
import { StateTab } from './StateTab.tsx';
import { type TabName, Tabs } from './Tabs.tsx';
import { useDrawerTexts } from './texts/use-drawer-texts.ts';
import { useStream } from './use-stream.ts';

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
