import { AgentError } from '../core/error.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../core/json.ts';
import { defineTool, type Tool } from '../core/tools/tool.ts';
import { htmlToText } from './html.ts';
import { labelOf, optionalTextOf, textOf } from './input.ts';

/** HTTP methods that `fetchTool` may be allowed to use. */
export type FetchMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Options of `fetchTool`. Only `origins` is required. */
export interface FetchToolOptions {
  /** What may be fetched from: `https://api.example.com`, as `location.origin` writes it. Compared exactly. */
  readonly origins: readonly string[];
  /** Default: `['GET']`. Every other method asks the person each time. */
  readonly methods?: readonly FetchMethod[];
  /** Whether a person must agree to a GET too: its address can carry data away. Default: no. */
  readonly needsApproval?: boolean;
  /** Bytes of an answer, unpacked, beyond which it is stopped and refused. Default: 262,144. */
  readonly maxBytes?: number;
  /** ms. Default: 15,000. */
  readonly timeout?: number;
  /** What the model gets of a web page: its text (the default) or its source. */
  readonly html?: 'text' | 'source';
  /** Default: the browser's. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * A tool that fetches text and JSON from origins that you allow, and from nowhere else: https only, no redirect, no cookies,
 * no referrer, no more bytes than you say. The other side must allow the page's origin (CORS), as for any fetch.
 *
 * @throws AgentError `INVALID_CONFIG` for an origin that is none, or not https
 */
export function fetchTool(options: FetchToolOptions): Tool {
  const { methods = ['GET'], maxBytes = 262_144, timeout = 15_000, html = 'text', needsApproval = false } = options;
  const fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const origins = new Set(options.origins.map(checkOrigin));
  const method: JsonObject = methods.length > 1 ? { method: { type: 'string', enum: methods } } : {};
  const body: JsonObject = methods.some((one) => one !== 'GET') ? { body: { description: 'Sent as JSON.' } } : {};
  const methodIn = (input: JsonObject): string => optionalTextOf(input, 'method') ?? methods[0] ?? 'GET';

  return defineTool({
    name: 'fetch_url',
    description: `Fetches text or JSON from the web. Allowed are only: ${[...origins].join(', ')}.`,
    input: {
      type: 'object',
      properties: { url: { type: 'string', maxLength: 2_000, description: 'https://…' }, ...method, ...body },
      required: ['url'],
      additionalProperties: false,
    },
    timeout,
    needsApproval: (input) => needsApproval || methodIn(input) !== 'GET',
    async execute(input, { signal }) {
      const url = readUrl(textOf(input, 'url'), origins);
      signal.throwIfAborted();
      const what = `${methodIn(input)} ${url.href}`;
      const response = await fetch(url.href, {
        method: methodIn(input),
        ...(input.body !== undefined && methodIn(input) !== 'GET' && asJson(input.body)),
        signal,
        redirect: 'error',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
      }).catch((error: unknown) => {
        signal.throwIfAborted();
        // Browsers do not say which of these it was.
        const message = `${what} failed: the network, CORS, or a redirect, which is not followed.`;
        throw new Error(message, { cause: error });
      });
      const answer = await readAnswer(response, what, { maxBytes, signal });
      if (!response.ok) throw new Error(`${what} answered ${response.status}: ${answer.text.slice(0, 500)}`);
      return { status: response.status, contentType: answer.type, body: toBody(answer, html) };
    },
    present: (input, output) => {
      const body = isJsonObject(output) ? output.body : undefined;
      const summary = `${methodIn(input)} ${textOf(input, 'url')} → ${labelOf(output, 'status')}`;
      if (typeof body !== 'string') return { summary };
      return { summary, details: { type: 'text', text: body.slice(0, 20_000) } };
    },
  });
}

function checkOrigin(origin: string): string {
  const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin && origin.startsWith('https://');
  if (isOrigin) return origin;
  const message = `${JSON.stringify(origin)} is not an https origin. Write it like https://api.example.com.`;
  throw new AgentError(message, { code: 'INVALID_CONFIG' });
}

function readUrl(text: string, origins: ReadonlySet<string>): URL {
  if (!URL.canParse(text)) throw new Error(`${JSON.stringify(text)} is not a whole address. Begin with https://.`);
  const url = new URL(text);
  // A blob: has the origin of whoever made it.
  if (url.protocol !== 'https:' || !origins.has(url.origin)) {
    throw new Error(`${url.protocol}//${url.host} is not allowed. Allowed are only: ${[...origins].join(', ')}.`);
  }
  if (url.username !== '' || url.password !== '')
    throw new Error('An address with a user name or password is refused.');
  url.hash = '';
  return url;
}

const asJson = (body: Json): RequestInit => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

interface Answer {
  /** Media type, without parameters. */
  readonly type: string;
  readonly text: string;
}

interface AnswerLimits {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

async function readAnswer(response: Response, what: string, { maxBytes, signal }: AnswerLimits): Promise<Answer> {
  const { body, headers } = response;
  const [type = '', ...parameters] = (headers.get('content-type') ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const tooLarge = (): Error => new Error(`${what} was stopped: the answer has more than ${maxBytes} bytes.`);
  let problem: Error | undefined;
  // A fetch of your own may not know `redirect: 'error'`.
  if (response.redirected) problem = new Error(`${what} was redirected, which is not allowed.`);
  else if (type !== '' && !isText(type))
    problem = new Error(`${what} answered with ${type}; only text and JSON are read.`);
  else if (type === '' && body !== null)
    problem = new Error(`${what} answered without a content type; only text and JSON are read.`);
  else if (Number(headers.get('content-length')) > maxBytes) problem = tooLarge();
  if (problem) {
    await body?.cancel();
    throw problem;
  }
  if (body === null) return { type, text: '' };

  const decoder = decoderFor(parameters);
  const reader = body.getReader();
  let bytes = 0;
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return { type, text: text + decoder.decode() };
      bytes += value.byteLength;
      if (bytes > maxBytes) throw tooLarge();
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    // Stops the rest of it; after its end this does nothing.
    reader.cancel().catch(() => {});
  }
}

function isText(type: string): boolean {
  return type.startsWith('text/') || isJsonType(type) || type === 'application/xml' || type.endsWith('+xml');
}

const isJsonType = (type: string): boolean => type === 'application/json' || type.endsWith('+json');

function decoderFor(parameters: readonly string[]): TextDecoder {
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  try {
    return new TextDecoder(charset?.replaceAll('"', ''));
  } catch {
    return new TextDecoder();
  }
}

function toBody({ type, text }: Answer, html: 'text' | 'source'): Json {
  if (isJsonType(type)) return parseJson(text) ?? text;
  return type === 'text/html' && html === 'text' ? htmlToText(text) : text;
}
