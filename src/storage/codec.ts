/** A `Uint8Array` of an `ArrayBuffer`, in the spelling of every version of TypeScript. */
export type CodecBytes = ReturnType<Uint8ArrayConstructor['of']>;

/**
 * Encrypts what a store writes, and decrypts what it reads. `context` is authenticated: it names the place of the bytes in the database
 * (kind of the row, id of the session, `seq`), and bytes of another place are not decrypted.
 *
 * Methods throw or reject with AgentError `STORAGE_LOCKED` where the key is missing: `retryable` where the page can unlock it, and not
 * where the bytes were encrypted with another key.
 */
export interface SessionCodec {
  /** Names the format of the encrypted bytes, and is stored with each row: rows of another format are not decoded. */
  readonly id: string;
  /** Begins within the call where it can: a page that vanishes loses what is being encrypted. */
  encode(bytes: CodecBytes, context: string): Promise<CodecBytes>;
  /** Resolves with `undefined` where the bytes were changed, or belong to another context. */
  decode(bytes: CodecBytes, context: string): Promise<CodecBytes | undefined>;
  /** Returns a name of an attachment: the same for equal bytes, and without the key no evidence of the bytes. */
  nameOf(bytes: CodecBytes): Promise<string>;
}

/** Options of `encryptStored`. */
export interface EncryptStoredOptions {
  /** Name of the database. Default `brooklet`. */
  readonly name?: string;
  /** Ends the work after a session; what is done stays done. */
  readonly signal?: AbortSignal;
  /** Called after each session. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/** What `encryptStored` has done. */
export interface EncryptStoredReport {
  /** Number of sessions of which something was encrypted. */
  readonly sessions: number;
}

/** Options of `decryptStored`. */
export type DecryptStoredOptions = EncryptStoredOptions;

/** What `decryptStored` has done. */
export interface DecryptStoredReport {
  /** Number of sessions of which something was decrypted. */
  readonly sessions: number;
}
