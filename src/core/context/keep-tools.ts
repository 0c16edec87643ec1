import { resultText } from '../model/tool-result.ts';
import { toolParts } from '../model/message.ts';
import { referenceOf, shorten } from './cap.ts';
import type { CompactionStrategy } from './strategy.ts';

/** Maximum tokens of a call's input, and of its result. */
const perText = 60;

/** Keeps one line for each tool call and drops all other text, without a model request. Beyond `maxTokens` the oldest lines are dropped. */
export const keepTools: CompactionStrategy = {
  name: 'keepTools',
  compress({ messages, start, earlier = '', maxTokens, count }) {
    const brief = (text: string, reference: string): string => {
      const tokens = count(text);
      const short = tokens <= perText ? text : shorten(text, perText / tokens, tokens, reference);
      return short.replace(/\s+/g, ' ').trim();
    };
    const lines = messages.flatMap((message, offset) => {
      const reference = referenceOf(start + offset);
      return toolParts(message).map(
        (call) =>
          `${reference} ${call.name}(${brief(call.inputText, reference)}) → ${call.status}: ${brief(resultText(call), reference)}`,
      );
    });
    const all = [...earlier.split('\n').filter((line) => /^m\d+ /.test(line)), ...lines];
    let room = maxTokens;
    const from = all.findLastIndex((line) => (room -= count(line) + 1) < 0) + 1;
    const kept = all.slice(from);
    return kept.length === 0 ? '(No tools were called.)' : ['Tools called so far:', ...kept].join('\n');
  },
};
