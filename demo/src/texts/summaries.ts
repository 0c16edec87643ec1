import type { ToolPart } from 'brooklet';
import { isJsonObject } from 'brooklet/core';
import { textIn } from '../base/json.ts';
import type { Texts } from './en/en.ts';

/**
 * Returns the result of a call of one of the page's own tools in a line, in the language of the page: the log has the line of the tool, which is
 * English. `undefined` for any other call.
 */
function summaryIn({ locale, toolSummaries: words }: Texts, call: ToolPart): string | undefined {
  const { name, output, status } = call;
  const input = call.editedInput ?? call.input;
  // English is what the tools themselves say.
  if (status !== 'succeeded' || locale === 'en') return undefined;
  const count = (field: string): string => Number(textIn(output, field)).toLocaleString(locale);
  switch (name) {
    case 'current_time':
      return words.time(
        weekdayOf(textIn(output, 'date'), locale),
        `${textIn(output, 'date')} ${textIn(output, 'time')}`,
        textIn(output, 'timeZone'),
      );
    case 'add_note':
      return words.noteAdded(textIn(output, 'id'));
    case 'list_notes':
      return words.notes(count('total'));
    case 'search_notes':
      return words.notesFound(count('total'), textIn(input, 'words'));
    case 'delete_note':
      return words.noteDeleted(textIn(input, 'id'));
    case 'list_files':
      return Array.isArray(output) ? words.files(output.length) : undefined;
    case 'count_primes':
      return words.primes(count('primes'), count('below'));
    case 'draw_brook':
      return words.brook(textIn(input, 'waves'));
    case 'ask_user':
      return words.answered(typeof output === 'string' ? output : '');
    case 'run_javascript':
      return words.result(JSON.stringify(isJsonObject(output) ? (output['result'] ?? null) : null));
    default:
      return undefined;
  }
}

function weekdayOf(date: string, locale: string): string {
  const day = new Date(`${date}T12:00:00Z`);
  return Number.isNaN(day.getTime())
    ? ''
    : new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(day);
}

/** Returns a call with its result in the language of the page. */
export function withSummary(call: ToolPart, texts: Texts): ToolPart {
  const summary = summaryIn(texts, call);
  return summary === undefined ? call : { ...call, summary };
}
