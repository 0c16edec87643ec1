import { type AgentSession, toolParts } from 'brooklet';
import type { SyncedStoreStatus, SessionSync as Relation } from 'brooklet/sync';
import { useObservable } from 'brooklet/react';
import { type ReactElement, useEffect, useState } from 'react';
import { goTo } from '../base/route.ts';
import { asked } from './asked.ts';
import { openOverlay } from '../base/overlay.ts';
import { formatMoment } from '../texts/format.ts';
import { useToday } from '../base/useToday.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { reportRefusal } from '../toast/reportRefusal.ts';
import { Strip } from '../ui/Strip.tsx';
import { continueHere, decideAs } from './continueHere.ts';
import { seenForks } from './seenForks.ts';
import { store } from './store.ts';
import '../styles/devices.css';

interface SessionSyncProps {
  readonly session: AgentSession;
}

/** How a conversation relates to the other devices: a chip for its header, or a note below it. */
export function SessionSync({ is, ...props }: SessionSyncProps & { readonly is: 'chip' | 'note' }): ReactElement {
  return is === 'chip' ? <SyncChip {...props} /> : <SyncNote {...props} />;
}

/** How this conversation relates to the other devices, in a few words. Opens the settings of the devices. */
function SyncChip({ session }: SessionSyncProps): ReactElement | null {
  const texts = useAllTexts();
  const { devices: words } = texts;
  const today = useToday();
  const status = useObservable(store.status$, store.getStatus);
  const sync = useSessionSync(session.id);
  if (!sync || sync.state === 'local') return null;
  const [dot, text] = describe(sync, status, (since) => formatMoment(texts, since, today), words);
  return (
    <button
      type="button"
      className="quiet sync-chip"
      title={words.stateOf(text)}
      aria-label={words.stateOf(text)}
      onClick={() => openOverlay({ is: 'settings', section: 'devices' })}
    >
      <span className={`dot ${dot}`} />
      <span>{text}</span>
    </button>
  );
}

function describe(
  sync: Exclude<Relation, { readonly state: 'local' }>,
  status: SyncedStoreStatus,
  toTime: (since: number) => string,
  words: ReturnType<typeof useAllTexts>['devices'],
): readonly [dot: string, text: string] {
  switch (sync.state) {
    case 'refused':
      return ['keyless', words.notInStep];
    case 'waiting':
      return ['locked', words.waiting];
    case 'elsewhere':
      return ['locked', words.elsewhere(sync.device)];
    case 'behind':
      return status.state === 'offline' ? ['offline', words.awayShort] : ['locked', words.behind(toTime(sync.since))];
    case 'in-step':
      return status.state === 'offline' ? ['offline', words.awayShort] : ['', words.inStep];
  }
}

/** What the user can do about a conversation that other devices have gone on with. */
function SyncNote({ session }: SessionSyncProps): ReactElement | null {
  const texts = useAllTexts();
  const { devices: words, common } = texts;
  const today = useToday();
  const sync = useSessionSync(session.id);
  const seen = useObservable(seenForks.value$, seenForks.get);
  const messages = useObservable(session.messages$, session.getMessages);
  const left = messages
    .flatMap(toolParts)
    .filter(({ status, approval }) => status === 'awaiting-approval' && approval?.proposal !== undefined);
  if (!sync) return null;
  const { keptAs } = sync;
  const awaited = new Set(
    messages.flatMap(toolParts).flatMap(({ callId, status }) => (status === 'awaiting-approval' ? callId : [])),
  );
  const held = sync.held?.filter(({ callId }) => awaited.has(callId)) ?? [];
  return (
    <>
      {sync.state === 'refused' && <Strip text={`${words.notInStepText} ${sync.error.message}`} />}
      {sync.state === 'waiting' && <Strip text={words.waitingText} />}
      {sync.state === 'elsewhere' && (
        <Strip text={words.elsewhereText(sync.device, formatMoment(texts, sync.since, today))}>
          <button
            type="button"
            className="link"
            title={words.takeOverHint}
            onClick={() => void session.takeOver().catch(reportRefusal)}
          >
            {words.takeOver}
          </button>
        </Strip>
      )}
      {left.length > 0 && (
        <Strip text={words.leftText(sync.asker ?? words.otherDevice)}>
          <button
            type="button"
            className="link"
            title={words.continueHereHint}
            onClick={() => void continueHere(session, left).catch(reportRefusal)}
          >
            {words.continueHere}
          </button>
        </Strip>
      )}
      {held.map(({ callId, why, device, decision }) => (
        <Strip key={callId} text={words.heldText(device ?? words.unknownDevice, words.heldWhy[why], decision.verdict)}>
          <button
            type="button"
            className="link"
            title={words.decideSameHint}
            onClick={() => void decideAs(session, callId, decision).catch(reportRefusal)}
          >
            {words.decideSame}
          </button>
        </Strip>
      ))}
      {keptAs !== undefined && !seen.includes(keptAs) && (
        <Strip text={words.keptText}>
          <button type="button" className="link" onClick={() => goTo(keptAs)}>
            {words.show}
          </button>{' '}
          <button
            type="button"
            className="link"
            onClick={() => seenForks.change((ids) => [...ids, keptAs].slice(-most))}
          >
            {common.dismiss}
          </button>
        </Strip>
      )}
    </>
  );
}

/** Forks whose note stays closed. */
const most = 100;

function useSessionSync(id: string): Relation | undefined {
  const [known, setKnown] = useState<{ readonly id: string; readonly sync: Relation | undefined }>();
  useEffect(() => {
    const subscription = store.sessionSync$(id).subscribe((sync) => {
      if (sync?.asker === undefined) asked.delete(id);
      else asked.add(id);
      setKnown({ id, sync });
    });
    return () => {
      asked.delete(id);
      subscription.unsubscribe();
    };
  }, [id]);
  return known?.id === id ? known.sync : undefined;
}
