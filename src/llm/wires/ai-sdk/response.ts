import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import { copyJson } from '../../../core/model/copy-json.ts';
import type { FinishReason, Usage } from '../../../core/model/message.ts';
import { toList, toObject, toText, toCount } from '../../../core/model/read-json.ts';
import { isFailure, toFailure, toFinishReason } from '../../transport/finish-reason.ts';
import type { ReaderOptions } from '../../transport/reader.ts';
import { interrupted, tooLarge, unfinished } from '../../transport/stream-errors.ts';
import { createBlocks } from './blocks.ts';
import { createCalls } from './calls.ts';
import { toAISDKError } from './error.ts';
import { aiSdkWire, isFilled, type MarkOf, type OwnContent, toOwnContent } from './opaque.ts';
import { pictureOf, toMedia } from './files.ts';

/** What the reader of a model's stream is given. */
export interface PartReaderOptions extends ReaderOptions {
  /** Characters of text, reasoning and inputs. Default 64 million. */
  readonly longest?: number | undefined;
  /** Called with each warning of the package, for a setting that it ignores for example. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

/** Reads the parts of one answer of a language model. */
export interface PartReader {
  /** @throws AgentError, or an error for `classifyThrown` */
  read(part: unknown): void;
  /** The stream has ended. @throws AgentError `STREAM_INTERRUPTED` where it had no `finish` part */
  end(): void;
  /** Whether the answer is complete, though the stream is still open. */
  readonly complete: boolean;
}

/**
 * Creates the reader of the stream of one answer: the parts of `LanguageModelV2`, `V3` and `V4`. Tools that ran at the provider become
 * `provider` parts. Metadata of the provider is kept for later requests: that of calls with the call, that of reasoning, text and files in
 * parts of reasoning (`opaque.ts`).
 */
export function createPartReader(options: PartReaderOptions): PartReader {
  const { emit, host, longest = 64 * 1024 * 1024, onWarning, toError } = options;
  const calls = createCalls(options);
  const blocks = createBlocks(emit, (fields) => emitOwn('text', 'compaction', fields));
  /** Calls of the provider's own tools. */
  const ownCalls = new Set<string>();
  const sources = new Set<string>();
  let chars = 0;
  let begun = false;
  let model = '';
  let ended = false;

  function count(text: string): string {
    chars += text.length;
    if (chars > longest) throw tooLarge(host, 'too much text');
    begun ||= text !== '';
    return text;
  }

  function mark(of: MarkOf, metadata: JsonObject): void {
    if (isFilled(metadata)) emit({ type: 'reasoning', text: '', provider: { [aiSdkWire]: { of, metadata } } });
  }

  function begin(): void {
    begun = true;
    blocks.interrupt();
  }

  function emitOwn(type: OwnContent, name: string, fields: JsonObject): void {
    begin();
    emit({ type: 'part', part: { type: 'provider', name: name || type, data: toOwnContent(type, host, fields) } });
  }

  function emitSource(part: JsonObject): void {
    const url = toText(part.url);
    if (url === '') return emitOwn('source', 'source', part);
    // Packages state a source where it was found, and again where it is cited.
    const title = toText(part.title);
    if (sources.has(`${url} ${title}`)) return;
    sources.add(`${url} ${title}`);
    emit({ type: 'part', part: { type: 'source', url, ...(title !== '' && { title }) } });
  }

  function readFile(part: JsonObject, of: 'file' | 'reasoning-file'): void {
    const media = toMedia(part);
    if (media === undefined) return;
    begin();
    emit({ type: 'part', part: media });
    mark(of, toPlain(part.providerMetadata));
  }

  function readResult(part: JsonObject): void {
    if (part.preliminary === true) return;
    const fields = toObject(toPlain(part));
    const { picture, rest } = pictureOf(fields.result);
    if (picture) emit({ type: 'part', part: picture });
    emitOwn('tool-result', toText(part.toolName), picture ? { ...fields, result: rest } : fields);
  }

  function readCall(part: JsonObject): void {
    const [id, name] = [toText(part.toolCallId), toText(part.toolName)];
    const input = typeof part.input === 'string' ? part.input : JSON.stringify(part.input ?? {});
    if (part.providerExecuted === true || ownCalls.has(id)) return emitOwn('tool-call', name, toPlain(part));
    begin();
    calls.complete(id, name, input, toPlain(part.providerMetadata));
  }

  function finish(part: JsonObject): void {
    const { finishReason, usage, providerMetadata } = part;
    const raw = toText(toObject(finishReason).raw);
    const stated = toText(finishReason) || toText(toObject(finishReason).unified);
    if (stated === 'interrupted') throw interrupted(host, begun);
    if (stated === 'error' || (stated === 'other' && isFailure(raw))) throw toError(toFailure(raw || 'error'));
    const reason = toReason(stated, raw, calls.count > 0);
    const counted = toUsage(toObject(usage));
    // Packages state an end also where the connection was closed before it. Then the last event of the service is missing, and its usage.
    if (reason === 'unknown' && (!begun || (stated === 'other' && counted === undefined)))
      throw interrupted(host, begun);
    ended = true;
    blocks.end();
    calls.end(reason);
    if (reason === 'pause') mark('finish', toPlain(providerMetadata));
    if (counted) emit({ type: 'usage', usage: counted });
    emit({ type: 'finish', reason, ...(raw !== '' && { raw }), ...(model !== '' && { model }) });
  }

  function read(part: JsonObject): void {
    const id = toText(part.id);
    const type = toText(part.type);
    switch (type) {
      case 'stream-start':
        for (const warning of toList(part.warnings)) onWarning?.(toWarning(warning));
        break;
      case 'response-metadata':
        model = toText(part.modelId) || model;
        break;
      case 'text-start':
      case 'reasoning-start':
        blocks.start(kindOf(type), id, toPlain(part.providerMetadata));
        break;
      case 'text-delta':
      case 'reasoning-delta':
        // AI SDK 5 began with the name `textDelta`, and some packages still use it.
        blocks.add(
          kindOf(type),
          id,
          count(toText(part.delta) || toText(part.textDelta)),
          toPlain(part.providerMetadata),
        );
        break;
      case 'text-end':
      case 'reasoning-end':
        blocks.stop(kindOf(type), id, toPlain(part.providerMetadata));
        for (const citation of toList(part.citations)) emitSource(toObject(toObject(citation).source));
        break;
      case 'tool-input-start':
        if (part.providerExecuted === true) ownCalls.add(id);
        else {
          begin();
          calls.start(id, toText(part.toolName));
        }
        break;
      case 'tool-input-delta':
        calls.add(id, count(toText(part.delta)));
        break;
      case 'tool-call':
        readCall(part);
        break;
      case 'tool-result':
        readResult(part);
        break;
      case 'tool-approval-request':
      case 'custom':
        emitOwn(type, toText(part.kind), toPlain(part));
        break;
      case 'file':
      case 'reasoning-file':
        readFile(part, type);
        break;
      case 'source':
        emitSource(toPlain(part));
        break;
      case 'finish':
        finish(part);
        break;
      case 'error':
        throw toAISDKError(part.error, { host, answered: true, begun });
    }
  }

  return {
    get complete() {
      return ended;
    },
    read(part) {
      if (!ended && isJsonObject(part)) read(part);
    },
    end() {
      if (!ended) throw unfinished(host, begun, 'close');
    },
  };
}

function kindOf(type: string): 'text' | 'reasoning' {
  return type.startsWith('text') ? 'text' : 'reasoning';
}

/** Returns a copy of what enters the log. A package may state anything: what is not JSON is left out. */
function toPlain(value: unknown): JsonObject {
  if (!isJsonObject(value)) return {};
  try {
    return toObject(copyJson<Json>(value, 'A part of the answer', 'STREAM_MALFORMED'));
  } catch {
    return {};
  }
}

function toReason(stated: string, raw: string, hasCalls: boolean): FinishReason {
  if (raw === 'pause_turn' && !hasCalls) return 'pause';
  if (stated === 'length' || stated === 'content-filter') return stated;
  // A package that states "other" without the word of the service has received none.
  if (stated === 'unknown' || stated === '' || (stated === 'other' && raw === '')) return 'unknown';
  if (hasCalls) return 'tool-calls';
  return stated === 'other' ? toFinishReason(raw, false) : 'stop';
}

function toWarning(warning: Json): string {
  const { type, feature, setting, tool, details, message } = toObject(warning);
  const what = toText(feature) || toText(setting) || toText(toObject(tool).name);
  const said = [toText(message), toText(details)].filter(Boolean).join(' ');
  return [toText(type), what].filter(Boolean).join(': ') + (said === '' ? '' : ` (${said})`);
}

/**
 * Maps the usage of a language model. All versions count cached tokens as a part of the input; where tokens were written to a cache, the
 * provider counts and charges them apart, and so does the result.
 *
 * @returns `undefined` where the input was not counted
 */
function toUsage({ inputTokens, outputTokens, ...v2 }: JsonObject): Usage | undefined {
  const input = toObject(inputTokens);
  const output = toObject(outputTokens);
  const total = toCount(input.total, inputTokens);
  if (total === undefined) return undefined;
  const answered = toCount(output.total, outputTokens) ?? 0;
  const reasoning = toCount(output.reasoning, v2.reasoningTokens);
  const cached = toCount(input.cacheRead, v2.cachedInputTokens);
  const written = toCount(input.cacheWrite);
  // As a part of the output the number would be wrong.
  const thought = reasoning !== undefined && reasoning <= answered ? { reasoning } : {};
  if (written === undefined && (cached ?? 0) <= total)
    return { input: total, output: answered, ...(cached !== undefined && { cached }), ...thought };
  const read = cached ?? 0;
  const fresh = toCount(input.noCache, total - read - (written ?? 0)) ?? total;
  return {
    input: fresh,
    output: answered,
    ...(read > 0 && { cacheRead: read }),
    ...(written !== undefined && written > 0 && { cacheWritten: written }),
    ...(thought.reasoning !== undefined && thought.reasoning > 0 && thought),
  };
}
