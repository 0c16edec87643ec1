import type { ReactElement } from 'react';
import type { Connection } from '../connection.ts';
import type { Texts } from '../texts/en.ts';
import { useTexts } from '../texts/useTexts.ts';

/** States which model answers now. */
export function CurrentModel({ connection }: { readonly connection: Connection }): ReactElement {
  return (
    <p className="now">
      <span className={`dot ${connection.kind}`} />
      {describe(connection, useTexts())}
    </p>
  );
}

function describe(connection: Connection, { settings, connection: words }: Texts): string {
  switch (connection.kind) {
    case 'offline':
      return settings.now(`${words.offline} — ${words.offlineHost}`);
    case 'browser':
      return settings.now(settings.browserModel);
    case 'model':
      return settings.now(words.at(connection.endpoint.model, new URL(connection.endpoint.baseURL).host));
    case 'locked':
      return settings.keyCleared(new URL(connection.endpoint.baseURL).host);
  }
}
