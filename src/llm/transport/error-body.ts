import { defined, isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { toList, toObject, toWord } from '../../core/model/read-json.ts';

/** What the body of an error reply states, in one form for all services. */
export interface ErrorBody {
  /** Identifiers of the error, in lower case: its type, code, status and reasons, and the name before the colon of its message. */
  readonly names: readonly string[];
  /** HTTP status that the body repeats. */
  readonly status?: number;
  /** For a person: as the service wrote it. */
  readonly message: string;
  /** The message for a machine: without quoted texts and without identifiers, which may be names of the page (tools, fields, models). */
  readonly words: string;
  /** The field of the request that was refused; empty where none is named. */
  readonly field: string;
  /** Whether the body is a web page: that of a proxy, a firewall or a wrong address. */
  readonly isPage: boolean;
  /** Response headers of a service behind the service (OpenRouter), repeated in the body. */
  readonly headers: JsonObject;
}

/** Reads an error reply, or the event that reported the error: JSON, text, a web page, or nothing. Never throws. */
export function readErrorBody(body: Json): ErrorBody {
  const error = unwrap(body);
  const metadata = toObject(error.metadata);
  const inner = toObject(error.innererror);
  // The error of the service behind the service, often JSON again.
  const raw = metadata.raw === undefined ? undefined : unwrap(metadata.raw);
  const message = [error.message, raw?.message, error.failed_generation].map(toWord).filter(Boolean).join(' ').trim();
  const details = [...toList(error.details), ...toList(error.errors)].map(toObject);
  const all = [error.type, error.code, error.status, inner.code, raw?.type, raw?.code, metadata.error_type];
  const names = [...all, ...details.map(({ reason }) => reason)]
    .map(toWord)
    .concat(leadingNames(message))
    .filter((name) => /^[\w.-]+$/.test(name));
  const status = [error.code, error.status, error.status_code].map(toWord).find((word) => /^[45]\d\d$/.test(word));
  return {
    names: names.map((name) => name.toLowerCase()),
    ...(status !== undefined && { status: Number(status) }),
    message,
    words: withoutQuotes(message),
    field: toWord(error.param),
    isPage: error.isPage === true,
    headers: toObject(metadata.headers),
  };
}

/** Returns the names before the colons at the beginning of a message: `litellm.RateLimitError: RateLimitError: …`. */
function leadingNames(message: string): readonly string[] {
  const [lead = ''] = /^(?:[A-Za-z_.]{6,60}: ?)+/.exec(message) ?? [];
  // LiteLLM puts a package before its names.
  return lead.split(':').map((name) => name.trim().replace(/^.*\./, ''));
}

const quoted = /"[^"\n]*"|`[^`\n]*`|“[^”\n]*”|‘[^’\n]*’|«[^»\n]*»|「[^」\n]*」|(?<!\w)'[^'\n]*'(?!\w)/g;

/** Returns a text without what it quotes, and without identifiers (`create_api_key`, `tools.0.name`, paths). A text that is one quotation stays whole. */
function withoutQuotes(text: string): string {
  const unquoted = text.slice(0, longestText).replace(quoted, '""');
  const rest = unquoted.replace(/[\w./-]+/g, (token) =>
    token.startsWith('models/') ? 'model ""' : isIdentifier(token) ? '""' : token,
  );
  return /\p{L}/u.test(rest) ? rest : text;
}

/** Characters of a message that are searched for words. */
const longestText = 4_000;

function isIdentifier(token: string): boolean {
  return /\w[_/]\w|[A-Za-z]\w*\.[A-Za-z\d]/.test(token);
}

/** Returns the object that describes the error: `{error}`, `[{error}]` (Google), `{detail}` (FastAPI), `{message: {detail}}` (Mistral), a bare text. */
function unwrap(body: Json): JsonObject {
  const json = (typeof body === 'string' && parseJson(body)) || body;
  const all = isJsonObject(json) ? json : toObject(toList(json)[0]);
  const { error, detail, message } = all;
  const inner = [error, message, detail].find(isJsonObject);
  // The outer object may have the code: `{message: {detail}, type, code}`.
  if (inner) return { ...withoutGeneric(all), ...unwrap(inner) };
  const first = toObject(toList(detail)[0]);
  const text = [error, detail, first.msg, message, json].map(toWord).find(Boolean) ?? '';
  const isPage = /^\s*<[!a-z]/i.test(text);
  return {
    param: toList(first.loc).map(toWord).join('.'),
    ...all,
    // A web page contains no useful message.
    message: isPage ? '' : text,
    ...(isPage && { isPage }),
  };
}

/** Returns the fields of an envelope that may describe its error. */
function withoutGeneric({ type, code, status, status_code, param }: JsonObject): JsonObject {
  return defined({ type: type === 'error' ? undefined : type, code, status, status_code, param });
}
