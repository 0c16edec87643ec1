import { extractTextContent, type JsonObject, type LLMRequest, type Message, toolParts, type ToolPart } from 'brooklet';
import { reply, type Script } from 'brooklet/testing';
import { isJsonObject, textIn } from '../json.ts';
import { abilities, formatting, greeting, story, thanks } from './texts.ts';
import { readWishes, type Wish } from './wishes.ts';

interface PlannedCall {
  readonly name: string;
  readonly input: JsonObject;
}

/**
 * A planner by rules, where others have a model: reads the last thing the person said, asks for the tools it takes, and when
 * their results have come, tells them. What it asked to fail fails once, so that trying again works.
 */
export function createPlan(): (request: LLMRequest) => Script {
  const failed = new Set<string>();

  return (request) => {
    const asked = lastQuestion(request.messages);
    if (!asked) return [reply.text(abilities)];
    const turn = request.messages.slice(request.messages.indexOf(asked) + 1);
    const wishes = readWishes(extractTextContent(asked));

    const [first] = wishes;
    if (first?.want === 'fail' && !failed.has(asked.id)) {
      failed.add(asked.id);
      return failing(first.how);
    }

    const made = turn.flatMap(toolParts);
    const offered = new Set(request.tools?.map((tool) => tool.name));
    const missing = missingCalls(wishes, made).filter((call) => offered.has(call.name));
    if (missing.length > 0) return calling(request, missing);
    return answering(request, answer(wishes, made, turn), said(turn));
  };
}

/** What the person said last, and not what the core puts behind a reply that broke off, so that a model goes on with it. */
function lastQuestion(messages: readonly Message[]): Message | undefined {
  return messages.findLast(({ role, id }, index) => role === 'user' && id !== `${messages[index - 1]?.id}-go-on`);
}

/** The calls that the wishes need and that have not been made in this turn. */
function missingCalls(wishes: readonly Wish[], made: readonly ToolPart[]): readonly PlannedCall[] {
  const left = made.map(({ name, input }) => JSON.stringify([name, input]));
  return wishes
    .flatMap((wish) => callsFor(wish, made))
    .filter(({ name, input }) => {
      const at = left.indexOf(JSON.stringify([name, input]));
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
}

function callsFor(wish: Wish, made: readonly ToolPart[]): readonly PlannedCall[] {
  switch (wish.want) {
    case 'time':
      return [{ name: 'current_time', input: wish.timeZone === undefined ? {} : { timeZone: wish.timeZone } }];
    case 'calculate':
      return [{ name: 'calculate', input: { expression: wish.expression } }];
    case 'list-notes':
      return [{ name: 'list_notes', input: {} }];
    case 'save-note':
      return [{ name: 'save_note', input: { text: wish.text } }];
    case 'delete-note': {
      const listed = made.find((call) => call.name === 'list_notes' && call.status === 'succeeded');
      const list = { name: 'list_notes', input: {} };
      if (!listed) return made.some((call) => call.name === 'list_notes') ? [] : [list];
      return [list, ...matching(notesOf(listed), wish.which).map(({ id }) => ({ name: 'delete_note', input: { id } }))];
    }
    case 'long':
    case 'formatting':
    case 'fail':
    case 'greeting':
    case 'thanks':
      return [];
  }
}

function calling(request: LLMRequest, calls: readonly PlannedCall[]): Script {
  const names = calls.map((call) => call.name);
  const thought = `The person wants something that ${names.length === 1 ? 'a tool' : 'tools'} can do for me. ${thoughtOn(names)}`;
  return [
    reply.wait(250),
    reply.reasoning(thought, { ms: 28 }),
    reply.wait(200),
    ...(new Set(names).size > 1 ? [reply.text('I will look these up together.', { ms: 30 })] : []),
    ...calls.map(({ name, input }) => reply.call(name, input, { size: 4, ms: 35 })),
    reply.usage(tokensOf(request), tokens(thought) + 12 * calls.length),
  ];
}

function thoughtOn(names: readonly string[]): string {
  if (names.length > 1 && new Set(names).size > 1)
    return 'The calls do not depend on each other, so I ask for all of them in one go.';
  return thoughts.get(names[0] ?? '') ?? '';
}

const thoughts: ReadonlyMap<string, string> = new Map([
  ['current_time', 'I cannot know the time by myself, so I ask for it.'],
  ['calculate', 'I would rather have it worked out than guess.'],
  ['list_notes', 'I have to see the notes first.'],
  ['save_note', 'Saving changes what is kept in this browser, so the person will be asked first.'],
  ['delete_note', 'Deleting cannot be undone, so the person will be asked first.'],
]);

/** Streams a text; what has been said of it before an interruption is not said again. */
function answering(request: LLMRequest, text: string, before: string): Script {
  const goesOn = before !== '' && text.length > before.length && text.startsWith(before);
  const rest = goesOn ? text.slice(before.length) : text;
  return [reply.wait(goesOn ? 150 : 300), reply.text(rest, { ms: 34 }), reply.usage(tokensOf(request), tokens(rest))];
}

function failing(how: Extract<Wish, { want: 'fail' }>['how']): Script {
  switch (how) {
    case 'cut':
      return [reply.wait(300), reply.text(story.slice(0, 620), { ms: 18 }), reply.cut()];
    case 'refused':
      return [
        reply.wait(400),
        reply.fail(
          'AUTHENTICATION_FAILED',
          '401 from the offline demo: the key was refused (as you asked). Check it in Settings.',
          { status: 401 },
        ),
      ];
    case 'limit':
      return [
        reply.wait(400),
        reply.fail(
          'RATE_LIMIT_EXCEEDED',
          '429 from the offline demo: too many requests (as you asked). Try again in a moment.',
          { status: 429 },
        ),
      ];
    case 'network':
      return [
        reply.wait(400),
        reply.fail('NETWORK_ERROR', 'The offline demo pretends that nothing answered (as you asked). Try again.'),
      ];
  }
}

function answer(wishes: readonly Wish[], made: readonly ToolPart[], turn: readonly Message[]): string {
  const told = made
    .filter((call) => call.name !== 'list_notes' || wishes.some((wish) => wish.want === 'list-notes'))
    .map(tell);
  const spoken = wishes.flatMap((wish) => speak(wish, made));
  const parts = [...told, ...spoken].filter((part) => part !== '');
  if (parts.length > 0)
    return parts.length > 1 && spoken.length === 0 ? parts.map((part) => `- ${part}`).join('\n') : parts.join('\n\n');
  return turn.length > 0 && made.length > 0 ? 'That is done.' : `I did not understand that. ${abilities}`;
}

/** What is said for a wish beside the results of its calls. */
function speak(wish: Wish, made: readonly ToolPart[]): readonly string[] {
  switch (wish.want) {
    case 'long':
      return [story];
    case 'formatting':
      return [formatting];
    case 'fail':
      return [wish.how === 'cut' ? story : 'This time it worked: that is what *Retry* is for.'];
    case 'greeting':
      return [greeting];
    case 'thanks':
      return [thanks];
    case 'delete-note': {
      if (made.some((call) => call.name === 'delete_note')) return [];
      const listed = made.find((call) => call.name === 'list_notes');
      if (listed?.status !== 'succeeded') return ['I could not look at your notes, so nothing was deleted.'];
      const notes = notesOf(listed);
      if (notes.length === 0) return ['You have no notes, so there is nothing to delete.'];
      return [`None of your notes is about “${wish.which}”. You have:\n\n${bulleted(notes)}`];
    }
    case 'time':
    case 'calculate':
    case 'list-notes':
    case 'save-note':
      return [];
  }
}

/** One finished call, in words. */
function tell(call: ToolPart): string {
  switch (call.status) {
    case 'succeeded':
      return tellResult(call);
    case 'rejected':
      return `You declined \`${call.name}\`${call.approval?.reason ? ` (“${call.approval.reason}”)` : ''}, so nothing was changed.`;
    case 'expired':
      return `Nobody decided on \`${call.name}\` in time, so nothing was changed.`;
    case 'cancelled':
      return `\`${call.name}\` was stopped.`;
    case 'uncertain':
      return `Whether \`${call.name}\` has run is not known: the page went away in the middle of it. Look before you ask again.`;
    case 'failed':
    case 'timed-out':
    case 'invalid':
      return `\`${call.name}\` did not work: ${outputText(call)}`;
    case 'streaming':
    case 'requested':
    case 'held':
    case 'approved':
    case 'edited':
    case 'started':
      return '';
  }
}

function tellResult(call: ToolPart): string {
  const input = call.editedInput ?? call.input ?? {};
  const { output } = call;
  switch (call.name) {
    case 'current_time':
      return `It is **${textIn(output, 'time')}** on ${textIn(output, 'date')} (${textIn(output, 'timeZone')}).`;
    case 'calculate':
      return `\`${textIn(input, 'expression')}\` makes **${textIn(output, 'result')}**.`;
    case 'list_notes': {
      const notes = notesOf(call);
      return notes.length === 0
        ? 'You have no notes yet. Try “Remember to water the plants”.'
        : `Your notes:\n\n${bulleted(notes)}`;
    }
    case 'save_note':
      return `Saved${call.editedInput ? ', with your change' : ''}: “${textIn(input, 'text')}”.`;
    case 'delete_note': {
      const gone = isJsonObject(output) ? output['deleted'] : undefined;
      return `Deleted the note “${textIn(gone, 'text') || textIn(input, 'id')}”.`;
    }
    default:
      return `\`${call.name}\` gave ${outputText(call)}`;
  }
}

interface ListedNote {
  readonly id: string;
  readonly text: string;
}

function notesOf(call: ToolPart): readonly ListedNote[] {
  const notes = isJsonObject(call.output) ? call.output['notes'] : undefined;
  if (!Array.isArray(notes)) return [];
  return notes.filter(isJsonObject).map((note) => ({ id: textIn(note, 'id'), text: textIn(note, 'text') }));
}

function matching(notes: readonly ListedNote[], which: string): readonly ListedNote[] {
  if (which === 'all') return notes;
  const wanted = which.toLowerCase();
  const byId = notes.filter(({ id }) => id === wanted || id === `note-${wanted}`);
  if (byId.length > 0) return byId;
  if (wanted === '') return notes.length === 1 ? notes : [];
  return notes.filter(({ text }) => text.toLowerCase().includes(wanted)).slice(0, 1);
}

function bulleted(notes: readonly ListedNote[]): string {
  return notes.map(({ id, text }) => `- ${text} (\`${id}\`)`).join('\n');
}

function outputText(call: ToolPart): string {
  return typeof call.output === 'string' ? call.output : JSON.stringify(call.output ?? null);
}

function said(turn: readonly Message[]): string {
  return turn.map((message) => (message.role === 'assistant' ? extractTextContent(message) : '')).join('');
}

function tokensOf(request: LLMRequest): number {
  return tokens(JSON.stringify(request.messages.map((message) => message.content)));
}

function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}
