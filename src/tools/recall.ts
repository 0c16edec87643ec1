import { named } from '../core/model/shapes/named.ts';
import { referenceOf } from '../core/context/cap.ts';
import { toTranscript } from '../core/context/transcript.ts';
import type { Message } from '../core/model/message.ts';
import { defineTool } from '../core/tools/define-tool.ts';
import { type Tool } from '../core/tools/tool.ts';
import { labelOf, optionalTextOf } from './input.ts';
import { mark } from './trust/mark.ts';

/** Options of `recallTool`. */
export interface RecallToolOptions {
  /** Returns the messages of a session: `(id) => agent.getSession(id)?.getMessages() ?? []`. */
  readonly messages: (sessionId: string) => readonly Message[];
  /** Maximum number of characters in one result. Default: 6,000. */
  readonly pageSize?: number;
}

/** Maximum number of messages in a search result. */
const maxHits = 10;
/** Characters. */
const excerptLength = 200;

/**
 * A tool, `recall`, with which the model reads messages that were compacted or left out of the request: one message by its
 * reference (`m12`), in pages, or excerpts of the newest 10 messages that contain all given words.
 */
export function recallTool(options: RecallToolOptions): Tool {
  const { messages, pageSize = 6_000 } = named(options, { messages: true, pageSize: true }, 'recallTool');
  const tool = defineTool({
    name: 'recall',
    description:
      'Returns an earlier message of this conversation in full, by its reference (for example m12), or finds the messages that contain all the given words.',
    input: {
      type: 'object',
      properties: {
        reference: { type: 'string', description: 'm and the number of the message, e.g. m12.' },
        from: { type: 'integer', minimum: 0, description: 'Character to begin at, for long ones. Default 0.' },
        words: { type: 'string', minLength: 1, maxLength: 200, description: 'Instead of a reference.' },
      },
      additionalProperties: false,
    },
    execute(input, { sessionId }) {
      const all = messages(sessionId);
      const words = optionalTextOf(input, 'words');
      const reference = optionalTextOf(input, 'reference');
      if (reference !== undefined)
        return readPage(all, reference, typeof input.from === 'number' ? input.from : 0, pageSize);
      if (words !== undefined) return search(all, words);
      throw new Error('Pass `reference` or `words`.');
    },
    present: (input, output) => ({
      summary: `Recalled ${optionalTextOf(input, 'reference') ?? `${labelOf(output, 'total')} messages with “${labelOf(input, 'words')}”`}`,
    }),
  });
  return mark(tool, { trusted: true, harmless: true });
}

function readPage(all: readonly Message[], reference: string, from: number, size: number): object {
  const index = /^\[?m\d+\]?$/.test(reference) ? Number(reference.replace(/\D/g, '')) - 1 : -1;
  const message = all[index];
  if (message === undefined) throw new Error(`There is no message ${reference}: they are m1 to m${all.length}.`);
  const text = toTranscript(message, referenceOf(index));
  const end = from + size;
  return { text: text.slice(from, end), length: text.length, ...(end < text.length && { nextFrom: end }) };
}

function search(all: readonly Message[], words: string): object {
  const wanted = words.toLowerCase().split(/\s+/u).filter(Boolean);
  const found = all.flatMap((message, index) => {
    const text = toTranscript(message, referenceOf(index));
    const lower = text.toLowerCase();
    if (!wanted.every((word) => lower.includes(word))) return [];
    const start = Math.max(0, lower.indexOf(wanted[0] ?? '') - excerptLength / 2);
    return [{ reference: referenceOf(index), excerpt: text.slice(start, start + excerptLength) }];
  });
  return { found: found.slice(-maxHits).toReversed(), total: found.length };
}
