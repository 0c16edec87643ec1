import { defined, type Json, type JsonObject, isJsonObject, parseJson } from '../../../core/json.ts';
import { anthropicWire, containerPart } from './request.ts';
import { createCallAssembler } from '../../transport/call-assembler.ts';
import { emitCitation } from '../../transport/citation.ts';
import { isFailure, toFailure, toFinishReason } from '../../transport/finish-reason.ts';
import { toCount, toList, toObject, toPiece, toText, toWord } from '../../../core/model/read-json.ts';
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
 *
 * A block is its index; where a proxy states none, or one that is not open, a delta belongs to the newest open block of its type. A block
 * that starts again with the id of the open one is the same block. Content that only the start of the message has counts.
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
  /** The message of `message_start`: the whole answer where it has content and nothing else follows. */
  let early: JsonObject = {};
  /** Whether the newest thing in the answer is reasoning to which more can be added. */
  let isThinking = false;
  /** Precedes the next piece of reasoning. */
  let gap = '';

  function startBlock(index: string, start: JsonObject): OpenBlock {
    const open = blocks.get(index);
    if (open && toText(start.id) !== '' && start.id === open.start.id) return open;
    closeBlock(index);
    // The wire separates blocks by their index alone. Blocks of text continue each other: a citation splits a sentence.
    if (start.type === 'thinking' && isThinking) gap = blankLine;
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

  /** Returns the block of a delta. */
  function blockOf(index: string, delta: JsonObject): OpenBlock {
    const type = typeOfDelta(delta);
    const open = blocks.get(index) ?? [...blocks.values()].findLast(({ start }) => type.test(toText(start.type)));
    return open ?? startBlock(index, { type: delta.thinking === undefined ? 'text' : 'thinking' });
  }

  function readDelta(index: string, delta: JsonObject): void {
    const block = blockOf(index, delta);
    emitText('text', delta.text);
    emitText('reasoning', delta.thinking);
    emitCitation(emit, delta.citation);
    block.signature += toText(delta.signature);
    const piece = toPiece(delta.partial_json) || toText(delta.content);
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

  function emitText(type: 'text' | 'reasoning', value: Json | undefined): void {
    const text = toPiece(value);
    if (text === '') return;
    emit({ type, text: type === 'reasoning' ? gap + text : text });
    isThinking = type === 'reasoning';
    gap = '';
  }

  /** Emits the opaque data of a thinking block, to be sent back with the next request. */
  function emitOpaque(data: JsonObject): void {
    emit({ type: 'reasoning', text: '', provider: { [anthropicWire]: data } });
    isThinking = false;
  }

  function readBlocks(content: readonly Json[]): void {
    for (const [at, block] of content.entries()) {
      startBlock(`whole ${at}`, toObject(block));
      closeBlock(`whole ${at}`);
    }
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
      const index = toWord(json.index);
      switch (toText(json.type)) {
        case 'message_start':
          finish = '';
          model ||= toText(toObject(json.message).model);
          early = toObject(json.message);
          readEnd({ container: toObject(json.message).container }, toObject(json.message).usage);
          break;
        case 'content_block_start':
          startBlock(index, toObject(json.content_block));
          break;
        case 'content_block_delta':
          readDelta(index, toObject(json.delta));
          break;
        case 'content_block_stop':
          closeBlock(index === '' ? ([...blocks.keys()].at(-1) ?? '') : index);
          break;
        case 'message_delta':
          readEnd(toObject(json.delta), json.usage);
          break;
        case 'message':
          model = toText(json.model);
          readBlocks(toList(json.content));
          readEnd(json, json.usage);
          break;
        default:
          if (json.error || event === 'error') throw toError(json);
      }
    },
    end(by) {
      if (ended) return;
      const whole = started === 0 ? toList(early.content) : [];
      if (whole.length > 0) finish ||= toText(early.stop_reason);
      if (finish === '') throw unfinished(host, started > 0, by);
      ended = true;
      if (isFailure(finish)) throw toError(toFailure(finish));
      for (const index of blocks.keys()) closeBlock(index);
      readBlocks(whole);
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

const blankLine = '\n\n';

/** Returns the pattern of the types of blocks that a delta fits. */
function typeOfDelta({ text, thinking, signature, partial_json }: JsonObject): RegExp {
  if (partial_json !== undefined) return /tool_use$/;
  if (thinking !== undefined || signature !== undefined) return /^thinking$/;
  return text === undefined ? /./ : /^text$/;
}
