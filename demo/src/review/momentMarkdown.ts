import { extractTextContent, type Message, toolParts } from 'brooklet';
import type { Annotation, ReviewStep, ReviewView } from 'brooklet/review';

/** A moment of a session, for a text about it. */
export interface MomentParts {
  readonly view: ReviewView;
  readonly step: ReviewStep | undefined;
  /** All notes on the session. */
  readonly notes?: readonly Annotation[];
}

/** Returns a moment as Markdown, for an issue or a chat: where it is, the notes on it, the last turn, the step and the event. */
export function momentMarkdown({ view, step, notes = [] }: MomentParts): string {
  const { state, seq, at, event } = view;
  const start = state.messages.findLastIndex(({ role }) => role === 'user');
  return [
    `## ${state.title || 'Untitled'}, event ${seq}`,
    `${new Date(at).toISOString()}, session \`${state.id}\``,
    ...notes.filter((note) => note.seq === seq).map(noteMarkdown),
    ...state.messages.slice(Math.max(0, start)).map(messageMarkdown),
    ...(step ? [stepMarkdown(step)] : []),
    ...(event ? [fenced(JSON.stringify(event, null, 2))] : []),
  ].join('\n\n');
}

function noteMarkdown({ text, userName }: Annotation): string {
  return `> ${userName === undefined ? '' : `**${userName}:** `}${text.replaceAll('\n', '\n> ')}`;
}

function messageMarkdown(message: Message): string {
  const calls = toolParts(message).map(({ name, inputText, status }) => `- \`${name}\` ${status}: \`${inputText}\``);
  return [`**${message.role}:** ${extractTextContent(message)}`, ...calls].join('\n');
}

function stepMarkdown({ index, model, usage, error }: ReviewStep): string {
  const facts = [
    model,
    usage && `${usage.input} tokens in, ${usage.output} out`,
    error && `${error.code}: ${error.message}`,
  ].filter((fact) => fact !== undefined);
  return `Step ${index + 1}: ${facts.join('; ')}`;
}

/** Returns a block of code. The fence is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/gu), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}json\n${text}\n${fence}`;
}
