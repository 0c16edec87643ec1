import type { SessionEvent } from '../core/model/event.ts';
import { extractTextContent, type Message, type Part } from '../core/model/message.ts';
import { type EventKind, kindOf } from './kind.ts';
import { outputText } from './output-text.ts';

/** A place in the log where the searched text occurs. */
export interface ReviewMatch {
  /** `seq` of the event; of a text that streamed in several events, the one in which the match ends. */
  readonly seq: number;
  /** ms since the epoch. */
  readonly at: number;
  readonly kind: EventKind;
  /** The match with the text around it, in one line. */
  readonly excerpt: string;
  /** Position of the match in `excerpt`. */
  readonly start: number;
  readonly length: number;
}

/** Options of `Review.search`. */
export interface SearchOptions {
  /** Only events of these kinds. Default: all. */
  readonly kinds?: readonly EventKind[];
  /** Maximum number of matches. Default 200. */
  readonly limit?: number;
}

/** A searchable text. */
export interface Passage {
  readonly kind: EventKind;
  readonly text: string;
  /** Where each event of the text ends, in characters. */
  readonly ends: readonly { readonly end: number; readonly seq: number; readonly at: number }[];
}

/** Returns the texts of a log: what was said, asked and answered, the inputs and outputs of tools, instructions, summaries and errors. */
export function toPassages(events: readonly SessionEvent[]): readonly Passage[] {
  const passages: Passage[] = [];
  let growing: { type: string; pieces: string[]; length: number; ends: Passage['ends'][number][] } | undefined;

  function close(): void {
    if (growing) passages.push({ kind: 'answer', text: growing.pieces.join(''), ends: growing.ends });
    growing = undefined;
  }

  for (const event of events) {
    const { seq, at, type } = event;
    if (type === 'text.delta' || type === 'reasoning.delta') {
      if (growing?.type !== type) close();
      growing ??= { type, pieces: [], length: 0, ends: [] };
      growing.length += event.text.length;
      growing.pieces.push(event.text);
      growing.ends.push({ end: growing.length, seq, at });
      continue;
    }
    close();
    const text = textOf(event);
    if (text !== '') passages.push({ kind: kindOf(event), text, ends: [{ end: text.length, seq, at }] });
  }
  close();
  return passages;
}

/** Returns the first match in each passage, in any case. */
export function searchPassages(
  passages: readonly Passage[],
  query: string,
  { kinds, limit = 200 }: SearchOptions,
): readonly ReviewMatch[] {
  const wanted = query.trim();
  if (wanted === '') return [];
  const pattern = new RegExp(wanted.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), 'iu');
  const matches: ReviewMatch[] = [];
  for (const { kind, text, ends } of passages) {
    if (matches.length === limit) break;
    if (kinds && !kinds.includes(kind)) continue;
    const found = pattern.exec(text);
    if (!found) continue;
    const place = ends.find(({ end }) => end >= found.index + found[0].length) ?? ends.at(-1);
    if (place) matches.push({ seq: place.seq, at: place.at, kind, ...excerptOf(text, found.index, found[0].length) });
  }
  return matches;
}

/** Characters around a match. */
const around = 40;

function excerptOf(text: string, index: number, length: number): Pick<ReviewMatch, 'excerpt' | 'start' | 'length'> {
  const from = Math.max(0, index - around);
  const to = index + length + around;
  const lead = from > 0 ? '…' : '';
  const excerpt = `${lead}${text.slice(from, to)}${to < text.length ? '…' : ''}`.replaceAll(/\s/g, ' ');
  return { excerpt, start: index - from + lead.length, length };
}

/** Returns what a part of a whole message says: a message that came from another log has its reasoning and its calls, too. */
function partText(part: Part): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text;
  if (part.type !== 'tool') return '';
  return [`${part.name} ${part.inputText}`, outputText(part.output)].filter(Boolean).join('\n');
}

function textOf(event: SessionEvent): string {
  switch (event.type) {
    case 'message.added':
    case 'message.updated':
    case 'message.queued':
      return event.message.content.map(partText).filter(Boolean).join('\n');
    case 'instructions.changed':
      return event.messages.map((message: Message) => extractTextContent(message)).join('\n');
    case 'tools.changed':
      return event.tools.map(({ name, description }) => `${name}: ${description}`).join('\n');
    case 'call.requested':
      return `${event.name} ${event.inputText}`;
    case 'call.ended':
      return outputText(event.output);
    case 'approval.decided':
      return [event.reason, event.userName, outputText(event.answer)].join(' ').trim();
    case 'context.compacted':
      return event.summary ?? '';
    case 'session.renamed':
      return event.title;
    case 'run.ended':
    case 'reply.refused':
    case 'context.compaction-failed':
      return event.error ? `${event.error.code} ${event.error.message}` : '';
    default:
      return '';
  }
}
