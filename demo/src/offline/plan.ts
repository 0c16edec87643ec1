import { extractTextContent, type LLMRequest, type Message, toolParts, type ToolPart } from 'brooklet';
import { type StreamOptions, reply, type Script } from 'brooklet/testing';
import { answerTo, describeCall } from './answers.ts';
import { type Failure, type Intent, readIntents } from './intents.ts';
import { type PlannedCall, plannedCalls } from './plannedCalls.ts';
import { type OfflineWords, wordsEn } from './words.ts';

/**
 * Creates the offline model, which works by rules: it reads the intents of the last user message, requests the tools that
 * the intents need, and answers with the results. A requested failure happens once, so that a retry works; a requested
 * rate limit happens twice.
 *
 * @param getWords what it says, in the language of the page
 */
export function createPlan(getWords: () => OfflineWords = () => wordsEn): (request: LLMRequest) => Script {
  const failures = new Map<string, number>();

  return (request) => {
    const words = getWords();
    const prompt = findPrompt(request.messages);
    if (!prompt) return [reply.text(words.abilities)];
    const turn = request.messages.slice(request.messages.indexOf(prompt) + 1);
    const intents = readIntents(extractTextContent(prompt));

    const [first] = intents;
    if (first?.type === 'fail') {
      const before = failures.get(prompt.id) ?? 0;
      failures.set(prompt.id, before + 1);
      if (before < (first.how === 'limit' ? 2 : 1)) return fail(first.how, words);
    }

    const made = turn.flatMap(toolParts);
    const offered = new Set(request.tools?.map((tool) => tool.name));
    const missing = missingCalls(intents, made, words).filter((call) => offered.has(call.name));
    if (missing.length > 0) return requestCalls(request, missing, words);
    return streamAnswer(request, toAnswer(intents, made, turn, words), answerSoFar(turn));
  };
}

/** Returns the last message of the user, without the “go on” prompt that the core adds after an interrupted reply. */
function findPrompt(messages: readonly Message[]): Message | undefined {
  return messages.findLast(({ role, id }, index) => role === 'user' && id !== `${messages[index - 1]?.id}-go-on`);
}

/** Returns the calls that the intents need and that have not been made in this turn. */
function missingCalls(
  intents: readonly Intent[],
  made: readonly ToolPart[],
  words: OfflineWords,
): readonly PlannedCall[] {
  const left = made.map(({ name, input }) => JSON.stringify([name, input]));
  return intents
    .flatMap((intent) => plannedCalls(intent, made, words))
    .filter(({ name, input }) => {
      const at = left.indexOf(JSON.stringify([name, input]));
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
}

function requestCalls(request: LLMRequest, calls: readonly PlannedCall[], words: OfflineWords): Script {
  const names = calls.map((call) => call.name);
  const thought = words.thought(names.length, thoughtAbout(names, words));
  return [
    reply.wait(250),
    reply.reasoning(thought, { ms: 28 }),
    reply.wait(200),
    ...(new Set(names).size > 1 ? [reply.text(words.together, { ms: 30 })] : []),
    ...calls.map(({ name, input }) => reply.call(name, input, speedOf(input))),
    reply.usage(tokensOf(request), tokens(thought) + 12 * calls.length),
  ];
}

function thoughtAbout(names: readonly string[], { independent, thoughts }: OfflineWords): string {
  if (new Set(names).size > 1) return independent;
  const [name = ''] = names;
  return Object.hasOwn(thoughts, name) ? (thoughts[name] ?? '') : '';
}

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

function fail(how: Failure, { fails, story, slow, refusal }: OfflineWords): Script {
  switch (how) {
    case 'slow':
      return [reply.wait(9_000), reply.text(slow)];
    case 'json':
      return [reply.wait(400), reply.call('calculate', '{"expression": "6 * ', { ms: 60 })];
    case 'refusal':
      return [reply.wait(400), reply.text(refusal), reply.finish('content-filter')];
    case 'credit':
      return [
        reply.wait(400),
        reply.fail('INSUFFICIENT_QUOTA', fails.credit, {
          status: 402,
        }),
      ];
    case 'overflow':
      return [
        reply.wait(400),
        reply.fail('CONTEXT_OVERFLOW', fails.overflow, {
          status: 400,
        }),
      ];
    case 'cors':
      return [reply.wait(400), reply.fail('NETWORK_ERROR', fails.cors, { retryable: false })];
    case 'cut':
      return [reply.wait(300), reply.text(story.slice(0, 620), { ms: 18 }), reply.cut()];
    case 'refused':
      return [reply.wait(400), reply.fail('AUTHENTICATION_FAILED', fails.refused, { status: 401 })];
    case 'limit':
      return [
        reply.wait(400),
        reply.fail('RATE_LIMIT_EXCEEDED', fails.limit, {
          status: 429,
          retryAfter: 5_000,
        }),
      ];
    case 'network':
      return [
        reply.wait(400),
        // The user asked to see the failure: an automatic retry would hide it.
        reply.fail('NETWORK_ERROR', fails.network, {
          retryable: false,
        }),
      ];
  }
}

function toAnswer(
  intents: readonly Intent[],
  made: readonly ToolPart[],
  turn: readonly Message[],
  words: OfflineWords,
): string {
  const results = made
    .filter((call) => call.name !== 'list_notes' || intents.some((intent) => intent.type === 'list-notes'))
    .map((call) => describeCall(call, words))
    .filter((result) => result !== '');
  const texts = intents.flatMap((intent) => answerTo(intent, made, words));
  const parts = [...results, ...texts].filter((part) => part !== '');
  if (parts.length > 0)
    return parts.length > 1 && texts.length === 0 ? parts.map((part) => `- ${part}`).join('\n') : parts.join('\n\n');
  return turn.length > 0 && made.length > 0 ? words.done : words.notUnderstood;
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
