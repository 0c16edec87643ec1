import type { Json, JsonObject } from '../../../core/json.ts';
import type { MediaPart } from '../../../core/model/message.ts';
import { toObject, toText, toWord } from '../../../core/model/read-json.ts';
import type { CallPiece } from '../../transport/call-assembler.ts';

/** Fields of an entry of `tool_calls`; all others are opaque. */
const known: ReadonlySet<string> = new Set(['index', 'id', 'type', 'function']);

/**
 * Maps one entry of `tool_calls` to a piece of a call.
 *
 * @param slot used where the entry has no index (`function_call`)
 */
export function toCallPiece(entry: JsonObject, slot = ''): CallPiece {
  const called = toObject(entry.function);
  return {
    slot: toWord(entry.index) || slot,
    id: toWord(entry.id),
    name: toText(called.name),
    text: toInputText(called.arguments),
    provider: toOpaque(entry),
  };
}

/** Some servers send the input as JSON, not as text. */
function toInputText(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Runs for every piece: an object is created only where there is an opaque field. */
function toOpaque(entry: JsonObject): JsonObject | undefined {
  for (const field in entry)
    if (!known.has(field)) return Object.fromEntries(Object.entries(entry).filter(([name]) => !known.has(name)));
  return undefined;
}

/**
 * Adds one reasoning detail to `details`: appended to the last one where it continues that one, else as an entry of its own. Returns whether
 * it is an entry of its own.
 */
export function addDetail(details: JsonObject[], fresh: JsonObject): boolean {
  const last = details.at(-1);
  const continues = last?.type === fresh.type && last?.index === fresh.index && fresh.data === undefined;
  const before = toObject(continues && details.pop());
  const join = (field: string): string | undefined => toText(before[field]) + toText(fresh[field]) || undefined;
  details.push({ ...before, ...fresh, text: join('text'), summary: join('summary') });
  return !continues;
}

/** Adds `"https://…"` or `{url, title}` to `sources`: titles by URL, empty where there is none. */
export function addSource(sources: Map<string, string>, source: Json | undefined): void {
  const { url = source, title } = toObject(source);
  const address = toText(url);
  if (address !== '') sources.set(address, toText(title) || (sources.get(address) ?? ''));
}

/** Maps `{image_url: {url}}`, where the URL mostly contains the image itself. */
export function toImagePart(image: Json | undefined): MediaPart | undefined {
  const url = toText(toObject(toObject(image).image_url).url);
  if (url === '') return undefined;
  const [, mediaType = 'image/*', data] = /^data:(.+?);base64,(.+)/s.exec(url) ?? [];
  return { type: 'image', mediaType, ...(data ? { data } : { url }) };
}
