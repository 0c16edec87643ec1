import type { MCPMailbox, MCPTokenStore } from 'brooklet/mcp';

export function createMailbox(): MCPMailbox & { readonly notes: Map<string, string> } {
  const notes = new Map<string, string>();
  return {
    notes,
    getItem: (key) => notes.get(key) ?? null,
    setItem: (key, value) => void notes.set(key, value),
    removeItem: (key) => void notes.delete(key),
  };
}

export function createTokens(): MCPTokenStore {
  const words = new Map<string, string>();
  return { load: async (url) => words.get(url), save: async (url, word) => void words.set(url, word) };
}

/** Does what the window does in which the person signs in: follows the redirect, and hands the answer over. */
export async function visit(address: string, mailbox: MCPMailbox): Promise<void> {
  const response = await fetch(address, { redirect: 'manual' });
  const { search, searchParams } = new URL(response.headers.get('location') ?? '');
  mailbox.setItem(`brooklet-mcp/answer/${searchParams.get('state')}`, search);
  const channel = new BroadcastChannel('brooklet-mcp-sign-in');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  channel.postMessage('answered');
  channel.close();
}
