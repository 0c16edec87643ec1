import { fail } from '../../core/error.ts';

/** Longer texts in events are stored once, as a `blob` under the hash of their content, in characters. */
export const longestText = 16_384;

/** Names of one user's subjects. The last token of each names a session, a meta entry or a blob. */
export interface Subjects {
  /** The writes of a session. */
  log(sessionId: string): string;
  /** One piece of a write that is larger than a message. */
  part(sessionId: string, upload: string, index: number): string;
  /** Every piece of the writes of a session. */
  parts(sessionId: string): string;
  /** One piece of an attachment. */
  blob(hash: string, index: number): string;
  meta(key: string): string;
  /** The name of the page that runs a session. */
  lock(sessionId: string): string;
  /** Requests to the page that runs a session; not stored. */
  own(sessionId: string, holder: string): string;
  /** Messages between pages; not stored. */
  live(sessionId: string, kind: 'text' | 'who'): string;
  /** Every log of the user. */
  readonly logs: string;
}

/** Kinds of subjects whose messages the stream stores. */
const stored = ['log', 'part', 'blob', 'meta', 'lock'] as const;

/** Returns the subjects of a user. */
export function createSubjects(user: string): Subjects {
  const root = `brooklet.${user}`;
  return {
    log: (sessionId) => `${root}.log.${toToken(sessionId)}`,
    part: (sessionId, upload, index) => `${root}.part.${toToken(sessionId)}.${upload}.${index}`,
    parts: (sessionId) => `${root}.part.${toToken(sessionId)}.>`,
    blob: (hash, index) => `${root}.blob.${toToken(hash)}.${index}`,
    meta: (key) => `${root}.meta.${toToken(key)}`,
    lock: (sessionId) => `${root}.lock.${toToken(sessionId)}`,
    own: (sessionId, holder) => `${root}.own.${toToken(sessionId)}.${holder}`,
    live: (sessionId, kind) => `${root}.live.${kind}.${toToken(sessionId)}`,
    logs: `${root}.log.*`,
  };
}

/** Returns what the stream of a user has to store: every kind of subject but `own` and `live`. */
export function storedSubjects(user: string): readonly string[] {
  return stored.map((kind) => `brooklet.${user}.${kind}.>`);
}

/** @throws AgentError `INVALID_CONFIG` for a name that is not made of letters, digits, `_` and `-` */
export function checkName(name: string, field: string): string {
  if (!/^[\w-]+$/.test(name))
    fail('INVALID_CONFIG', `createNatsStore: ${field} must consist of letters, digits, "_" and "-", and is "${name}".`);
  return name;
}

/**
 * Returns a string of any characters as one token of a subject: a character other than letters, digits, `_` and `-` becomes `=` and four
 * hexadecimal digits. Invariant: different strings have different tokens, and no token is empty.
 */
export function toToken(text: string): string {
  return text.replace(/[^\w-]/g, (unit) => `=${unit.charCodeAt(0).toString(16).padStart(4, '0')}`) || '=';
}

/** Returns the string of a token. */
function fromToken(token: string): string {
  return token.replace(/=([\da-f]{4})?/g, (_all, digits?: string) =>
    digits === undefined ? '' : String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/** Returns the id of the session whose log has this subject. */
export function sessionIdOf(subject: string): string {
  return fromToken(subject.slice(subject.lastIndexOf('.') + 1));
}
