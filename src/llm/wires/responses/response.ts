import type { Json, JsonObject } from '../../../core/json.ts';
import { unfinished } from '../../transport/stream-errors.ts';
import { createCallAssembler } from '../../transport/call-assembler.ts';
import { emitCitation } from '../../transport/citation.ts';
import { toFinishReason } from '../../transport/finish-reason.ts';
import { toCount, toList, toObject, toText } from '../../../core/model/read-json.ts';
import type { Reader, ReaderOptions } from '../../transport/reader.ts';
import { responsesWire } from './request.ts';

/** An output item that is not complete. */
interface OpenItem {
  /** Position among all items of the answer: the wire's own index restarts with each response. */
  readonly slot: string;
  /** Whether text, reasoning or input arrived as deltas; without deltas the item is read whole at its end. */
  streamed: boolean;
}

/**
 * Creates the reader of one answer of OpenAI's `/responses`: the events of a stream, or one whole `response`. Tools that ran at the provider,
 * and calls that are not functions, become `provider` parts. A stream may contain several responses: the responses form one answer, and
 * the last status counts.
 */
export function createResponsesReader(options: ReaderOptions): Reader {
  const { host, emit, toError } = options;
  const calls = createCallAssembler(options, responsesWire);
  const items = new Map<string, OpenItem>();
  let started = 0;
  let usage: JsonObject = {};
  let finish = '';
  let model = '';
  let ended = false;

  function emitText(type: 'text' | 'reasoning', text: Json | undefined): void {
    if (typeof text === 'string' && text !== '') emit({ type, text });
  }

  function openItem(index: string, item: JsonObject): OpenItem {
    const open: OpenItem = { slot: String(started), streamed: false };
    started += 1;
    items.set(index, open);
    if (item.type === 'function_call')
      calls.push({ slot: open.slot, id: toText(item.call_id), name: toText(item.name) });
    return open;
  }

  function addInput(open: OpenItem, text: string): void {
    if (open.streamed || text === '') return;
    open.streamed = true;
    calls.push({ slot: open.slot, text });
  }

  function closeItem(index: string, item: JsonObject): void {
    const open = items.get(index) ?? openItem(index, item);
    items.delete(index);
    const name = toText(item.type);
    switch (name) {
      case 'function_call':
        addInput(open, toText(item.arguments));
        break;
      case 'message':
        for (const part of open.streamed ? [] : toList(item.content)) {
          emitText('text', toObject(part).text || toObject(part).refusal);
          for (const annotation of toList(toObject(part).annotations)) emitCitation(emit, annotation);
        }
        break;
      case 'reasoning': {
        const summaries = [...toList(item.summary), ...toList(item.content)];
        for (const summary of open.streamed ? [] : summaries) emitText('reasoning', toObject(summary).text);
        if (toText(item.encrypted_content) !== '')
          emit({ type: 'reasoning', text: '', provider: { [responsesWire]: item } });
        break;
      }
      default: {
        const { result, ...data } = item;
        const isImage = name === 'image_generation_call' && typeof result === 'string';
        if (isImage)
          emit({
            type: 'part',
            part: { type: 'image', mediaType: `image/${toText(item.output_format) || 'png'}`, data: result },
          });
        emit({ type: 'part', part: { type: 'provider', name, data: isImage ? data : item } });
      }
    }
  }

  function readDelta(type: string, index: string, delta: Json | undefined): void {
    const open = items.get(index) ?? openItem(index, {});
    if (/^response\.(output_text|refusal)\.delta$/.test(type)) emitText('text', delta);
    else if (/^response\.reasoning(_summary)?_text\.delta$/.test(type)) emitText('reasoning', delta);
    else if (type === 'response.function_call_arguments.delta') calls.push({ slot: open.slot, text: toText(delta) });
    open.streamed = true;
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
      const index = JSON.stringify(json.output_index) ?? '';
      if (type === 'error' || json.error || event === 'error') throw toError(json);
      if (type === 'response.output_item.added') openItem(index, toObject(json.item));
      else if (type === 'response.output_item.done') closeItem(index, toObject(json.item));
      else if (type === 'response.output_text.annotation.added') emitCitation(emit, json.annotation);
      else if (type === 'response.function_call_arguments.done')
        addInput(items.get(index) ?? openItem(index, {}), toText(json.arguments));
      else if (type.endsWith('.delta')) readDelta(type, index, json.delta);
      else if (json.object === 'response') {
        toList(json.output).forEach((item, at) => closeItem(`whole ${at}`, toObject(item)));
        readResponse(json);
      } else readResponse(toObject(json.response));
    },
    end(by) {
      if (ended) return;
      if (finish === '') throw unfinished(host, started > 0, by);
      ended = true;
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
