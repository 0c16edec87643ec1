import { AgentError, type AgentErrorCode } from '../core/error.ts';

/**
 * What is wrong with an MCP server.
 *
 * - `unreachable`: no answer; `offline`: the page has no network; `cors`: the server does not let this page read it
 * - `sign-in`: the server wants an access token, or another one; `forbidden`: it refuses this page or this account
 * - `version`: it speaks none of the protocol's versions that this client speaks
 * - `not-mcp`: its answer is not an MCP message; `redirect`: it answers with another address
 * - `malformed`, `too-large`, `interrupted`, `timeout`: an answer that cannot be read
 * - `refused`: it answered with an error of the protocol; `failed`: with an HTTP error
 */
export type MCPProblem =
  | 'unreachable'
  | 'offline'
  | 'cors'
  | 'sign-in'
  | 'forbidden'
  | 'version'
  | 'not-mcp'
  | 'redirect'
  | 'malformed'
  | 'too-large'
  | 'interrupted'
  | 'timeout'
  | 'refused'
  | 'failed';

/** Details of an `MCPError`. */
export interface MCPErrorDetails {
  /** Default: `INVALID_REQUEST`. */
  readonly code?: AgentErrorCode | undefined;
  readonly status?: number | undefined;
  /** Code of the JSON-RPC error. */
  readonly rpcCode?: number | undefined;
  readonly data?: unknown;
  readonly cause?: unknown;
}

/** An error of an MCP server, or on the way to it. Its message says what the owner of the server, or the person, must do. */
export class MCPError extends AgentError {
  readonly problem: MCPProblem;
  /** Code of the JSON-RPC error, for `refused`. */
  readonly rpcCode: number | undefined;
  /** What the server added to a JSON-RPC error. Untrusted. */
  readonly data: unknown;

  constructor(problem: MCPProblem, message: string, details: MCPErrorDetails = {}) {
    const { code = 'INVALID_REQUEST', status, rpcCode, data, cause } = details;
    super(message, { code, status, cause, retryable: problem === 'cors' ? false : undefined });
    this.problem = problem;
    this.rpcCode = rpcCode;
    this.data = data;
  }
}

/** Returns the first characters of an untrusted text, on one line. */
export function excerpt(text: unknown, length = 300): string {
  return typeof text === 'string' ? text.slice(0, length).replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ') : '';
}

/** What the sentence of an error is made of: `explain.ts` makes it an `MCPError`. */
export interface TroubleDetails extends MCPErrorDetails {
  /** What the server sent, or what it was asked. Untrusted. */
  readonly what?: string;
  /** Bytes or ms. */
  readonly limit?: number;
  /** Names of the headers of a request. */
  readonly headers?: readonly string[];
}

/** A problem of a server, without its sentence: sentences are loaded with the first error. Never leaves this folder. */
export class Trouble extends Error {
  readonly problem: MCPProblem;
  readonly details: TroubleDetails;

  constructor(problem: MCPProblem, details: TroubleDetails = {}) {
    super(problem, { cause: details.cause });
    this.problem = problem;
    this.details = details;
  }
}

/** Returns the problem of an answer without an MCP message. */
export function statusTrouble(status: number, what = ''): Trouble {
  const [, problem] = byStatus.find(([range]) => range.test(String(status))) ?? [];
  return new Trouble(problem ?? 'not-mcp', { status, what });
}

const byStatus: readonly (readonly [status: RegExp, problem: MCPProblem])[] = [
  [/401/, 'sign-in'],
  [/403/, 'forbidden'],
  [/3../, 'redirect'],
  [/429|5../, 'failed'],
];
