import type { ReactElement } from 'react';
import type { Connection } from '../connection.ts';
import type { AllTexts } from '../texts/en/rooms.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';

/** States which model answers now. */
export function CurrentModel({ connection }: { readonly connection: Connection }): ReactElement {
  return (
    <p className="now">
      <span className={`dot ${connection.kind}`} />
      {describe(connection, useAllTexts())}
    </p>
  );
}

function describe(connection: Connection, { settings, connection: words }: AllTexts): string {
  switch (connection.kind) {
    case 'offline':
      return settings.now(`${words.offline} — ${words.offlineHost}`);
    case 'browser':
      return settings.now(settings.browserModel);
    case 'model':
      return settings.now(words.at(connection.endpoint.model, new URL(connection.endpoint.baseURL).host));
    case 'locked':
      return settings.keyLocked(new URL(connection.endpoint.baseURL).host);
    case 'keyless':
      return settings.keyCleared(new URL(connection.endpoint.baseURL).host);
  }
}
