import { extractTextContent, type LLMRequest, type Message, toolParts, type ToolPart } from 'brooklet';
import { type Pace, reply, type Script } from 'brooklet/testing';
import { callsFor, type PlannedCall } from './calls.ts';
import { speak, tell } from './tell.ts';
import { abilities, story } from './texts.ts';
import { readWishes, type Wish } from './wishes.ts';

/**
 * A planner by rules, where others have a model: reads the last thing the person said, asks for the tools it takes, and when
 * their results have come, tells them. What it asked to fail fails once, so that trying again works; a busy service is busy twice.
 */
export function createPlan(): (request: LLMRequest) => Script {
  const failures = new Map<string, number>();

  return (request) => {
    const asked = lastQuestion(request.messages);
    if (!asked) return [reply.text(abilities)];
    const turn = request.messages.slice(request.messages.indexOf(asked) + 1);
    const wishes = readWishes(extractTextContent(asked));

    const [first] = wishes;
    if (first?.want === 'fail') {
      const before = failures.get(asked.id) ?? 0;
      failures.set(asked.id, before + 1);
      if (before < (first.how === 'limit' ? 2 : 1)) return failing(first.how);
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

function calling(request: LLMRequest, calls: readonly PlannedCall[]): Script {
  const names = calls.map((call) => call.name);
  const thought = `The person wants something that ${names.length === 1 ? 'a tool' : 'tools'} can do for me. ${thoughtOn(names)}`;
  return [
    reply.wait(250),
    reply.reasoning(thought, { ms: 28 }),
    reply.wait(200),
    ...(new Set(names).size > 1 ? [reply.text('I will look these up together.', { ms: 30 })] : []),
    ...calls.map(({ name, input }) => reply.call(name, input, paceOf(input))),
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
  ['add_note', 'Saving changes what is kept in this browser, so the person will be asked first.'],
  ['delete_note', 'Deleting cannot be undone, so the person will be asked first.'],
  ['list_files', 'I have to see what is there.'],
  ['read_file', 'I have to read it before I change it.'],
  ['edit_file', 'I know what to change. The person will see it before it happens.'],
  ['count_primes', 'That takes a while, and says how far it is.'],
  ['draw_brook', 'A picture says it better.'],
  ['run_javascript', 'In the sandbox it can do no harm.'],
  ['ask_user', 'Only the person can tell me that, so I ask.'],
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
        reply.fail('RATE_LIMIT_EXCEEDED', '429 from the offline demo: too many requests (as you asked).', {
          status: 429,
          retryAfter: 5_000,
        }),
      ];
    case 'network':
      return [
        reply.wait(400),
        // A person asked to see the failure, and not that it passes by itself.
        reply.fail('NETWORK_ERROR', 'The offline demo pretends that nothing answered (as you asked). Try again.', {
          retryable: false,
        }),
      ];
  }
}

function answer(wishes: readonly Wish[], made: readonly ToolPart[], turn: readonly Message[]): string {
  const told = made
    .filter((call) => call.name !== 'list_notes' || wishes.some((wish) => wish.want === 'list-notes'))
    .map(tell)
    .filter((told) => told !== '');
  const spoken = wishes.flatMap((wish) => speak(wish, made));
  const parts = [...told, ...spoken].filter((part) => part !== '');
  if (parts.length > 0)
    return parts.length > 1 && spoken.length === 0 ? parts.map((part) => `- ${part}`).join('\n') : parts.join('\n\n');
  return turn.length > 0 && made.length > 0 ? 'That is done.' : `I did not understand that. ${abilities}`;
}

function said(turn: readonly Message[]): string {
  return turn.map((message) => (message.role === 'assistant' ? extractTextContent(message) : '')).join('');
}

function tokensOf(request: LLMRequest): number {
  return tokens(
    JSON.stringify(
      request.messages.map((message) => message.content),
      withoutPictures,
    ),
  );
}

function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** A picture costs a model about as much as these words. */
function withoutPictures(key: string, value: unknown): unknown {
  return key === 'data' && typeof value === 'string' ? 'a picture, as it is counted' : value;
}

/** What is long is written faster, so that nobody waits for it. */
function paceOf(input: PlannedCall['input']): Pace {
  return { size: Math.max(4, Math.ceil(JSON.stringify(input).length / 40)), ms: 35 };
}
