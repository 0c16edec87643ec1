import type { ToolPart } from 'brooklet';
import { isJsonObject } from 'brooklet/core';
import { textIn } from '../base/json.ts';
import type { Failure, Intent } from './intents.ts';
import { notesOf, toList } from './notes.ts';
import { findSucceeded, walkAnswer } from './plannedCalls.ts';
import type { OfflineWords } from './words.ts';

/** Describes a finished call in a sentence; empty for a call that is not finished. */
export function describeCall(call: ToolPart, words: OfflineWords): string {
  const { calls } = words;
  const { name } = call;
  switch (call.status) {
    case 'succeeded':
      return describeResult(call, words);
    case 'rejected':
      return calls.rejected(name, call.approval?.reason ?? '');
    case 'expired':
      return calls.expired(name);
    case 'cancelled':
      return calls.cancelled(name);
    case 'uncertain':
      return calls.uncertain(name);
    case 'failed':
    case 'timed-out':
    case 'invalid':
      return calls.failed(name, outputText(call));
    case 'streaming':
    case 'requested':
    case 'awaiting-approval':
    case 'approved':
    case 'edited':
    case 'started':
      return '';
  }
}

function describeResult(call: ToolPart, words: OfflineWords): string {
  const { calls, locale } = words;
  const input = call.editedInput ?? call.input ?? {};
  const { output } = call;
  const count = (field: string): string => Number(textIn(output, field)).toLocaleString(locale);
  switch (call.name) {
    case 'current_time':
      return calls.time(
        textIn(output, 'time').slice(0, 5),
        weekdayIn(textIn(output, 'weekday'), textIn(output, 'date'), locale),
        textIn(output, 'date'),
        textIn(output, 'timeZone'),
      );
    case 'calculate':
      return calls.result(textIn(input, 'expression'), textIn(output, 'result'));
    case 'list_notes': {
      const notes = notesOf(call);
      return notes.length === 0 ? calls.noNotes : calls.notes(toList(notes, words));
    }
    case 'add_note':
      return calls.saved(textIn(input, 'text'), call.editedInput !== undefined);
    case 'delete_note': {
      const gone = isJsonObject(output) ? output['deleted'] : undefined;
      return calls.deleted(textIn(gone, 'text') || textIn(input, 'id'));
    }
    case 'list_files':
      return Array.isArray(output) ? calls.files(output.length) : '';
    case 'edit_file':
      return calls.fixed(textIn(input, 'path'));
    case 'count_primes':
      return calls.primes(count('primes'), count('below'));
    case 'ask_researcher':
      return calls.researched(textIn(input, 'task'), outputText(call));
    case 'draw_brook':
      return calls.drawn;
    case 'run_javascript':
      return calls.ran(JSON.stringify(isJsonObject(output) ? output['result'] : null));
    case 'ask_user':
    case 'read_file':
      return '';
    default:
      return calls.returned(call.name, outputText(call));
  }
}

/** Returns the weekday of a date in a language; the tool's own, which is English, where it cannot be read. */
function weekdayIn(english: string, date: string, locale: string): string {
  const day = new Date(`${date}T12:00:00Z`);
  if (locale === 'en' || Number.isNaN(day.getTime())) return english;
  return new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(day);
}

/** Returns the texts that answer an intent, in addition to the descriptions of the calls. */
export function answerTo(intent: Intent, made: readonly ToolPart[], words: OfflineWords): readonly string[] {
  const { calls } = words;
  switch (intent.type) {
    case 'long':
      return [words.story];
    case 'formatting':
      return [words.formatting];
    case 'diagram':
      return [words.diagram];
    case 'page':
      return [words.page];
    case 'fail':
      return [answerToFailure(intent.how, words)];
    case 'greeting':
      return [words.greeting];
    case 'thanks':
      return [words.thanks];
    case 'delete-note': {
      if (made.some((call) => call.name === 'delete_note')) return [];
      const listed = made.find((call) => call.name === 'list_notes');
      if (listed?.status !== 'succeeded') return [calls.unreadNotes];
      const notes = notesOf(listed);
      return [notes.length === 0 ? calls.nothingToDelete : calls.noSuchNote(intent.which, toList(notes, words))];
    }
    case 'fix-file':
      return made.some((call) => call.name === 'edit_file') || !findSucceeded(made, 'read_file')
        ? []
        : [calls.noMistake];
    case 'walk':
      return answerToWalk(made, words);
    case 'ask': {
      const asked = findSucceeded(made, 'ask_user');
      return typeof asked?.output === 'string' ? [calls.pleased(asked.output)] : [];
    }
    case 'steps':
    case 'time':
    case 'calculate':
    case 'list-notes':
    case 'save-notes':
    case 'list-files':
    case 'primes':
    case 'draw':
    case 'research':
    case 'run':
      return [];
    case 'call':
      return made.length === 0 ? [calls.noTool(intent.name)] : [];
  }
}

/** What the offline model answers when a failure has passed. */
function answerToFailure(how: Failure, words: OfflineWords): string {
  switch (how) {
    case 'cut':
      return words.story;
    case 'limit':
      return words.afterLimit;
    case 'json':
      return words.afterJSON;
    default:
      return words.afterFailure;
  }
}

function answerToWalk(made: readonly ToolPart[], { walk }: OfflineWords): readonly string[] {
  const [way, details] = [walkAnswer(made, 'way'), walkAnswer(made, 'details')];
  if (typeof way !== 'string' || !isJsonObject(details)) return [];
  const extra = textIn(details, 'extra');
  const lines = [
    walk.us(textIn(details, 'people')),
    details['picnic'] === true ? walk.withPicnic : walk.withoutPicnic,
    ...(extra === '' ? [] : [walk.and(extra)]),
  ];
  return [`${walk.settled(way, textIn(details, 'day'))}\n\n${lines.map((line) => `- ${line}`).join('\n')}`];
}

function outputText(call: ToolPart): string {
  return typeof call.output === 'string' ? call.output : JSON.stringify(call.output ?? null);
}
