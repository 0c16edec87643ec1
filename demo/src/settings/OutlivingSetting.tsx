import { useAgent, useObservable } from 'brooklet/react';
import type { HostStatus } from 'brooklet/worker';
import type { ReactElement } from 'react';
import { NEVER } from 'rxjs';
import { isConnected, outliving, whyHere } from '../model/outliving.ts';
import type { AllTexts } from '../texts/en/rooms.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Switch } from '../ui/Switch.tsx';

/** Whether answers go on when this page is closed, and where they are driven now. */
export function OutlivingSetting(): ReactElement {
  const { outliving: words } = useAllTexts();
  const agent = useAgent();
  const isOn = useObservable(outliving.value$, outliving.get);
  const host = useObservable(isConnected(agent) ? agent.host$ : NEVER, () =>
    isConnected(agent) ? agent.getHost() : undefined,
  );
  // The agent of a page is that of the setting with which it was loaded.
  const why = whyHere();
  const isNext = isOn !== isConnected(agent) && (!isOn || why === undefined || why === 'encrypting');
  return (
    <div className="setting-group">
      <Switch label={words.title} hint={words.hint} isOn={isOn} onChange={(next) => outliving.change(() => next)} />
      <p className="hint" role="status">
        {isNext ? (isConnected(agent) ? words.next : words.nextHere) : sentenceOf(host, words)}
      </p>
      {isNext && (
        <div className="buttons">
          <button type="button" onClick={() => location.reload()}>
            {words.reload}
          </button>
        </div>
      )}
    </div>
  );
}

function sentenceOf(host: HostStatus | undefined, words: AllTexts['outliving']): string {
  switch (host?.state) {
    case undefined:
      return words.here[whyHere() ?? 'off'];
    case 'connecting':
      return words.connecting;
    case 'worker':
      return words.worker[host.outlives];
    case 'page':
      return words.noWorker[host.reason === 'no-shared-worker' || host.reason === 'no-key' ? host.reason : 'failed'];
    case 'disconnected':
      return words.here.off;
  }
}
