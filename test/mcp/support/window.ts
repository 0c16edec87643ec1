import type { MCPMailbox, MCPTokenStore } from 'brooklet/mcp';

const page = new EventTarget();

/** The events of the window of the page: globals that Node does not have. */
export const pageEvents = {
  addEventListener: page.addEventListener.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
  dispatchEvent: page.dispatchEvent.bind(page),
};

/** The `localStorage` of a page. */
export type PageMailbox = MCPMailbox & {
  readonly notes: Map<string, string>;
  /** Leaves the answer of an authorization server, as `receiveMCPSignIn` does in the window of a sign-in. Resolves when the page can read it. */
  leave(state: string, query: string): Promise<void>;
};

/**
 * Returns the `localStorage` of a page beside a window in another process: the window's write comes after its message, and then with `storage`, as
 * in Chromium, Firefox and WebKit at times (`test/engines/sign-in`, whatwg/html#403).
 */
export function createMailbox(): PageMailbox {
  const notes = new Map<string, string>();
  return {
    notes,
    getItem: (key) => notes.get(key) ?? null,
    setItem: (key, value) => void notes.set(key, value),
    removeItem: (key) => void notes.delete(key),
    async leave(state, query) {
      const channel = new BroadcastChannel('brooklet-mcp-sign-in');
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
      channel.postMessage('answered');
      channel.close();
      const key = `brooklet-mcp/answer/${state}`;
      await new Promise((resolve) => setTimeout(resolve, 5));
      notes.set(key, query);
      page.dispatchEvent(Object.assign(new Event('storage'), { key }));
    },
  };
}

export function createTokens(): MCPTokenStore {
  const words = new Map<string, string>();
  return { load: async (url) => words.get(url), save: async (url, word) => void words.set(url, word) };
}

/** Does what the window does in which the person signs in: follows the redirect, and hands the answer over. */
export async function visit(address: string, mailbox: PageMailbox): Promise<void> {
  const response = await fetch(address, { redirect: 'manual' });
  const { search, searchParams } = new URL(response.headers.get('location') ?? '');
  await mailbox.leave(searchParams.get('state') ?? '', search);
}
