import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import { interfaceKey } from '../../../core/model/interface-of.ts';
import { toObject } from '../../../core/model/read-json.ts';
import { toBytes } from '../../../core/model/tool-result.ts';
import type { ExportMask } from './options.ts';
import { masked, type Patterns } from './patterns.ts';

/** Returns an object of an event without what the mask leaves out of it. Objects within are not changed. */
type LeaveOut = (value: JsonObject) => JsonObject;

const same: LeaveOut = (value) => value;

/** Leaves the words out of instructions, presets and system messages. */
export function withoutWords({ instructions }: ExportMask): LeaveOut {
  if (instructions !== true) return same;
  return (value) => {
    if (value.type === 'instructions.changed' && Array.isArray(value.messages))
      return {
        ...value,
        messages: value.messages.map((message: Json) => (isJsonObject(message) ? wordless(message) : message)),
      };
    return value.role === 'system' ? wordless(value) : value;
  };
}

function wordless({ metadata: _metadata, ...rest }: JsonObject): JsonObject {
  return { ...rest, content: [{ type: 'text', text: masked }] };
}

const results = ['output', 'summary', 'progress', 'answer', 'rejectionText'];

/** Leaves out what a tool returned, as its result or for display, and what ran at the provider. */
export function withoutOutputs({ toolOutputs }: ExportMask): LeaveOut {
  if (toolOutputs !== true) return same;
  return (value) => {
    if (value.type === 'provider') return { ...value, data: masked };
    // Of settings `output` is a schema; of a compaction `summary` is a summary.
    const isCall = typeof value.callId === 'string' || typeof value.verdict === 'string' || 'elicitation' in value;
    if (isCall) return withoutResults(value);
    return isOfInterface(value) ? wordless(value) : value;
  };
}

/** Whether the interface of a tool wrote a message: it has copies of the tool's results, in its text and in its metadata. */
function isOfInterface({ origin, metadata }: JsonObject): boolean {
  return toObject(origin).type === 'interface' || toObject(metadata)[interfaceKey] !== undefined;
}

function withoutResults({ details: _details, elicitation, ...call }: JsonObject): JsonObject {
  // The question of a server has its state, and the answers to its earlier questions.
  const isOfServer = toObject(elicitation)['x-mcp'] !== undefined;
  const asked = elicitation === undefined ? {} : { elicitation: isOfServer ? { title: masked } : elicitation };
  return Object.fromEntries(
    Object.entries({ ...call, ...asked }).map(([key, value]) => [
      key,
      value !== undefined && results.includes(key) ? masked : value,
    ]),
  );
}

/** Leaves out the data of media: of all, or of those that match a pattern. */
export function withoutMedia({ attachments }: ExportMask, patterns: Patterns): LeaveOut {
  return (value) => {
    if (typeof value.mediaType !== 'string') return value;
    const { data, url: _url, name: _name, ...rest } = value;
    if (attachments === true) return rest;
    if (typeof data !== 'string' || !texts(value.mediaType, data).some(patterns.matches)) return value;
    const { data: _data, ...empty } = value;
    return empty;
  };
}

/** Returns the base64 of a file, and its text where it is one. */
function texts(mediaType: string, data: string): readonly string[] {
  if (!/^text|json|xml|csv|yaml|javascript/.test(mediaType)) return [data];
  try {
    return [data, new TextDecoder().decode(toBytes(data))];
  } catch {
    return [data];
  }
}
