import type { JsonObject } from '../../../core/json.ts';
import type { LLMChunk } from '../../../core/model/llm.ts';
import { toObject, toText } from '../../../core/model/read-json.ts';
import { aiSdkWire, isFilled, mergeMetadata, type ReasoningBlock } from './opaque.ts';

type Kind = 'text' | 'reasoning';

/** The blocks of text and reasoning of one answer. */
export interface Blocks {
  start(kind: Kind, id: string, metadata: JsonObject): void;
  add(kind: Kind, id: string, text: string, metadata: JsonObject): void;
  stop(kind: Kind, id: string, metadata: JsonObject): void;
  /** Other content follows: the next piece of reasoning begins a part. */
  interrupt(): void;
  /** Ends all blocks that are still open. */
  end(): void;
}

interface Block {
  readonly id: string;
  metadata: JsonObject;
  chars: number;
  /** The text of a summary that the service made of the conversation, for itself; missing for any other block. */
  summary?: string;
}

/** Between blocks that the stream separates by their ids alone. */
const blankLine = '\n\n';

/**
 * Creates the blocks of one answer. Blocks of reasoning that are open at the same time become one part. Blocks of text continue each other
 * (a citation splits a sentence), unless the provider names an item for each: items are separated by a blank line.
 *
 * @param emitSummary emits a summary that the service made of the conversation, which is not a part of the answer
 */
export function createBlocks(emit: (chunk: LLMChunk) => void, emitSummary: (block: JsonObject) => void): Blocks {
  /** Blocks of reasoning of the part that is open; the metadata of all is emitted when none is open any more. */
  let thoughts: Block[] = [];
  const openThoughts = new Set<Block>();
  let text: Block | undefined;
  /** The last character of the answer, by kind; empty where the next piece begins a part. */
  const last = { text: '', reasoning: '' };
  /** The item of the newest block of text that has text. */
  let item: string | undefined;

  /** @param separates whether a blank line stands between the answer so far and the piece */
  function emitText(kind: Kind, piece: string, separates: boolean): string {
    if (piece === '') return '';
    const gap = separates && /\S/.test(last[kind]) && !piece.startsWith('\n') ? blankLine : '';
    last[kind] = piece.slice(-1);
    if (kind === 'text') last.reasoning = '';
    emit({ type: kind, text: gap + piece });
    return gap + piece;
  }

  function closeThoughts(): void {
    openThoughts.clear();
    const [first, ...others] = thoughts;
    thoughts = [];
    if (first === undefined) return;
    const list: readonly ReasoningBlock[] = [first, ...others].map(({ chars, metadata }) => ({ chars, metadata }));
    if (!list.some(({ metadata }) => isFilled(metadata))) return;
    const data = others.length === 0 ? { metadata: first.metadata } : { blocks: list };
    emit({ type: 'reasoning', text: '', provider: { [aiSdkWire]: { of: 'reasoning', ...data } } });
    last.reasoning = '';
  }

  function closeText(): void {
    if (text?.summary !== undefined) emitSummary({ text: text.summary, providerMetadata: text.metadata });
    else if (text !== undefined && isFilled(text.metadata))
      emit({ type: 'reasoning', text: '', provider: { [aiSdkWire]: { of: 'text', metadata: text.metadata } } });
    text = undefined;
  }

  function startThought(id: string, metadata: JsonObject): Block {
    const block: Block = { id, metadata, chars: 0 };
    thoughts.push(block);
    openThoughts.add(block);
    return block;
  }

  function startText(id: string, metadata: JsonObject): Block {
    closeText();
    text = { id, metadata, chars: 0, ...(isSummary(metadata) && { summary: '' }) };
    return text;
  }

  function blockOf(kind: Kind, id: string): Block {
    if (kind === 'text') return text ?? startText(id, {});
    return thoughts.findLast((one) => one.id === id && openThoughts.has(one)) ?? startThought(id, {});
  }

  return {
    start(kind, id, metadata) {
      if (kind === 'text') startText(id, metadata);
      else startThought(id, metadata);
    },
    add(kind, id, piece, metadata) {
      const block = blockOf(kind, id);
      block.metadata = mergeMetadata(block.metadata, metadata);
      if (block.summary !== undefined) {
        block.summary += piece;
        return;
      }
      const itsItem = itemOf(block.metadata);
      // Blocks that are open at once begin one by one.
      const isNew = block.chars === 0;
      const separates = isNew && (kind === 'reasoning' || (itsItem !== undefined && itsItem !== item));
      block.chars += emitText(kind, piece, separates).length;
      if (kind === 'text' && piece !== '') item = itsItem;
    },
    stop(kind, id, metadata) {
      const block = blockOf(kind, id);
      block.metadata = mergeMetadata(block.metadata, metadata);
      if (kind === 'text') return closeText();
      openThoughts.delete(block);
      if (openThoughts.size === 0) closeThoughts();
    },
    interrupt() {
      last.reasoning = '';
    },
    end() {
      closeText();
      closeThoughts();
    },
  };
}

/** Returns the item of the service that a block is, if its provider names one (OpenAI's Responses). */
function itemOf(metadata: JsonObject): string | undefined {
  return Object.values(metadata)
    .map((values) => toText(toObject(values).itemId))
    .find((id) => id !== '');
}

/** Whether a block of text is Anthropic's compaction. */
function isSummary(metadata: JsonObject): boolean {
  return toObject(metadata.anthropic).type === 'compaction';
}
