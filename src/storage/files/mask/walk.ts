import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import { isParts } from '../../../core/model/tool-result.ts';
import { maskInput } from './deltas.ts';
import { withoutMedia, withoutOutputs, withoutWords } from './leave-out.ts';
import type { ExportMask } from './options.ts';
import type { Patterns } from './patterns.ts';

/** Fields with a word of the format. */
const ofFormat = new Set(
  'type role status outcome cause finish verdict decidedBy mode limit remember code timeout needs toolChoice'.split(
    ' ',
  ),
);
/** Fields with an id or a name: the same one has to be the same everywhere. */
const names = new Set(
  'id session sessionId messageId callId runId resumes compactionId supersedes through pruned pinned contentId instructions tools name model mediaType toolVersion fingerprint signature strategy of'.split(
    ' ',
  ),
);
/** Fields with JSON of the page, of a tool or of a provider. */
const free = new Set(
  'metadata input editedInput provider value elicitation answer inputSchema schema providerParams progress'.split(' '),
);

/** Fields with a hash of a content of which a part may be masked: a reader could check guesses of the content. */
const hashes = new Set(['contentId', 'instructions', 'tools', 'toolVersion', 'fingerprint', 'signature']);

/** The field by whose rule the items of a list are masked. */
const ofItems: Readonly<Record<string, string | undefined>> = { tools: 'name', output: 'content' };

/** Of settings, `output` is a schema with a name; of media, `data` is base64; of a usage, `input` and `output` are numbers. */
function isFree(key: string, value: Json, owner: JsonObject): boolean {
  if (key === 'output') return 'callId' in owner && !isParts(value);
  if (key === 'input') return isJsonObject(value);
  return free.has(key) || (key === 'data' && owner.type === 'provider');
}

/** Returns an event of the present version, with its known fields only, as the mask leaves it. Streamed text is masked by `maskDeltas`. */
export type Walk = (event: JsonObject) => JsonObject;

/** Invariant: a text whose field is in none of the lists is masked, so that a new field is masked as well. */
export function createWalk(mask: ExportMask, patterns: Patterns): Walk {
  const renamed = new Map<string, string>();

  /** Returns the name in the place of a name that matches. */
  function rename(name: string): string {
    const other = renamed.get(name) ?? `masked-${renamed.size + 1}`;
    renamed.set(name, other);
    return other;
  }

  function leaf(text: string, key: string): string {
    if (ofFormat.has(key)) return text;
    if (!names.has(key)) return patterns.text(text);
    const isHash = hashes.has(key);
    return isHash || patterns.matches(text) ? rename(text) : text;
  }

  function field(value: Json, key: string, owner: JsonObject): Json {
    if (isFree(key, value, owner)) return isJsonObject(value) ? patterns.object(value) : patterns.json(value);
    if (key === 'inputText' && typeof value === 'string') return maskInput(value, patterns);
    if (typeof value === 'string') return leaf(value, key);
    if (Array.isArray(value)) return value.map((item: Json) => field(item, ofItems[key] ?? key, owner));
    return isJsonObject(value) ? object(value) : value;
  }

  function object(value: JsonObject): JsonObject {
    const left = [withoutWords(mask), withoutOutputs(mask), withoutMedia(mask, patterns)].reduce(
      (before, leaveOut) => leaveOut(before),
      value,
    );
    const { type } = left;
    return Object.fromEntries(
      Object.entries(left).map(([key, item]) => {
        const isText = item === undefined || (key === 'text' && typeof type === 'string' && type.endsWith('.delta'));
        return [key, isText ? item : field(item, key, left)];
      }),
    );
  }

  return object;
}
