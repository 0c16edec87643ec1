import { SkillError } from '../skill-error.ts';

/** How files are fetched. */
export interface FetchOptions {
  readonly fetch: typeof globalThis.fetch;
  /** A response with more bytes is cancelled. */
  readonly maxBytes: number;
}

/** Fetches a file without cookies and without following a redirect, which could leave the origin. */
export async function fetchBytes(url: URL, path: string, { fetch, maxBytes }: FetchOptions): Promise<Uint8Array> {
  const response = await fetch(url.href, {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    redirect: 'error',
  }).catch((error: unknown) => {
    // Browsers do not report which of these was the cause.
    const why = `${url.href} could not be fetched: the network, a redirect, which is not followed, or CORS: the host must send Access-Control-Allow-Origin.`;
    throw new SkillError(path, 'unreadable', why, error);
  });
  if (!response.ok || response.body === null)
    throw new SkillError(path, 'unreadable', `${url.href} answered ${response.status}.`);
  const reader = response.body.getReader();
  const pieces: BlobPart[] = [];
  let size = 0;
  for (;;) {
    // Sequential: a stream.
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    size += value.byteLength;
    if (size > maxBytes) {
      reader.cancel().catch(() => {});
      throw new SkillError(path, 'too-large', `${url.href} has more than ${maxBytes} bytes.`);
    }
    pieces.push(value);
  }
}
