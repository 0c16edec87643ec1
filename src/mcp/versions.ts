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

/** What this client can do for a server: questions as a form, and questions as a link. */
export const capabilities = { elicitation: { form: {}, url: {} } } as const;
