import type { JsonObject, ToolPart } from 'brooklet';
import { isJsonObject, textIn } from '../json.ts';
import { matching, notesOf } from './notes.ts';
import type { Wish } from './wishes.ts';

export interface PlannedCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** The calls that a wish takes, as far as they can be told by now: some can only be made when others have come back. */
export function callsFor(wish: Wish, made: readonly ToolPart[]): readonly PlannedCall[] {
  const one = (name: string, input: JsonObject = {}): readonly PlannedCall[] => [{ name, input }];
  switch (wish.want) {
    case 'time':
      return one('current_time', wish.timeZone === undefined ? {} : { timeZone: wish.timeZone });
    case 'calculate':
      return one('calculate', { expression: wish.expression });
    case 'steps':
      return doublings(wish, made);
    case 'list-notes':
      return one('list_notes');
    case 'save-notes':
      return wish.texts.flatMap((text) => one('add_note', { text }));
    case 'delete-note': {
      const listed = done(made, 'list_notes');
      if (!listed) return made.some((call) => call.name === 'list_notes') ? [] : one('list_notes');
      const deletions = matching(notesOf(listed), wish.which).flatMap(({ id, text }) =>
        one('delete_note', { id, begins: text.slice(0, 60) }),
      );
      return [...one('list_notes'), ...deletions];
    }
    case 'list-files':
      return one('list_files');
    case 'fix-file':
      return [...one('read_file', { path: poem }), ...fixes(done(made, 'read_file'))];
    case 'primes':
      return one('count_primes', { below: wish.below });
    case 'draw':
      return one('draw_brook', { waves: 6 });
    case 'run':
      return one('run_javascript', { code: wish.isSlow ? slowScript : quickScript });
    case 'walk':
      return [...one('ask_user', whichWay), ...(done(made, 'ask_user') ? one('ask_user', details) : [])];
    case 'ask':
      return one('ask_user', { question: 'What shall I call you?' });
    case 'long':
    case 'formatting':
    case 'fail':
    case 'greeting':
    case 'thanks':
      return [];
  }
}

export function done(made: readonly ToolPart[], name: string): ToolPart | undefined {
  return made.find((call) => call.name === name && call.status === 'succeeded');
}

/** One after the other, each with what came of the one before: that takes as many steps as there are. */
function doublings(wish: Extract<Wish, { want: 'steps' }>, made: readonly ToolPart[]): readonly PlannedCall[] {
  const results = made.filter((call) => call.name === 'calculate' && call.status === 'succeeded');
  const numbers = [String(wish.from), ...results.map(({ output }) => textIn(output, 'result'))];
  return numbers.slice(0, wish.times).map((number) => ({ name: 'calculate', input: { expression: `${number} * 2` } }));
}

const poem = 'poem.txt';
const mistake = 'it leaves the stoen,';

function fixes(read: ToolPart | undefined): readonly PlannedCall[] {
  return typeof read?.output === 'string' && read.output.includes(mistake)
    ? [{ name: 'edit_file', input: { path: poem, old_string: mistake, new_string: 'it leaves the stone,' } }]
    : [];
}

const whichWay = {
  question: 'Which way shall we go?',
  choices: ['Upstream, to the spring', 'Downstream, to the river', 'Along the meadow'],
} as const;

const details = {
  question: 'What do I need to know for the walk?',
  fields: [
    { name: 'day', label: 'Which day?', type: 'choice', choices: ['Friday', 'Saturday', 'Sunday'] },
    { name: 'people', label: 'How many are coming?', type: 'integer' },
    { name: 'picnic', label: 'Bring a picnic', type: 'boolean', optional: true },
    { name: 'wish', label: 'Anything else?', type: 'text', optional: true },
  ],
} as const;

const quickScript = `console.log('Counting herons…');
const herons = [3, 1, 4, 1, 5];
for (const [day, seen] of herons.entries()) console.log(\`day \${day + 1}: \${'*'.repeat(seen)}\`);
return { seen: herons.reduce((sum, seen) => sum + seen) };`;

const slowScript = `for (let second = 8; second > 0; second -= 1) {
  console.log(\`\${second} …\`);
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
return 'The water has reached the mill.';`;

/** What was answered to one of the questions of a walk. */
export function answerIn(made: readonly ToolPart[], question: 'way' | 'details'): JsonObject | string | undefined {
  const wanted = question === 'way' ? whichWay.question : details.question;
  const asked = made.find(({ input, status }) => status === 'succeeded' && textIn(input, 'question') === wanted);
  return typeof asked?.output === 'string' || isJsonObject(asked?.output) ? asked.output : undefined;
}
