import { named } from '../core/model/shapes/named.ts';
import { AgentError } from '../core/error.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../core/json.ts';
import { extractTextContent, type Message, type Part, type ToolPart } from '../core/model/message.ts';
import { type Seen, seenBefore } from '../core/model/seen.ts';
import { defineTool } from '../core/tools/define-tool.ts';
import { type Tool } from '../core/tools/tool.ts';
import { htmlToText } from './html.ts';
import { labelOf, optionalTextOf, textOf } from './input.ts';
import { mark } from './trust/mark.ts';

/** HTTP methods that `fetchTool` may be allowed to use. */
export type FetchMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Options of `fetchTool`. Only `origins` is required. */
export interface FetchToolOptions {
  /** Allowed origins, in the form of `location.origin`: `https://api.example.com`. Compared exactly. */
  readonly origins: readonly string[];
  /** Default: `['GET']`. Every call with another method needs approval. */
  readonly methods?: readonly FetchMethod[];
  /** Whether a GET needs approval too: its URL can send data to the server. Default: `false`. */
  readonly needsApproval?: boolean;
  /** Maximum size of a response in bytes, decompressed; the tool cancels and rejects a larger one. Default: 262,144. */
  readonly maxBytes?: number;
  /** ms. Default: 15,000. */
  readonly timeout?: number;
  /** Whether the model receives the text of a web page (the default) or its source. */
  readonly html?: 'text' | 'source';
  /** Default: the browser's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * A tool that fetches text and JSON from the allowed origins only: https, no redirect, no cookies, no referrer, at most
 * `maxBytes`. The server must allow the page's origin (CORS), as for any fetch.
 *
 * @throws AgentError `INVALID_CONFIG` for an entry of `origins` that is not an https origin
 */
export function fetchTool(options: FetchToolOptions): Tool {
  named(
    options,
    { origins: true, methods: true, needsApproval: true, maxBytes: true, timeout: true, html: true, fetch: true },
    'fetchTool',
  );
  const { methods = ['GET'], maxBytes = 262_144, timeout = 15_000, html = 'text', needsApproval = false } = options;
  const fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const origins = new Set(options.origins.map(checkOrigin));
  const method: JsonObject = methods.length > 1 ? { method: { type: 'string', enum: methods } } : {};
  const body: JsonObject = methods.some((one) => one !== 'GET') ? { body: { description: 'Sent as JSON.' } } : {};
  const methodIn = (input: JsonObject): string => optionalTextOf(input, 'method') ?? methods[0] ?? 'GET';

  const tool = defineTool({
    name: 'fetch_url',
    description: `Fetches text or JSON from the web. Allowed origins: ${[...origins].join(', ')}.`,
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
        // Browsers do not report which of these was the cause.
        const message = `${what} failed: the network, CORS, or a redirect, which is not followed.`;
        throw new Error(message, { cause: error });
      });
      const content = await readContent(response, what, { maxBytes, signal });
      if (!response.ok) throw new Error(`${what} answered ${response.status}: ${content.text.slice(0, 500)}`);
      return { status: response.status, contentType: content.type, body: toBody(content, html) };
    },
    present: (input, output) => {
      const body = isJsonObject(output) ? output.body : undefined;
      const summary = `${methodIn(input)} ${textOf(input, 'url')} → ${labelOf(output, 'status')}`;
      if (typeof body !== 'string') return { summary };
      return { summary, details: { type: 'text', text: body.slice(0, 20_000) } };
    },
  });
  return mark(tool, { harmless: isAskedFor });
}

/** Whether a call fetches exactly a URL that the person at this page has written: no untrusted content can be in it. */
function isAskedFor({ input = {}, callId }: ToolPart, messages: readonly Message[]): boolean {
  const { url, method = 'GET', body } = input;
  if (typeof url !== 'string' || method !== 'GET' || body !== undefined) return false;
  const isWritten = ({ message, part, origin }: Seen): boolean =>
    part === undefined && origin.type === 'person' && wordsOf(message.content).includes(url);
  return seenBefore(messages, callId).some(isWritten);
}

function wordsOf(content: readonly Part[]): readonly string[] {
  return extractTextContent(content)
    .split(/[\s"'<>()]+/)
    .flatMap((word) => [word, word.replace(/[.,;:!?]$/, '')]);
}

function checkOrigin(origin: string): string {
  const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin && origin.startsWith('https://');
  if (isOrigin) return origin;
  const message = `${JSON.stringify(origin)} is not an https origin. Write it like https://api.example.com.`;
  throw new AgentError(message, { code: 'INVALID_CONFIG' });
}

function readUrl(text: string, origins: ReadonlySet<string>): URL {
  if (!URL.canParse(text)) throw new Error(`${JSON.stringify(text)} is not an absolute URL: start with https://.`);
  const url = new URL(text);
  // The origin of a blob: URL is the origin of the page that created it.
  if (url.protocol !== 'https:' || !origins.has(url.origin)) {
    throw new Error(`${url.protocol}//${url.host} is not allowed. Allowed origins: ${[...origins].join(', ')}.`);
  }
  if (url.username !== '' || url.password !== '') throw new Error('A URL with a user name or password is not allowed.');
  url.hash = '';
  return url;
}

const asJson = (body: Json): RequestInit => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

interface Content {
  /** Media type, without parameters. */
  readonly type: string;
  readonly text: string;
}

interface ReadOptions {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

async function readContent(response: Response, what: string, { maxBytes, signal }: ReadOptions): Promise<Content> {
  const { body, headers } = response;
  const [type = '', ...parameters] = (headers.get('content-type') ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const tooLarge = (): Error => new Error(`${what} was cancelled: the response has more than ${maxBytes} bytes.`);
  let problem: Error | undefined;
  // A custom `fetch` may ignore `redirect: 'error'`.
  if (response.redirected) problem = new Error(`${what} was redirected, which is not allowed.`);
  else if (type !== '' && !isText(type))
    problem = new Error(`${what} answered with ${type}; only text and JSON are read.`);
  else if (type === '' && body !== null)
    problem = new Error(`${what} was answered without a content type; only text and JSON are read.`);
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
    // Cancels the rest of the body; has no effect after the end of the body.
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

function toBody({ type, text }: Content, html: 'text' | 'source'): Json {
  if (isJsonType(type)) return parseJson(text) ?? text;
  return type === 'text/html' && html === 'text' ? htmlToText(text) : text;
}
