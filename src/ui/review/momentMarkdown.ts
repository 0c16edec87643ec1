import { extractTextContent, type Message, toolParts } from '../../core/model/index.ts';
import type { Annotation, ReviewStep, ReviewView } from '../../review/index.ts';
import { type ReviewTexts, wordFor } from './reviewTexts.ts';

/** A moment of a session, for a text about it. */
export interface MomentParts {
  readonly view: ReviewView;
  readonly step: ReviewStep | undefined;
  /** All notes on the session. */
  readonly notes?: readonly Annotation[];
}

/** Returns a moment as Markdown, for an issue or a chat: where it is, the notes on it, the last turn, the step and the event. */
export function momentMarkdown({ view, step, notes = [] }: MomentParts, words: ReviewTexts): string {
  const { state, seq, at, event } = view;
  const start = state.messages.findLastIndex(({ role }) => role === 'user');
  return [
    `## ${words.markdown.title(state.title || words.board.untitled, seq)}`,
    words.markdown.place(toISO(at), `\`${state.id}\``),
    ...notes.filter((note) => note.seq === seq).map(noteMarkdown),
    ...state.messages.slice(Math.max(0, start)).map((message) => messageMarkdown(message, words)),
    ...(step ? [stepMarkdown(step, words)] : []),
    ...(event ? [fenced(JSON.stringify(event, null, 2))] : []),
  ].join('\n\n');
}

function noteMarkdown({ text, userName }: Annotation): string {
  return `> ${userName === undefined ? '' : `**${userName}:** `}${text.replaceAll('\n', '\n> ')}`;
}

function messageMarkdown(message: Message, { statuses }: ReviewTexts): string {
  const calls = toolParts(message).map(
    ({ name, inputText, status }) => `- \`${name}\` ${wordFor(statuses, status)}: \`${inputText}\``,
  );
  return [`**${message.role}:** ${extractTextContent(message)}`, ...calls].join('\n');
}

function stepMarkdown({ index, model, usage, error }: ReviewStep, words: ReviewTexts): string {
  const facts = [
    model,
    usage && words.markdown.tokens(usage.input, usage.output),
    error && `${error.code}: ${error.message}`,
  ].filter((fact) => fact !== undefined);
  return `${words.markdown.step(index + 1)}${facts.join('; ')}`;
}

/** Returns a block of code. The fence is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/gu), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}json\n${text}\n${fence}`;
}

/** A forged log may have a time that no calendar has. */
function toISO(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString();
}
