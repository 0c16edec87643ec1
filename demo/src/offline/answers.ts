import type { ToolPart } from 'brooklet';
import { isJsonObject } from 'brooklet/core';
import { textIn } from '../json.ts';
import type { Failure, Intent } from './intents.ts';
import { notesOf, toList } from './notes.ts';
import { findSucceeded, walkAnswer } from './plannedCalls.ts';
import { formatting, greeting, story, thanks } from './texts.ts';

/** Describes a finished call in a sentence; empty for a call that is not finished. */
export function describeCall(call: ToolPart): string {
  switch (call.status) {
    case 'succeeded':
      return describeResult(call);
    case 'rejected':
      return `You declined \`${call.name}\`${call.approval?.reason ? ` (“${call.approval.reason}”)` : ''}, so nothing was done.`;
    case 'expired':
      return `\`${call.name}\` was not decided in time, so nothing was done.`;
    case 'cancelled':
      return `\`${call.name}\` was stopped.`;
    case 'uncertain':
      return `It is unknown whether \`${call.name}\` has run: the page was closed or reloaded while it ran. Check before you ask again.`;
    case 'failed':
    case 'timed-out':
    case 'invalid':
      return `\`${call.name}\` failed: ${outputText(call)}`;
    case 'streaming':
    case 'requested':
    case 'awaiting-approval':
    case 'approved':
    case 'edited':
    case 'started':
      return '';
  }
}

function describeResult(call: ToolPart): string {
  const input = call.editedInput ?? call.input ?? {};
  const { output } = call;
  switch (call.name) {
    case 'current_time':
      return `It is **${textIn(output, 'time').slice(0, 5)}** on ${textIn(output, 'weekday')}, ${textIn(output, 'date')} (${textIn(output, 'timeZone')}).`;
    case 'calculate':
      return `\`${textIn(input, 'expression')}\` is **${textIn(output, 'result')}**.`;
    case 'list_notes': {
      const notes = notesOf(call);
      return notes.length === 0
        ? 'You have no notes yet. Try “Remember to water the plants”.'
        : `Your notes:\n\n${toList(notes)}`;
    }
    case 'add_note':
      return `Saved${call.editedInput ? ', with your change' : ''}: “${textIn(input, 'text')}”.`;
    case 'delete_note': {
      const gone = isJsonObject(output) ? output['deleted'] : undefined;
      return `Deleted the note “${textIn(gone, 'text') || textIn(input, 'id')}”.`;
    }
    case 'list_files':
      return Array.isArray(output) ? `There are ${output.length} files.` : '';
    case 'edit_file':
      return `I have fixed \`${textIn(input, 'path')}\`.`;
    case 'count_primes':
      return `There are **${Number(textIn(output, 'primes')).toLocaleString('en')}** primes below ${Number(textIn(output, 'below')).toLocaleString('en')}.`;
    case 'ask_researcher':
      return `On “${textIn(input, 'task')}” a researcher says: ${outputText(call)}`;
    case 'draw_brook':
      return 'Here it is, as I imagine it.';
    case 'run_javascript':
      return `It ran and returned \`${JSON.stringify(isJsonObject(output) ? output['result'] : null)}\`.`;
    case 'ask_user':
    case 'read_file':
      return '';
    default:
      return `\`${call.name}\` returned ${outputText(call)}`;
  }
}

/** Returns the texts that answer an intent, in addition to the descriptions of the calls. */
export function answerTo(intent: Intent, made: readonly ToolPart[]): readonly string[] {
  switch (intent.type) {
    case 'long':
      return [story];
    case 'formatting':
      return [formatting];
    case 'fail':
      return [answerToFailure(intent.how)];
    case 'greeting':
      return [greeting];
    case 'thanks':
      return [thanks];
    case 'delete-note': {
      if (made.some((call) => call.name === 'delete_note')) return [];
      const listed = made.find((call) => call.name === 'list_notes');
      if (listed?.status !== 'succeeded') return ['I could not read your notes, so nothing was deleted.'];
      const notes = notesOf(listed);
      if (notes.length === 0) return ['You have no notes, so there is nothing to delete.'];
      return [`None of your notes is about “${intent.which}”. You have:\n\n${toList(notes)}`];
    }
    case 'fix-file':
      return made.some((call) => call.name === 'edit_file') || !findSucceeded(made, 'read_file')
        ? []
        : ['I find no mistake in `poem.txt`.'];
    case 'walk':
      return answerToWalk(made);
    case 'ask': {
      const asked = findSucceeded(made, 'ask_user');
      return typeof asked?.output === 'string' ? [`I am pleased to meet you, ${asked.output}.`] : [];
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
      return made.length === 0 ? [`I have no tool \`${intent.name}\`.`] : [];
  }
}

/** What the offline model answers when a failure has passed. */
function answerToFailure(how: Failure): string {
  switch (how) {
    case 'cut':
      return story;
    case 'limit':
      return 'Now it worked, without any help from you.';
    case 'json':
      return 'The input of that call was not JSON, so the tool did not run. A real model would correct it now.';
    default:
      return 'This time it worked: that is what *Try again* is for.';
  }
}

function answerToWalk(made: readonly ToolPart[]): readonly string[] {
  const [way, details] = [walkAnswer(made, 'way'), walkAnswer(made, 'details')];
  if (typeof way !== 'string' || !isJsonObject(details)) return [];
  const people = textIn(details, 'people');
  const extra = textIn(details, 'extra');
  return [
    `Then it is settled: **${way.toLowerCase()}**, on ${textIn(details, 'day')}.\n\n- ${people === '1' ? 'One of us' : `${people} of us`}, at nine, by the mill\n- ${details['picnic'] === true ? 'A picnic in the basket' : 'No picnic; there is an inn'}${extra === '' ? '' : `\n- And: ${extra}`}`,
  ];
}

function outputText(call: ToolPart): string {
  return typeof call.output === 'string' ? call.output : JSON.stringify(call.output ?? null);
}
