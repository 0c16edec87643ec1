import type { AgentErrorCode } from '../core/error.ts';
import { excerpt, MCPError, type MCPProblem, Trouble, type TroubleDetails } from './errors.ts';
import { sessionVersions, statelessVersion } from './versions.ts';

const codes: Readonly<Partial<Record<MCPProblem, AgentErrorCode>>> = {
  unreachable: 'NETWORK_ERROR',
  offline: 'OFFLINE',
  cors: 'NETWORK_ERROR',
  'sign-in': 'AUTHENTICATION_FAILED',
  forbidden: 'PERMISSION_DENIED',
  malformed: 'STREAM_MALFORMED',
  'too-large': 'STREAM_TOO_LARGE',
  interrupted: 'STREAM_INTERRUPTED',
  timeout: 'REQUEST_TIMEOUT',
  failed: 'OVERLOADED',
};

const pageOrigin = (): string => globalThis.location?.origin ?? '*';

/** The headers of all revisions. */
const usualHeaders = 'authorization content-type last-event-id mcp-method mcp-name mcp-protocol-version mcp-session-id';

/** The sentences: what is wrong, and what the owner of the server, or the person, must do. */
const sentences: Readonly<Record<MCPProblem, (host: string, details: TroubleDetails) => string>> = {
  unreachable: (host) => `${host} cannot be reached: check its address, and that it runs.`,
  offline: (host) => `${host} cannot be reached: this page is offline.`,
  cors: (host, { headers = [] }) => {
    const names = new Set([...usualHeaders.split(' '), ...headers.filter((name) => name !== 'accept')]);
    return (
      `${host} does not let this page read it (CORS), or it redirects. The owner of the server must answer OPTIONS and POST with ` +
      `Access-Control-Allow-Origin: ${pageOrigin()}, Access-Control-Allow-Headers: ${[...names].join(', ')} and ` +
      'Access-Control-Expose-Headers: mcp-session-id, www-authenticate, and must not redirect.'
    );
  },
  'sign-in': (host, { status }) =>
    `${host} answered ${status}: it wants an access token, or another one. Sign in, or pass \`auth\`.`,
  forbidden: (host, { status }) =>
    `${host} answered ${status}: it refuses this page or this account. The owner of the server must allow the origin ${pageOrigin()} and this account.`,
  version: (host, { what }) =>
    `${host} speaks another version of MCP (${excerpt(what, 120) || 'it named none'}). The owner of the server must support ${statelessVersion} or ${sessionVersions[0]}.`,
  'not-mcp': (host, { status, what }) =>
    `${host} answered ${status} with ${what ? `"${excerpt(what, 80)}"` : 'no content type'}, not with an MCP message: use the address of the MCP endpoint, which often ends with /mcp.`,
  redirect: (host, { status }) =>
    `${host} answered ${status}, a redirect, which is not followed: a token would go to another address. Use the final address.`,
  malformed: (host, { what }) => `${host} sent ${what}. The owner of the server must send valid JSON-RPC messages.`,
  'too-large': (host, { limit }) =>
    `${host} sent more than ${limit} bytes at once: ask for less, or raise \`maxBytes\`.`,
  interrupted: (host) => `${host} closed the connection before its answer: the request may have taken effect.`,
  timeout: (host, { what, limit }) => `${host} did not answer ${what} within ${limit} ms: try again later.`,
  refused: (host, { what }) => `${host} refused the request: ${excerpt(what) || 'no reason'}`,
  failed: (host, { status }) => `${host} answered ${status}: try again later, or ask the owner of the server.`,
};

/** Returns the error with its sentence; any other value unchanged. */
export function explain(host: string, thrown: unknown): unknown {
  if (!(thrown instanceof Trouble)) return thrown;
  const { problem, details } = thrown;
  return new MCPError(problem, sentences[problem](host, details), { ...details, code: codes[problem] });
}
