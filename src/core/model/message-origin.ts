/**
 * What brought a message into the session, where it is neither the person at this page nor the model. The session writes it; it is not a field
 * of an input. Import and replica replace what a file or another device states.
 */
export type MessageOrigin =
  /** The page added it (`addMessage`). */
  | { readonly type: 'page' }
  /** It came in a file. */
  | { readonly type: 'import' }
  /** Another device wrote it: it came from the remote store of a replica. */
  | { readonly type: 'device' }
  /** A front end or an agent sent it by AG-UI. */
  | { readonly type: 'agent' }
  /** The interface of a tool wrote it (MCP Apps). */
  | ({ readonly type: 'interface' } & ToolOrigin);

/** A tool, and who offered it. */
export interface ToolOrigin {
  readonly callId: string;
  /** Name of the tool; empty where the call is no longer in the conversation. */
  readonly name: string;
  /** `server` of the call, as it was when the call started: a server that has the same name today may be another one. */
  readonly server?: string;
}
