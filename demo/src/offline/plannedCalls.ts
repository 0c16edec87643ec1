import type { JsonObject, ToolPart } from 'brooklet';
import { isJsonObject } from 'brooklet/core';
import { textIn } from '../base/json.ts';
import { findNotes, notesOf } from './notes.ts';
import type { Intent } from './intents.ts';
import type { OfflineWords } from './words.ts';

/** A tool call that the offline model makes. */
export interface PlannedCall {
  readonly name: string;
  readonly input: JsonObject;
}

/**
 * Returns all calls that an intent needs, as far as they are known: some calls depend on the results of others. `made` are
 * the calls of this turn so far.
 */
export function plannedCalls(
  intent: Intent,
  made: readonly ToolPart[],
  { walk, script }: OfflineWords,
): readonly PlannedCall[] {
  const one = (name: string, input: JsonObject = {}): readonly PlannedCall[] => [{ name, input }];
  switch (intent.type) {
    case 'time':
      return one('current_time', intent.timeZone === undefined ? {} : { timeZone: intent.timeZone });
    case 'calculate':
      return one('calculate', { expression: intent.expression });
    case 'steps':
      return doublings(intent, made);
    case 'list-notes':
      return one('list_notes');
    case 'save-notes':
      return intent.texts.flatMap((text) => one('add_note', { text }));
    case 'delete-note': {
      const listed = findSucceeded(made, 'list_notes');
      if (!listed) return made.some((call) => call.name === 'list_notes') ? [] : one('list_notes');
      const deletions = findNotes(notesOf(listed), intent.which).flatMap(({ id, text }) =>
        one('delete_note', { id, begins: text.slice(0, 60) }),
      );
      return [...one('list_notes'), ...deletions];
    }
    case 'list-files':
      return one('list_files');
    case 'fix-file':
      return [...one('read_file', { path: poem }), ...fixes(findSucceeded(made, 'read_file'))];
    case 'primes':
      return one('count_primes', { below: intent.below });
    case 'draw':
      return one('draw_brook', { waves: 6 });
    case 'research':
      return questions.flatMap((task) => one('ask_researcher', { task }));
    case 'run':
      return one('run_javascript', { code: intent.isSlow ? slowScript(script) : quickScript(script) });
    case 'walk':
      return [
        ...one('ask_user', whichWay(walk)),
        ...(findSucceeded(made, 'ask_user') ? one('ask_user', detailsOf(walk)) : []),
      ];
    case 'ask':
      return one('ask_user', { question: walk.name });
    case 'call':
      return one(intent.name, intent.input);
    case 'long':
    case 'formatting':
    case 'diagram':
    case 'page':
    case 'fail':
    case 'greeting':
    case 'thanks':
      return [];
  }
}

export function findSucceeded(made: readonly ToolPart[], name: string): ToolPart | undefined {
  return made.find((call) => call.name === name && call.status === 'succeeded');
}

/** Each doubling needs the result of the one before, so that each takes a step of its own. */
function doublings(intent: Extract<Intent, { type: 'steps' }>, made: readonly ToolPart[]): readonly PlannedCall[] {
  const results = made.filter((call) => call.name === 'calculate' && call.status === 'succeeded');
  const numbers = [String(intent.from), ...results.map(({ output }) => textIn(output, 'result'))];
  return numbers
    .slice(0, intent.times)
    .map((number) => ({ name: 'calculate', input: { expression: `${number} * 2` } }));
}

/** One of the researchers has to ask the person before it saves something. */
const questions = ['What is 17.5% of 240?', 'Remember that three trout live in the brook'];

const poem = 'poem.txt';
const mistake = 'it leaves the stoen,';

function fixes(read: ToolPart | undefined): readonly PlannedCall[] {
  return typeof read?.output === 'string' && read.output.includes(mistake)
    ? [{ name: 'edit_file', input: { path: poem, old_string: mistake, new_string: 'it leaves the stone,' } }]
    : [];
}

const whichWay = ({ way, ways }: OfflineWords['walk']): JsonObject => ({ question: way, choices: [...ways] });

const detailsOf = ({ details, day, days, people, picnic, extra }: OfflineWords['walk']): JsonObject => ({
  question: details,
  fields: [
    { name: 'day', label: day, type: 'choice', choices: [...days] },
    { name: 'people', label: people, type: 'integer' },
    { name: 'picnic', label: picnic, type: 'boolean', optional: true },
    { name: 'extra', label: extra, type: 'text', optional: true },
  ],
});

const quickScript = ({ counting, day }: OfflineWords['script']): string => `console.log('${counting}');
const herons = [3, 1, 4, 1, 5];
for (const [day, seen] of herons.entries()) console.log(\`${day('${day + 1}')}: \${'*'.repeat(seen)}\`);
return { seen: herons.reduce((sum, seen) => sum + seen) };`;

const slowScript = ({ end }: OfflineWords['script']): string => `for (let second = 8; second > 0; second -= 1) {
  console.log(\`\${second} …\`);
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
return '${end}';`;

/** Returns the user's answer to one of the two questions about the walk. */
export function walkAnswer(made: readonly ToolPart[], question: 'way' | 'details'): JsonObject | string | undefined {
  // The choice has no fields. The language may have changed since.
  const asked = made.find(
    ({ name, input, status }) =>
      name === 'ask_user' && status === 'succeeded' && (question === 'details') === (input?.['fields'] !== undefined),
  );
  return typeof asked?.output === 'string' || isJsonObject(asked?.output) ? asked.output : undefined;
}
