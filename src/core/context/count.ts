import type { ToolSpec } from '../model/settings.ts';
import { isMedia, resultMedia, resultText } from '../model/tool-result.ts';
import type { MediaPart, Message, Part } from '../model/message.ts';
import { createAskedCounts, handled } from './ask-count.ts';
import { estimateMedia } from './media.ts';
import { estimateText } from './tokens.ts';

export interface CountOptions {
  /** An exact tokenizer, where there is one. Default: `estimateText`. */
  readonly countTokens?: ((text: string) => number | Promise<number>) | undefined;
  /** Default: `estimateMedia`. */
  readonly mediaTokens?: ((part: MediaPart) => number | Promise<number>) | undefined;
}

/**
 * Counts the tokens of the parts of a request. A count is cached by the identity of its message or tool list. Where a function of the page
 * is async, a count is an estimate until `counting()` has resolved.
 */
export interface Counter {
  /** Resolves when the exact counts of all that was counted so far are known; `undefined` where they are. */
  counting(): Promise<unknown> | undefined;
  text(text: string): number;
  message(message: Message): number;
  messages(messages: readonly Message[]): number;
  tools(tools: readonly ToolSpec[]): number;
}

/** Tokens that a wire format adds around a message, or around a call and its result: role, ids, brackets. */
const aroundMessage = 4;
const aroundCall = 12;

export function createCounter(options: CountOptions = {}): Counter {
  const texts = createAskedCounts('countTokens', options.countTokens ?? estimateText, estimateText);
  const media = createAskedCounts('mediaTokens', options.mediaTokens ?? estimateMedia, estimateMedia);
  const countTokens = (text: string): number => texts.of(text, text);
  const mediaTokens = (part: MediaPart): number =>
    media.of(part, `${part.type} ${part.mediaType} ${part.url ?? part.data}`);
  const estimates = (): number => texts.estimates() + media.estimates();
  const known = new WeakMap<Message, number>();
  const knownTools = new WeakMap<readonly ToolSpec[], number>();

  function part(of: Part, hasCalls: boolean): number {
    switch (of.type) {
      case 'text':
        return countTokens(of.text);
      case 'reasoning':
        // Reasoning is sent back only with provider data or with the calls of its message: see the wire formats.
        return hasCalls || of.provider !== undefined ? countTokens(of.text) : 0;
      case 'image':
      case 'audio':
      case 'file':
        return mediaTokens(of);
      case 'source':
        return 0;
      case 'provider':
        return countTokens(JSON.stringify(of.data));
      case 'tool':
        return (
          aroundCall +
          countTokens(of.name) +
          countTokens(of.inputText) +
          countTokens(resultText(of)) +
          resultMedia(of)
            .filter(isMedia)
            .reduce((sum, media) => sum + mediaTokens(media), 0)
        );
    }
  }

  function message(of: Message): number {
    const before = known.get(of);
    if (before !== undefined) return before;
    const guessed = estimates();
    const hasCalls = of.content.some(({ type }) => type === 'tool');
    const tokens = of.content.reduce((sum, one) => sum + part(one, hasCalls), aroundMessage);
    if (estimates() === guessed) known.set(of, tokens);
    return tokens;
  }

  function tools(specs: readonly ToolSpec[]): number {
    const before = knownTools.get(specs);
    if (before !== undefined) return before;
    const guessed = estimates();
    const tokens = specs.length === 0 ? 0 : aroundMessage + countTokens(JSON.stringify(specs));
    if (estimates() === guessed) knownTools.set(specs, tokens);
    return tokens;
  }

  return {
    counting() {
      const all = [texts.counting(), media.counting()].filter((one) => one !== undefined);
      return all.length === 0 ? undefined : handled(Promise.all(all));
    },
    text: countTokens,
    message,
    messages: (list) => list.reduce((sum, one) => sum + message(one), 0),
    tools,
  };
}
