import type { Json } from '../../core/json.ts';
import type { Message, Part, ToolPart } from '../../core/model/message.ts';

/** Returns a conversation as Markdown, for people to read. It cannot be imported; `exportSession` returns a file that can. */
export function toMarkdown({
  title,
  messages,
}: {
  readonly title: string;
  readonly messages: readonly Message[];
}): string {
  return [`# ${inline(title) || 'Conversation'}`, ...messages.flatMap(toSection)].join('\n\n') + '\n';
}

const names: Readonly<Record<Message['role'], string>> = {
  system: 'Instructions',
  user: 'User',
  assistant: 'Assistant',
};

function toSection({ role, content, timestamp, status, model }: Message): readonly string[] {
  const notes = [
    timeOf(timestamp),
    ...(model === undefined ? [] : [inline(model)]),
    ...(status === 'interrupted' ? ['interrupted'] : []),
  ];
  return [`## ${names[role]}`, `*${notes.join(' · ')}*`, ...content.flatMap(toBlocks)];
}

function toBlocks(part: Part): readonly string[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [part.text.trim()];
    case 'reasoning':
      return part.text.trim() === '' ? [] : [quoted(`*Reasoning*\n\n${part.text.trim()}`)];
    case 'image':
    case 'audio':
    case 'file': {
      const label = inline(part.name ?? part.type);
      return [part.url === undefined ? `*${label} (${inline(part.mediaType)})*` : `[${label}](<${linkTo(part.url)}>)`];
    }
    case 'source':
      return [`[${inline(part.title ?? part.url)}](<${linkTo(part.url)}>)`];
    case 'provider':
      return [`*${inline(part.name)}*`];
    case 'tool':
      return toolBlocks(part);
  }
}

function toolBlocks({
  name,
  status,
  input,
  editedInput,
  inputText,
  output,
  summary,
  approval,
}: ToolPart): readonly string[] {
  const reason = approval?.reason === undefined ? '' : `: ${inline(approval.reason)}`;
  const heading = `**${inline(name)}** — ${status}${reason}${summary === undefined ? '' : ` — ${inline(summary)}`}`;
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
