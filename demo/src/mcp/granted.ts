import type { MCPAppQuestion } from 'brooklet/mcp/apps';

/** In sessionStorage: what the user has allowed lasts until the tab is closed, also over a reload. */
const key = 'brooklet-studio:mcp-granted';

/** Whether the user has allowed the interfaces of a server exactly this, in this tab. */
export function isGranted(serverURL: string, question: MCPAppQuestion): boolean {
  return read().includes(entryOf(serverURL, question));
}

/** Remembers what the user has allowed: a network and features of the browser. Everything else is asked each time. */
export function grant(serverURL: string, question: MCPAppQuestion): void {
  if (question.type !== 'network' && question.type !== 'permissions') return;
  try {
    sessionStorage.setItem(key, JSON.stringify([...read(), entryOf(serverURL, question)]));
  } catch {
    // Without the storage the user is asked again.
  }
}

/** Another list of origins is another question. */
function entryOf(serverURL: string, question: MCPAppQuestion): string {
  return JSON.stringify([serverURL, question]);
}

function read(): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
