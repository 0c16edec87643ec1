import type { ReactElement } from 'react';
import type { Connection } from '../model/connection.ts';
import type { AllTexts } from '../texts/en/rooms.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { ConnectionDot } from '../model/ConnectionDot.tsx';

/** States which model answers now. */
export function CurrentModel({ connection }: { readonly connection: Connection }): ReactElement {
  return (
    <p className="now">
      <ConnectionDot connection={connection} />
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
      return (connection.wasCleared ? settings.keyCleared : settings.noKeyYet)(
        new URL(connection.endpoint.baseURL).host,
      );
  }
}
