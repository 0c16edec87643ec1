import type { JsonObject } from 'brooklet';
import { textIn } from '../json.ts';
import type { Texts } from '../texts/en/en.ts';
import { textFor } from '../texts/textFor.ts';

/**
 * Returns what a tool does, as a person would say it: `add_note` becomes “Add a note”, an unknown `pay_bill` “Pay bill”, and `bank__pay_bill` of
 * a server, too.
 */
export function titleOf({ toolTitles, tool }: Texts, name: string): string {
  const title = textFor(toolTitles, name);
  if (title !== undefined) return title;
  const words = name
    .slice(name.indexOf('__') + 1)
    // The hash in the name of a tool whose own name providers would refuse.
    .replace(/___\w+$/u, '')
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})|[_-]+/gu, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? tool.unknown : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Fields that name what a call is about, the most telling first. */
const telling = [
  'text',
  'question',
  'expression',
  'begins',
  'path',
  'query',
  'timeZone',
  'url',
  'title',
  'name',
  'below',
];

/** Returns what a call is about, in one line; empty if its input does not tell. */
export function subjectOf(input: JsonObject | undefined): string {
  const subject = telling.map((name) => textIn(input, name)).find((text) => text !== '');
  return (subject ?? '').replaceAll(/\s+/gu, ' ').slice(0, 120);
}
