import { extractTextContent, type LLMRequest, type Message, toolParts, type ToolPart } from 'brooklet';
import { type StreamOptions, reply, type Script } from 'brooklet/testing';
import { answerTo, describeCall } from './answers.ts';
import { type Failure, type Intent, readIntents } from './intents.ts';
import { type PlannedCall, plannedCalls } from './plannedCalls.ts';
import { abilities, story } from './texts.ts';

/**
 * Creates the offline model, which works by rules: it reads the intents of the last user message, requests the tools that
 * the intents need, and answers with the results. A requested failure happens once, so that a retry works; a requested
 * rate limit happens twice.
 */
export function createPlan(): (request: LLMRequest) => Script {
  const failures = new Map<string, number>();

  return (request) => {
    const prompt = findPrompt(request.messages);
    if (!prompt) return [reply.text(abilities)];
    const turn = request.messages.slice(request.messages.indexOf(prompt) + 1);
    const intents = readIntents(extractTextContent(prompt));

    const [first] = intents;
    if (first?.type === 'fail') {
      const before = failures.get(prompt.id) ?? 0;
      failures.set(prompt.id, before + 1);
      if (before < (first.how === 'limit' ? 2 : 1)) return fail(first.how);
    }

    const made = turn.flatMap(toolParts);
    const offered = new Set(request.tools?.map((tool) => tool.name));
    const missing = missingCalls(intents, made).filter((call) => offered.has(call.name));
    if (missing.length > 0) return requestCalls(request, missing);
    return streamAnswer(request, toAnswer(intents, made, turn), answerSoFar(turn));
  };
}

/** Returns the last message of the user, without the “go on” prompt that the core adds after an interrupted reply. */
function findPrompt(messages: readonly Message[]): Message | undefined {
  return messages.findLast(({ role, id }, index) => role === 'user' && id !== `${messages[index - 1]?.id}-go-on`);
}

/** Returns the calls that the intents need and that have not been made in this turn. */
function missingCalls(intents: readonly Intent[], made: readonly ToolPart[]): readonly PlannedCall[] {
  const left = made.map(({ name, input }) => JSON.stringify([name, input]));
  return intents
    .flatMap((intent) => plannedCalls(intent, made))
    .filter(({ name, input }) => {
      const at = left.indexOf(JSON.stringify([name, input]));
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
}

function requestCalls(request: LLMRequest, calls: readonly PlannedCall[]): Script {
  const names = calls.map((call) => call.name);
  const thought = `The user wants something that ${names.length === 1 ? 'a tool' : 'tools'} can do for me. ${thoughtAbout(names)}`;
  return [
    reply.wait(250),
    reply.reasoning(thought, { ms: 28 }),
    reply.wait(200),
    ...(new Set(names).size > 1 ? [reply.text('I will look these up together.', { ms: 30 })] : []),
    ...calls.map(({ name, input }) => reply.call(name, input, speedOf(input))),
    reply.usage(tokensOf(request), tokens(thought) + 12 * calls.length),
  ];
}

function thoughtAbout(names: readonly string[]): string {
  if (names.length > 1 && new Set(names).size > 1)
    return 'The calls do not depend on each other, so I request all of them at once.';
  return thoughts.get(names[0] ?? '') ?? '';
}

const thoughts: ReadonlyMap<string, string> = new Map([
  ['current_time', 'I cannot know the time by myself, so I ask for it.'],
  ['calculate', 'A calculation is better than a guess.'],
  ['list_notes', 'I have to read the notes first.'],
  ['add_note', 'Saving changes the notes in this browser, so the user must approve it first.'],
  ['delete_note', 'Deleting cannot be undone, so the user must approve it first.'],
  ['list_files', 'I have to see which files there are.'],
  ['read_file', 'I have to read the file before I change it.'],
  ['edit_file', 'I know what to change. The user will see the change first.'],
  ['count_primes', 'That takes a while; the tool reports its progress.'],
  ['draw_brook', 'A picture shows it best.'],
  ['run_javascript', 'In the sandbox the script can do no harm.'],
  ['ask_user', 'Only the user knows that, so I ask.'],
  ['ask_researcher', 'Two questions, so I ask two researchers at once.'],
]);

/** Streams an answer. The part before an interruption is not repeated. */
function streamAnswer(request: LLMRequest, text: string, before: string): Script {
  const continues = before !== '' && text.length > before.length && text.startsWith(before);
  const rest = continues ? text.slice(before.length) : text;
  return [
    reply.wait(continues ? 150 : 300),
    reply.text(rest, { ms: 34 }),
    reply.usage(tokensOf(request), tokens(rest)),
  ];
}

function fail(how: Failure): Script {
  switch (how) {
    case 'slow':
      return [reply.wait(9_000), reply.text('That took a while, as you asked. You could have stopped it at any time.')];
    case 'json':
      return [reply.wait(400), reply.call('calculate', '{"expression": "6 * ', { ms: 60 })];
    case 'refusal':
      return [reply.wait(400), reply.text('I would rather not'), reply.finish('content-filter')];
    case 'credit':
      return [
        reply.wait(400),
        reply.fail('INSUFFICIENT_QUOTA', '402 from the offline demo: the account has no credit (as you asked).', {
          status: 402,
        }),
      ];
    case 'overflow':
      return [
        reply.wait(400),
        reply.fail('CONTEXT_OVERFLOW', '400 from the offline demo: the conversation is too long (as you asked).', {
          status: 400,
        }),
      ];
    case 'cors':
      return [
        reply.wait(400),
        reply.fail(
          'NETWORK_ERROR',
          'The offline demo pretends that the browser blocked the answer: the server does not allow this page (CORS). Allow its origin on the server.',
          { retryable: false },
        ),
      ];
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
        // The user asked to see the failure: an automatic retry would hide it.
        reply.fail('NETWORK_ERROR', 'The offline demo pretends that nothing answered (as you asked). Try again.', {
          retryable: false,
        }),
      ];
  }
}

function toAnswer(intents: readonly Intent[], made: readonly ToolPart[], turn: readonly Message[]): string {
  const results = made
    .filter((call) => call.name !== 'list_notes' || intents.some((intent) => intent.type === 'list-notes'))
    .map(describeCall)
    .filter((result) => result !== '');
  const texts = intents.flatMap((intent) => answerTo(intent, made));
  const parts = [...results, ...texts].filter((part) => part !== '');
  if (parts.length > 0)
    return parts.length > 1 && texts.length === 0 ? parts.map((part) => `- ${part}`).join('\n') : parts.join('\n\n');
  return turn.length > 0 && made.length > 0 ? 'That is done.' : `I did not understand that. ${abilities}`;
}

/** The text that the agent has written in this turn. */
function answerSoFar(turn: readonly Message[]): string {
  return turn.map((message) => (message.role === 'assistant' ? extractTextContent(message) : '')).join('');
}

/** Estimates the tokens of a request. */
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

/** Replaces a picture by a text with about as many tokens. */
function withoutPictures(key: string, value: unknown): unknown {
  return key === 'data' && typeof value === 'string' ? 'a picture, as it is counted' : value;
}

/** A long input streams faster, so that the demo does not become slow. */
function speedOf(input: PlannedCall['input']): StreamOptions {
  return { size: Math.max(4, Math.ceil(JSON.stringify(input).length / 40)), ms: 35 };
}
