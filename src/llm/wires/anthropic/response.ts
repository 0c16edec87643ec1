import { defined, type Json, type JsonObject, isJsonObject, parseJson } from '../../../core/json.ts';
import { anthropicWire, containerPart } from './request.ts';
import { createCallAssembler } from '../../transport/call-assembler.ts';
import { emitCitation } from '../../transport/citation.ts';
import { toFinishReason } from '../../transport/finish-reason.ts';
import { toCount, toList, toObject, toText } from '../../../core/model/read-json.ts';
import { unfinished } from '../../transport/stream-errors.ts';
import type { Reader, ReaderOptions } from '../../transport/reader.ts';

/** A content block that is not complete. */
interface OpenBlock {
  readonly start: JsonObject;
  /** Position among all blocks of the answer: the wire's own index restarts with each message. */
  readonly slot: string;
  /** The pieces of the JSON input, or of the text of a block type that has no case here. */
  text: string;
  signature: string;
}

/**
 * Creates the reader of one answer of Anthropic's `/v1/messages`: the events of a stream, or one whole `message`. Tools that ran at the
 * provider become `provider` parts. A stream may contain several messages (through a proxy): the messages form one answer, and the last
 * stop reason counts.
 */
export function createAnthropicReader(options: ReaderOptions): Reader {
  const { host, emit, toError } = options;
  const calls = createCallAssembler(options, anthropicWire);
  const blocks = new Map<string, OpenBlock>();
  let started = 0;
  let usage: JsonObject = {};
  let finish = '';
  let model = '';
  let container = '';
  let ended = false;

  function startBlock(index: string, start: JsonObject): OpenBlock {
    closeBlock(index);
    const block: OpenBlock = { start, slot: String(started), text: '', signature: toText(start.signature) };
    started += 1;
    blocks.set(index, block);
    switch (toText(start.type)) {
      case 'text':
        emitText('text', start.text);
        for (const citation of toList(start.citations)) emitCitation(emit, citation);
        break;
      case 'thinking':
        emitText('reasoning', start.thinking);
        break;
      case 'tool_use': {
        const { type: _type, id, name, input, ...opaque } = start;
        calls.push({
          slot: block.slot,
          id: toText(id),
          name: toText(name),
          text: isFilled(input) ? JSON.stringify(input) : '',
          ...(isFilled(opaque) && { provider: opaque }),
        });
        break;
      }
    }
    return block;
  }

  function readDelta(index: string, delta: JsonObject): void {
    const block = blocks.get(index) ?? startBlock(index, { type: 'text' });
    emitText('text', delta.text);
    emitText('reasoning', delta.thinking);
    emitCitation(emit, delta.citation);
    block.signature += toText(delta.signature);
    const piece = toText(delta.partial_json) || toText(delta.content);
    if (block.start.type === 'tool_use') calls.push({ slot: block.slot, text: piece });
    else block.text += piece;
  }

  function closeBlock(index: string): void {
    const block = blocks.get(index);
    if (block === undefined) return;
    blocks.delete(index);
    const { start, text, signature } = block;
    const name = toText(start.type);
    if (name === 'text' || name === 'tool_use') return;
    if (name === 'thinking') {
      if (signature !== '') emitOpaque({ signature });
    } else if (name === 'redacted_thinking') emitOpaque({ redacted: start.data });
    else {
      const input = parseJson(text);
      const data = { ...start, ...(isJsonObject(input) ? { input } : text !== '' && { content: text }) };
      emit({ type: 'part', part: { type: 'provider', name, data } });
    }
  }

  function emitText(type: 'text' | 'reasoning', text: Json | undefined): void {
    if (typeof text === 'string' && text !== '') emit({ type, text });
  }

  /** Emits the opaque data of a thinking block, to be sent back with the next request. */
  function emitOpaque(data: JsonObject): void {
    emit({ type: 'reasoning', text: '', provider: { [anthropicWire]: data } });
  }

  function readEnd(delta: JsonObject, counted: Json | undefined): void {
    finish = toText(delta.stop_reason) || finish;
    container = toText(toObject(delta.container).id) || container;
    usage = { ...usage, ...toObject(counted) };
  }

  return {
    get complete() {
      return finish !== '';
    },
    read(json, event) {
      if (ended) return;
      const index = JSON.stringify(json.index) ?? '';
      switch (toText(json.type)) {
        case 'message_start':
          finish = '';
          model ||= toText(toObject(json.message).model);
          readEnd({ container: toObject(json.message).container }, toObject(json.message).usage);
          break;
        case 'content_block_start':
          startBlock(index, toObject(json.content_block));
          break;
        case 'content_block_delta':
          readDelta(index, toObject(json.delta));
          break;
        case 'content_block_stop':
          closeBlock(index);
          break;
        case 'message_delta':
          readEnd(toObject(json.delta), json.usage);
          break;
        case 'message':
          model = toText(json.model);
          toList(json.content).forEach((block, at) => {
            startBlock(String(at), toObject(block));
            closeBlock(String(at));
          });
          readEnd(json, json.usage);
          break;
        default:
          if (json.error || event === 'error') throw toError(json);
      }
    },
    end(by) {
      if (ended) return;
      if (finish === '') throw unfinished(host, started > 0, by);
      ended = true;
      for (const index of blocks.keys()) closeBlock(index);
      const isPaused = finish === 'pause_turn' && calls.count === 0;
      const reason = isPaused ? 'pause' : toFinishReason(finish, calls.count > 0);
      calls.end(reason);
      if (container !== '' && finish === 'pause_turn')
        emit({ type: 'part', part: { type: 'provider', name: containerPart, data: { id: container } } });
      const input = toCount(usage.input_tokens);
      if (input !== undefined) {
        emit({
          type: 'usage',
          usage: {
            input,
            output: toCount(usage.output_tokens) ?? 0,
            ...defined({
              // On this wire the input count does not include the cache.
              cacheRead: toCount(usage.cache_read_input_tokens) || undefined,
              cacheWritten: toCount(usage.cache_creation_input_tokens) || undefined,
              reasoning: toCount(toObject(usage.output_tokens_details).thinking_tokens) || undefined,
            }),
          },
        });
      }
      emit({
        type: 'finish',
        reason,
        raw: finish,
        ...(model !== '' && { model }),
      });
    },
  };
}

function isFilled(value: Json | undefined): boolean {
  return isJsonObject(value) && Object.keys(value).length > 0;
}
