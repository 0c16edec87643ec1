import type { Agent } from 'brooklet';
import { mountDevtools } from 'brooklet/devtools';
import { exportHTML } from 'brooklet/review/html';

declare global {
  /** Returns the session of the address as one HTML file with its review. */
  var toHTML: () => Promise<string>;
}

/** Shows the devtools, and lets the check of this page export its session. */
export function inspect(agent: Agent): void {
  mountDevtools(agent, { inProduction: true, language: 'en' });
  globalThis.toHTML = async () => {
    if (agent.store === undefined) throw new Error('The agent has no store.');
    const file = await exportHTML({ store: agent.store, sessionId: location.hash.slice(1) }, { language: 'en' });
    return file.text();
  };
}
