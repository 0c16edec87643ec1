import type { ReactElement } from 'react';
import type { Connection } from '../connection.ts';

/** States which model answers now. */
export function CurrentModel({ connection }: { readonly connection: Connection }): ReactElement {
  return (
    <p className="now">
      <span className={`dot ${connection.kind}`} />
      {describe(connection)}
    </p>
  );
}

function describe(connection: Connection): string {
  switch (connection.kind) {
    case 'offline':
      return 'Now: Offline demo model — scripted, not a real AI';
    case 'browser':
      return 'Now: This browser’s built-in model';
    case 'model':
      return `Now: ${connection.endpoint.model} at ${new URL(connection.endpoint.baseURL).host}`;
    case 'locked':
      return `The reload cleared the key for ${new URL(connection.endpoint.baseURL).host}.`;
  }
}
