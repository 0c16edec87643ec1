import type { JsonObject } from '../core/json.ts';

/** The stateless revision: version, capabilities and identity of the client are in every request. */
export const statelessVersion = '2026-07-28';

/** The revisions that begin with `initialize`, newest first. */
export const sessionVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26'];

/** Fields of `_meta` of the stateless revision. */
export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  client: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  server: 'io.modelcontextprotocol/serverInfo',
} as const;

/** JSON-RPC errors. */
export const errorCodes = {
  methodNotFound: -32_601,
  headerMismatch: -32_020,
  missingCapability: -32_021,
  unsupportedVersion: -32_022,
} as const;

/** MCP Apps (SEP-1865): the version, the name of the extension, and the media type of an interface. */
export const apps = {
  version: '2026-01-26',
  extension: 'io.modelcontextprotocol/ui',
  mimeType: 'text/html;profile=mcp-app',
} as const;

/** What this client can do for a server: questions as a form, questions as a link, and interfaces where the page shows them. */
export function toCapabilities(showsApps: boolean): JsonObject {
  const extensions = { [apps.extension]: { mimeTypes: [apps.mimeType] } };
  return { elicitation: { form: {}, url: {} }, ...(showsApps ? { extensions } : {}) };
}
