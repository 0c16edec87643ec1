import type { Texts } from './en/en.ts';
import { textFor } from './textFor.ts';

/**
 * Returns what a tool does, as a person would say it: `add_note` becomes “Add a note”, an unknown `pay_bill` “Pay bill”, and `bank__pay_bill` of
 * a server, too.
 */
export function titleOf({ toolTitles, tool }: Pick<Texts, 'toolTitles' | 'tool'>, name: string): string {
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
