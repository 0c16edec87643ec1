import { fail } from '../../core/error.ts';
import type { Json } from '../../core/json.ts';
import type { Message, Part, ToolPart } from '../../core/model/message.ts';
import { named } from '../../core/model/shapes/named.ts';
import { closeBlocks } from './close-blocks.ts';

/** Options of `toMarkdown`, all optional. */
export interface MarkdownOptions {
  /** How a call of a tool is written: with its input and result (`full`, the default), in one line (`line`), or not at all (`none`). */
  readonly calls?: 'full' | 'line' | 'none';
  /** Whether the reasoning of the model is included. Default true. */
  readonly reasoning?: boolean;
  /** Words in the place of the English ones. */
  readonly words?: Partial<MarkdownWords>;
}

/** What `toMarkdown` writes beside the texts of the messages: plain text, in which Markdown's characters are escaped. */
export interface MarkdownWords {
  /** The heading of a conversation without a title. */
  readonly untitled: string;
  /** The headings of the messages. */
  readonly system: string;
  readonly user: string;
  readonly assistant: string;
  readonly reasoning: string;
  /** Beside the time of a reply that was interrupted. */
  readonly interrupted: string;
  /** The title of a tool, by its name. Default: the name. */
  readonly tool: (name: string) => string;
  /** The state of a call. Default: the name of the state. */
  readonly status: (status: ToolPart['status']) => string;
}

const english: MarkdownWords = {
  untitled: 'Conversation',
  system: 'Instructions',
  user: 'User',
  assistant: 'Assistant',
  reasoning: 'Reasoning',
  interrupted: 'interrupted',
  tool: (name) => name,
  status: (status) => status,
};

type Settings = Required<Omit<MarkdownOptions, 'words'>> & { readonly words: MarkdownWords };

const forms: readonly unknown[] = ['full', 'line', 'none'];

/**
 * Returns a conversation as Markdown, for people to read. It cannot be imported; `exportSession` returns a file that can. The replies of one answer
 * are one section: a text that was cut off and continued is whole. No text of a message ends the section of another: what it leaves open is closed.
 *
 *     const text = toMarkdown(session.getState(), { calls: 'line', reasoning: false });
 *
 * @throws AgentError `INVALID_CONFIG` for an unknown option
 */
export function toMarkdown(
  { title, messages }: { readonly title: string; readonly messages: readonly Message[] },
  options: MarkdownOptions = {},
): string {
  const settings = toSettings(options);
  const sections = toSections(messages).flatMap((replies) => sectionOf(replies, settings));
  return [`# ${inline(title) || inline(settings.words.untitled)}`, ...sections].join('\n\n') + '\n';
}

function toSettings(options: MarkdownOptions): Settings {
  const {
    calls = 'full',
    reasoning = true,
    words,
  } = named(options, { calls: true, reasoning: true, words: true }, 'toMarkdown');
  if (!forms.includes(calls))
    fail('INVALID_CONFIG', `\`calls\` must be "full", "line" or "none", not ${JSON.stringify(calls)}.`);
  return { calls, reasoning, words: { ...english, ...words } };
}

/** Returns the messages by section: the replies of one answer are together. */
function toSections(messages: readonly Message[]): readonly (readonly Message[])[] {
  const sections: Message[][] = [];
  for (const message of messages) {
    const last = sections.at(-1);
    if (last !== undefined && message.role === 'assistant' && last[0]?.role === 'assistant') last.push(message);
    else sections.push([message]);
  }
  return sections;
}

function sectionOf(replies: readonly Message[], settings: Settings): readonly string[] {
  const [first] = replies;
  if (first === undefined) return [];
  const { words } = settings;
  const models = new Set(replies.flatMap(({ model }) => (model === undefined ? [] : [inline(model)])));
  const notes = [
    timeOf(first.timestamp),
    ...models,
    ...(replies.at(-1)?.status === 'interrupted' ? [inline(words.interrupted)] : []),
  ].filter((note) => note !== '');
  const blocks = joined(replies).flatMap((part) => toBlocks(part, settings));
  return [`## ${headingOf(first.role, words)}`, ...(notes.length > 0 ? [`*${notes.join(' · ')}*`] : []), ...blocks];
}

/** A damaged row may have a role that no message has. */
function headingOf(role: string, { system, user, assistant }: MarkdownWords): string {
  const headings: Readonly<Record<string, string>> = { system, user, assistant };
  return inline(headings[role] ?? role);
}

/** Returns the parts of an answer. The text of a reply that was cut off continues with that of the next. */
function joined(replies: readonly Message[]): readonly Part[] {
  const parts: Part[] = [];
  let wasCut = false;
  for (const { content, status } of replies) {
    const [next, ...rest] = content;
    const last = parts.at(-1);
    if (wasCut && last?.type === 'text' && next?.type === 'text')
      parts.splice(-1, 1, { ...last, text: last.text + next.text }, ...rest);
    else parts.push(...content);
    wasCut = status === 'interrupted';
  }
  return parts;
}

function toBlocks(part: Part, { calls, reasoning, words }: Settings): readonly string[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [closeBlocks(part.text.trim())];
    case 'reasoning':
      return !reasoning || part.text.trim() === ''
        ? []
        : [quoted(`*${inline(words.reasoning)}*\n\n${part.text.trim()}`)];
    case 'image':
    case 'audio':
    case 'file': {
      const label = inline(part.name ?? part.type);
      return [part.url === undefined ? `*${label} (${inline(part.mediaType)})*` : `[${label}](<${linkTo(part.url)}>)`];
    }
    case 'source':
      return [`[${inline(part.title ?? part.url)}](<${linkTo(part.url)}>)`];
    case 'provider':
      // Names with a dot are of this package, or only for the next request.
      return calls === 'full' ? [`*${inline(part.name)}*`] : [];
    case 'tool':
      return calls === 'none' ? [] : toolBlocks(part, words, calls === 'full');
  }
}

function toolBlocks(call: ToolPart, words: MarkdownWords, isFull: boolean): readonly string[] {
  const { name, status, input, editedInput, inputText, output, summary, approval } = call;
  const reason = approval?.reason === undefined ? '' : `: ${inline(approval.reason)}`;
  const state = `${inline(words.status(status))}${reason}`;
  const heading = `**${inline(words.tool(name))}** — ${state}${summary === undefined ? '' : ` — ${inline(summary)}`}`;
  if (!isFull) return [heading];
  const asked = editedInput ?? input;
  return [
    heading,
    ...(asked !== undefined || inputText !== ''
      ? [fenced(asked === undefined ? inputText : pretty(asked), 'json')]
      : []),
    ...(output === undefined ? [] : [typeof output === 'string' ? fenced(output, '') : fenced(pretty(output), 'json')]),
  ];
}

/** A code block whose fence is longer than any run of backticks in the text, so that the text cannot end the block. */
function fenced(text: string, language: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function quoted(text: string): string {
  return text.replaceAll(/^/gm, '> ');
}

/** One line of plain text, with Markdown's characters escaped. */
function inline(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>#|]/g, String.raw`\$&`);
}

function linkTo(url: string): string {
  return url.replaceAll(/[<>\s]/g, encodeURIComponent);
}

function pretty(value: Json | readonly Part[]): string {
  return JSON.stringify(value, undefined, 2);
}

function timeOf(timestamp: number): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 16).replace('T', ' ') + ' UTC';
}
