import { createMCPSignIn, receiveMCPSignIn } from 'brooklet/mcp';

declare global {
  /** Begins a sign-in at an MCP server. Resolves with the address at which the person signs in. */
  var begin: (server: string) => Promise<string>;
  /** How the sign-ins have ended, in their order: `signed in`, or the message of the error. */
  var ends: string[];
  /** Keys of `localStorage` that a sign-in in progress has. */
  var leftovers: () => readonly string[];
}

function start(): void {
  const tokens = new Map<string, string>();
  let show = (_address: string): void => {};
  const auth = createMCPSignIn({
    redirectUri: `${location.origin}${location.pathname}`,
    clientName: 'A page',
    tokens: { load: async (url) => tokens.get(url), save: async (url, word) => void tokens.set(url, word) },
    open: () => false,
    onBlocked: (address) => show(address),
  });
  globalThis.ends = [];
  globalThis.leftovers = () => Object.keys(localStorage).filter((key) => /\/(?:pending|answer)\//u.test(key));
  globalThis.begin = (server) =>
    new Promise((resolve) => {
      show = resolve;
      auth.signIn(server).then(
        () => globalThis.ends.push('signed in'),
        (thrown: unknown) => globalThis.ends.push(String(thrown)),
      );
    });
}

if (!receiveMCPSignIn()) start();
