import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import { unfinished } from '../../transport/stream-errors.ts';
import { createCallAssembler } from '../../transport/call-assembler.ts';
import { emitCitation } from '../../transport/citation.ts';
import { isFailure, toFailure, toFinishReason } from '../../transport/finish-reason.ts';
import { toCount, toList, toObject, toPiece, toText, toWord } from '../../../core/model/read-json.ts';
import type { Reader, ReaderOptions } from '../../transport/reader.ts';
import { createItems, type Item, toItemEvent } from './items.ts';
import { responsesWire } from './request.ts';

/**
 * Creates the reader of one answer of OpenAI's `/responses`: the events of a stream, or one whole `response`. Tools that ran at the provider,
 * and calls that are not functions, become `provider` parts. A stream may contain several responses: the responses form one answer, and
 * the last status counts.
 *
 * What an event repeats of an item is nothing new; what only the end of a part, of an item or of the response states counts. `items.ts`
 * states which item an event belongs to.
 */
export function createResponsesReader(options: ReaderOptions): Reader {
  const { host, emit, toError } = options;
  const calls = createCallAssembler(options, responsesWire);
  const items = createItems();
  /** Text of the answer so far, by type. */
  const whole = { text: '', reasoning: '' };
  /** The part that the newest text of a type belongs to. */
  const newest = { text: '', reasoning: '' };
  const encrypted = new Set<string>();
  let usage: JsonObject = {};
  let finish = '';
  let model = '';
  let ended = false;

  function itemOf(event: JsonObject, index?: string): Item {
    const item = items.of(toItemEvent(event, index));
    const { name, call_id } = toObject(event.item);
    if (item.type === 'function_call' && (item.arrived.get('name') ?? '') === '') {
      const stated = toText(name) || toText(event.name);
      item.arrived.set('name', stated);
      calls.push({ slot: item.slot, id: item.callId || toWord(call_id), name: stated });
    }
    return item;
  }

  /** Emits a piece of a part. The wire separates parts, items and messages by an index: here a blank line does. */
  function addText(item: Item, part: string, value: Json | undefined): void {
    const text = toPiece(value);
    if (text === '') return;
    const type = part.startsWith('text') ? 'text' : 'reasoning';
    const place = `${item.slot} ${part}`;
    const isNext = newest[type] !== place && /\S$/.test(whole[type].slice(-1)) && !text.startsWith('\n');
    newest[type] = place;
    whole[type] += text;
    item.arrived.set(part, (item.arrived.get(part) ?? '') + text);
    emit({ type, text: isNext ? `\n\n${text}` : text });
  }

  /** Emits what has not arrived of the parts of a kind, when their end states all of their text. */
  function completeTexts(item: Item, kind: string, texts: readonly string[]): void {
    let arrived = joined(item, kind);
    // What arrived is another text: the end adds nothing.
    if (!texts.join('').startsWith(arrived)) return;
    for (const [at, text] of texts.entries()) {
      addText(item, `${kind}:${at}`, text.slice(arrived.length));
      arrived = arrived.slice(text.length);
    }
  }

  /** Emits what has not arrived of one part. */
  function completeText(item: Item, part: string, value: Json | undefined): void {
    const text = toPiece(value);
    const arrived = item.arrived.get(part) ?? '';
    if (text.startsWith(arrived)) addText(item, part, text.slice(arrived.length));
  }

  function addInput(item: Item, text: string): void {
    if (text === '') return;
    item.arrived.set('input', (item.arrived.get('input') ?? '') + text);
    calls.push({ slot: item.slot, text });
  }

  /** Adds what has not arrived of a call's input. Where another text has arrived, the assembler decides between both. */
  function completeInput(item: Item, text: string): void {
    const arrived = item.arrived.get('input') ?? '';
    if (text.trim() !== '') addInput(item, text.startsWith(arrived) ? text.slice(arrived.length) : text);
  }

  function closeItem(item: Item, json: JsonObject): void {
    if (item.closed) return;
    item.closed = true;
    const name = toText(json.type) || item.type;
    switch (name) {
      case 'function_call':
        completeInput(item, toInputText(json.arguments));
        break;
      case 'message':
        completeTexts(item, 'text', toList(json.content).map(textOf));
        for (const part of item.cited ? [] : toList(json.content))
          for (const annotation of toList(toObject(part).annotations)) emitCitation(emit, annotation);
        break;
      case 'reasoning': {
        const isNew = joined(item, 'summary') + joined(item, 'reasoning') === '';
        if (isNew || joined(item, 'summary') !== '') completeTexts(item, 'summary', toList(json.summary).map(textOf));
        if (isNew || joined(item, 'reasoning') !== '')
          completeTexts(item, 'reasoning', toList(json.content).map(textOf));
        const sealed = toText(json.encrypted_content);
        if (sealed !== '' && !encrypted.has(sealed))
          emit({ type: 'reasoning', text: '', provider: { [responsesWire]: json } });
        encrypted.add(sealed);
        break;
      }
      default: {
        const { result, ...data } = json;
        const isImage = name === 'image_generation_call' && typeof result === 'string';
        if (isImage)
          emit({
            type: 'part',
            part: { type: 'image', mediaType: `image/${toText(json.output_format) || 'png'}`, data: result },
          });
        emit({ type: 'part', part: { type: 'provider', name, data: isImage ? data : json } });
      }
    }
  }

  /** Reads an event of a part of an item: a delta, or the end of the part. */
  function readPart(type: string, event: JsonObject): void {
    const item = itemOf(event);
    const [, kind = '', phase] = /^response\.(.+)\.(delta|done)$/.exec(type) ?? [];
    const part = partOf(kind, event);
    if (phase === 'delta') {
      if (kind === 'function_call_arguments') addInput(item, toPiece(event.delta));
      else if (part !== '') addText(item, part, event.delta);
    } else if (kind === 'function_call_arguments') {
      if (!item.closed) completeInput(item, toInputText(event.arguments));
    } else if (part !== '') {
      const { text, refusal } = toObject(event.part ?? event);
      completeText(item, part, text ?? refusal);
    }
  }

  /** Reads the items of a whole response: all, or those of which nothing has arrived. */
  function readOutput(output: readonly Json[]): void {
    for (const [at, entry] of output.entries()) {
      const json = toObject(entry);
      const event = { item: json };
      const known = items.find(toItemEvent(event, String(at)));
      if (known) closeItem(known, json);
      else if (!hasArrived(json)) closeItem(itemOf(event, `whole ${at}`), json);
    }
  }

  /** Whether an item that no event named has arrived under another name. */
  function hasArrived(json: JsonObject): boolean {
    const text = [...toList(json.content), ...toList(json.summary)].map(textOf).join('');
    if (json.type === 'message') return text !== '' && whole.text.includes(text);
    return json.type === 'reasoning' && text !== '' && whole.reasoning.includes(text);
  }

  function readResponse(response: JsonObject): void {
    model = toText(response.model) || model;
    usage = { ...usage, ...toObject(response.usage) };
    const status = toText(response.status);
    if (status === 'queued' || status === 'in_progress') finish = '';
    if (status === 'failed' || status === 'cancelled') throw toError({ error: response.error ?? status });
    if (status === 'completed') finish = status;
    if (status === 'incomplete') finish = toText(toObject(response.incomplete_details).reason) || status;
  }

  return {
    get complete() {
      return finish !== '';
    },
    read(json, event) {
      if (ended) return;
      const type = toText(json.type);
      if (type === 'error' || json.error || event === 'error') throw toError(json);
      if (type === 'response.created') items.restart();
      if (type === 'response.output_item.added') itemOf(json);
      else if (type === 'response.output_item.done') closeItem(itemOf(json), toObject(json.item));
      else if (type === 'response.output_text.annotation.added') {
        itemOf(json).cited = true;
        emitCitation(emit, json.annotation);
      } else if (/\.(delta|done)$/.test(type)) readPart(type, json);
      else {
        const response = json.object === 'response' ? json : toObject(json.response);
        readOutput(toList(response.output));
        readResponse(response);
      }
    },
    end(by) {
      if (ended) return;
      if (finish === '') throw unfinished(host, items.count > 0, by);
      ended = true;
      if (isFailure(finish)) throw toError(toFailure(finish));
      const reason = toFinishReason(finish, calls.count > 0);
      calls.end(reason);
      const input = toCount(usage.input_tokens);
      if (input !== undefined) {
        const cached = toCount(toObject(usage.input_tokens_details).cached_tokens);
        const reasoning = toCount(toObject(usage.output_tokens_details).reasoning_tokens);
        const output = toCount(usage.output_tokens) ?? 0;
        emit({
          type: 'usage',
          usage: {
            input,
            output,
            ...(cached !== undefined && { cached }),
            ...(reasoning !== undefined && reasoning <= output && { reasoning }),
          },
        });
      }
      emit({ type: 'finish', reason, raw: finish, ...(model !== '' && { model }) });
    },
  };
}

function textOf(part: Json): string {
  const { text, refusal } = toObject(part);
  return toPiece(text) || toPiece(refusal);
}

/** Some services send the input as JSON, not as text. */
function toInputText(value: Json | undefined): string {
  return isJsonObject(value) ? JSON.stringify(value) : toPiece(value);
}

/** Returns all that has arrived of the parts of a kind. */
function joined({ arrived }: Item, kind: string): string {
  return [...arrived].map(([part, text]) => (part.startsWith(kind) ? text : '')).join('');
}

/** Returns the name of the part that an event is about; empty where the event is about no text. */
function partOf(kind: string, { content_index, summary_index, part }: JsonObject): string {
  const type = kind.endsWith('_part') ? toText(toObject(part).type) : kind;
  if (/^(output_text|refusal)$/.test(type)) return `text:${toWord(content_index) || 0}`;
  if (/^(reasoning_summary_text|summary_text)$/.test(type)) return `summary:${toWord(summary_index) || 0}`;
  return /^reasoning(_text)?$/.test(type) ? `reasoning:${toWord(content_index) || 0}` : '';
}
