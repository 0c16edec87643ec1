import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { formatMoment } from '../texts/format.ts';
import { useToday } from '../base/useToday.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { isConnected, isConnected$, store } from './store.ts';
import type { SyncState } from './sync.ts';

/** How this device relates to the engine, in words. */
export function SyncStatus({ state }: { readonly state: SyncState }): ReactElement {
  const { devices: words } = useAllTexts();
  if (useObservable(isConnected$, isConnected)) return <StoreLine />;
  switch (state.is) {
    case 'off':
    case 'on':
    case 'opening':
      return <Line dot="locked" title={words.opening} />;
    case 'locked':
      return <Line dot="locked" title={words.locked} />;
    case 'missing':
      return <Line dot="locked" title={words.missing} />;
    case 'refused':
      return <Line dot="keyless" title={words.refused} text={state.error.message} />;
  }
}

function StoreLine(): ReactElement {
  const texts = useAllTexts();
  const { devices: words } = texts;
  const today = useToday();
  const status = useObservable(store.status$, store.getStatus);
  switch (status.state) {
    case 'local':
      return <Line dot="locked" title={words.opening} />;
    case 'in-step':
      return <Line title={words.inStep} text={words.inStepText} />;
    case 'behind':
      return (
        <Line dot="locked" title={words.behind(formatMoment(texts, status.since, today))} text={words.behindText} />
      );
    case 'offline':
      return <Line dot="offline" title={words.away(formatMoment(texts, status.since, today))} text={words.awayText} />;
  }
}

function Line({ dot = '', title, text }: { dot?: string; title: string; text?: string }): ReactElement {
  return (
    <output className="device-status">
      <span className={`dot ${dot}`} />
      <span>
        <strong>{title}</strong>
        {text !== undefined && <span className="hint">{text}</span>}
      </span>
    </output>
  );
}
