import { referenceOf } from '../core/context/cap.ts';
import { toTranscript } from '../core/context/transcript.ts';
import type { Message } from '../core/model/message.ts';
import { defineTool, type Tool } from '../core/tools/tool.ts';
import { labelOf, optionalTextOf } from './input.ts';

/** Options of `recallTool`. */
export interface RecallToolOptions {
  /** The messages of a session: `(id) => agent.getSession(id)?.getMessages() ?? []`. */
  readonly messages: (sessionId: string) => readonly Message[];
  /** Characters that it gives at once. Default 6,000. */
  readonly pageSize?: number;
}

/** Messages that a search shows at most, and characters of each. */
const hits = 10;
const excerpt = 200;

/**
 * A tool, `recall`, that gives the model back what was folded or left out: a message by its reference (`m12`), a page at a time, or the
 * messages that contain some words.
 */
export function recallTool({ messages, pageSize = 6_000 }: RecallToolOptions): Tool {
  return defineTool({
    name: 'recall',
    description:
      'Gives an earlier message of this conversation in full, by its reference (m12, say), or finds those that contain all of some words.',
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
        return page(all, reference, typeof input.from === 'number' ? input.from : 0, pageSize);
      if (words !== undefined) return search(all, words);
      throw new Error('Say a reference, or words.');
    },
    present: (input, output) => ({
      summary: `Recalled ${optionalTextOf(input, 'reference') ?? `${labelOf(output, 'total')} messages with “${labelOf(input, 'words')}”`}`,
    }),
  });
}

function page(all: readonly Message[], reference: string, from: number, size: number): object {
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
    const at = Math.max(0, lower.indexOf(wanted[0] ?? '') - excerpt / 2);
    return [{ reference: referenceOf(index), excerpt: text.slice(at, at + excerpt) }];
  });
  return { found: found.slice(-hits).toReversed(), total: found.length };
}
