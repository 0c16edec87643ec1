import { createMCPSignIn, type MCPSignIn, type MCPSignInOptions, receiveMCPSignIn } from 'brooklet/mcp';

declare global {
  /** Begins a sign-in at an MCP server. Resolves with the address at which the person signs in. */
  var begin: (server: string) => Promise<string>;
  /** The MCP server at which the button signs in, in a window that the page opens. */
  var server: string;
  /** How the sign-ins have ended, in their order: `signed in`, or the message of the error. */
  var ends: string[];
  /** Keys of `localStorage` that a sign-in in progress has. */
  var leftovers: () => readonly string[];
}

function start(): void {
  const tokens = new Map<string, string>();
  const options: MCPSignInOptions = {
    redirectUri: `${location.origin}${location.pathname}`,
    clientName: 'A page',
    tokens: { load: async (url) => tokens.get(url), save: async (url, word) => void tokens.set(url, word) },
  };
  globalThis.ends = [];
  globalThis.leftovers = () => Object.keys(localStorage).filter((key) => /\/(?:pending|answer)\//u.test(key));
  function signIn(by: MCPSignIn, server: string): void {
    by.signIn(server).then(
      () => globalThis.ends.push('signed in'),
      (thrown: unknown) => globalThis.ends.push(String(thrown)),
    );
  }
  globalThis.begin = (server) =>
    new Promise((resolve) => {
      signIn(createMCPSignIn({ ...options, open: () => false, onBlocked: resolve }), server);
    });
  const button = document.createElement('button');
  button.addEventListener('click', () => signIn(createMCPSignIn(options), globalThis.server));
  document.body.append(button);
}

// A hostile page in the window would lead the page elsewhere.
if (opener !== null) localStorage.setItem('opener', 'yes');
if (!receiveMCPSignIn()) start();
