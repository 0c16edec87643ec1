import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { FinishReason, Usage } from '../../../core/model/message.ts';
import { interrupted } from '../../transport/stream-errors.ts';
import type { ChatExtras, ChatText } from './rich-response.ts';
import { loadChatSeldom } from './lazy.ts';
import { toCount, toList, toObject, toText } from '../../../core/model/read-json.ts';
import type { Reader, ReaderOptions } from '../../transport/reader.ts';

/**
 * Reads an answer of OpenAI's `/chat/completions` and of all who speak it more or less: `chat.completion.chunk` objects, or one whole
 * `chat.completion`. Choice 0 only. Its tests name every habit of a service that it knows.
 *
 * @param createExtras reads what is no text. Without it that is loaded at the first document that holds such.
 */
export function createChatReader(
  options: ReaderOptions,
  createExtras?: (options: ReaderOptions, text: ChatText) => ChatExtras,
): Reader {
  const { host, emit, refuse } = options;
  const chatText: ChatText = { say, sayAll, begin: () => void (begun = true) };
  let extras = createExtras?.(options, chatText);
  let usage: JsonObject | undefined;
  let finish = '';
  let model = '';
  let begun = false;
  let ended = false;

  function say(type: 'text' | 'reasoning', said: Json | undefined): void {
    const text = toText(said);
    if (text === '') return;
    if (type === 'text') extras?.closeReasoning();
    begun = true;
    emit({ type, text });
  }

  function sayAll(delta: JsonObject, thought?: string): void {
    say('reasoning', delta.reasoning_content || delta.reasoning || delta.reasoning_text || thought);
    say('text', delta.content);
    say('text', delta.refusal);
  }

  function read(json: JsonObject, event: string | undefined, choice: JsonObject, isPlain: boolean): void {
    if (ended) return;
    if (json.error || json.object === 'error' || event === 'error') throw refuse(json);
    model ||= toText(json.model);
    if (isJsonObject(json.usage)) ({ usage } = json);
    if (isJsonObject(choice.usage)) ({ usage } = choice);
    const { usage: groq } = toObject(json.x_groq);
    if (isJsonObject(groq)) usage = groq;
    // Some repeat the whole message when its pieces have come.
    const delta = toObject(isJsonObject(choice.delta) || begun ? choice.delta : choice.message);
    if (isPlain) sayAll(delta);
    else extras?.read(json, delta);
    finish = toText(choice.finish_reason) || finish;
    if (finish === '') return;
    if (/error|insufficient/.test(finish) || (finish === 'model_context_window_exceeded' && !begun))
      throw refuse(finish);
  }

  function end(marked: boolean): void {
    if (ended) return;
    if (finish === '' && !marked) throw interrupted(host, begun);
    ended = true;
    extras?.end();
    const counted = usage && toUsage(usage);
    const reason = toReason(finish, extras !== undefined && extras.calls > 0);
    // There was no room for a single word.
    if (reason === 'length' && !begun && counted?.output === 0) throw refuse('context length');
    if (counted) emit({ type: 'usage', usage: counted });
    emit({ type: 'finish', reason, ...(finish !== '' && { raw: finish }), ...(model !== '' && { model }) });
  }

  return {
    get complete() {
      return finish !== '';
    },
    read(json, event) {
      const choice = toObject(toList(json.choices).find(isFirst));
      const isPlain = !hasExtras(json, choice);
      if (isPlain || extras) return read(json, event, choice, isPlain);
      return loadChatSeldom().then((seldom) => {
        extras = seldom.createChatExtras(options, chatText);
        read(json, event, choice, isPlain);
      });
    },
    end,
  };
}

/** Choice 0, of which the index may be missing. */
function isFirst(choice: Json): boolean {
  return Number(toObject(choice).index ?? 0) === 0;
}

/** Whether there is more to read than text. Many answers have fields for that with nothing in them. */
function hasExtras({ citations, search_results }: JsonObject, { delta, message }: JsonObject): boolean {
  return isFilled(citations) || isFilled(search_results) || hasFilled(delta) || hasFilled(message);
}

function hasFilled(value: Json | undefined): boolean {
  const said = toObject(value);
  // Asked of nearly every piece: no list of its fields.
  for (const field in said) if (isFilled(said[field])) return true;
  return false;
}

function isFilled(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return toList(value).length > 0 || Object.keys(value).length > 0;
}

/** One word for what many services say. Calls win over `stop`, which some say whatever the answer is; `tool_calls` without calls is just an end. */
export function toReason(raw: string, hasCalls: boolean): FinishReason {
  if (/length|max_tokens|context_window/.test(raw)) return 'length';
  if (/filter|sensitive|refusal|safety/i.test(raw)) return 'content-filter';
  if (hasCalls) return 'tool-calls';
  return /^(|stop.*|eos.*|end_turn|.*(tool|function).*)$/.test(raw) ? 'stop' : 'other';
}

function toUsage(raw: JsonObject): Usage {
  const input = toObject(raw.prompt_tokens_details);
  const output = toCount(raw.completion_tokens, raw.output_tokens) ?? 0;
  const cached = toCount(input.cached_tokens, raw.prompt_cache_hit_tokens, raw.cached_tokens);
  const reasoning = toCount(toObject(raw.completion_tokens_details).reasoning_tokens);
  return {
    input: toCount(raw.prompt_tokens, raw.input_tokens) ?? 0,
    output,
    ...(cached !== undefined && { cached }),
    // xAI does not count thoughts as output; as a part of it they would be nonsense.
    ...(reasoning !== undefined && reasoning <= output && { reasoning }),
  };
}
