import { isJsonObject, type JsonObject, parseJson } from '../../src/core/json.ts';
import { toList, toObject, toText } from '../../src/core/model/read-json.ts';
import type { Rule, ServiceRequest } from './service.ts';

// What services of `/chat/completions` refuse. A rule is what a page or a report states, no guess at the rest.

const messagesOf = ({ body }: ServiceRequest): readonly JsonObject[] => toList(body.messages).map(toObject);
const callsOf = (message: JsonObject | undefined): readonly JsonObject[] => toList(message?.tool_calls).map(toObject);
const allCalls = (request: ServiceRequest): readonly JsonObject[] => messagesOf(request).flatMap(callsOf);
const typesIn = (content: unknown): readonly string[] =>
  Array.isArray(content) ? content.map((block) => toText(toObject(block).type)) : [];

/** Returns the first words that `check` has for an entry. */
function first<T>(
  list: readonly T[],
  check: (entry: T, index: number) => string | false | undefined,
): string | undefined {
  for (const [index, entry] of list.entries()) {
    const words = check(entry, index);
    if (words) return words;
  }
  return undefined;
}

export const resultsOfCalls: Rule = {
  refuses: 'a result without its call, and a call without its result',
  source:
    'OpenAI API reference, "Create chat completion", `messages`: "An assistant message with tool_calls must be followed by tool messages"',
  check(request) {
    let awaited = new Set<string>();
    return (
      first(messagesOf(request), (message) => {
        if (message.role === 'tool')
          return (
            !awaited.delete(toText(message.tool_call_id)) &&
            `no call ${toText(message.tool_call_id)} precedes its result`
          );
        if (awaited.size > 0) return `no result of ${[...awaited].join(', ')}`;
        awaited = new Set(callsOf(message).map(({ id }) => toText(id)));
        return callsOf(message).length !== awaited.size && 'two calls have one id';
      }) ?? (awaited.size > 0 ? `no result of ${[...awaited].join(', ')}` : undefined)
    );
  },
};

export const emptyContent: Rule = {
  refuses: 'a message without content',
  source:
    'OpenAI API reference, "Create chat completion", assistant message: `content` is "Required unless tool_calls is specified"',
  check: (request) =>
    first(messagesOf(request), ({ role, content, tool_calls }, index) => {
      const isEmpty =
        content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0);
      return isEmpty && toList(tool_calls).length === 0 && `messages[${index}] (${toText(role)}) is empty`;
    }),
};

export const textResults: Rule = {
  refuses: 'pictures in the result of a tool, and in a reply',
  source:
    'OpenAI API reference, "Create chat completion", tool message: "For tool messages, only type text is supported"',
  check: (request) =>
    first(messagesOf(request), ({ role, content }, index) => {
      const other = typesIn(content).find((type) => type !== 'text');
      return role !== 'user' && other !== undefined && `messages[${index}] (${toText(role)}) has ${other}`;
    }),
};

export const inputIsJson: Rule = {
  refuses: 'the input of a call that is no JSON object',
  source:
    'vllm-project/vllm, serving of chat completions: arguments are parsed with json.loads; Anthropic and Google behind relays want an object',
  check: (request) =>
    first(
      allCalls(request),
      ({ id, function: called }) =>
        !isJsonObject(parseJson(toText(toObject(called).arguments))) && `the arguments of ${toText(id)} are no object`,
    ),
};

export const toolNames: Rule = {
  refuses: 'names of tools beside letters, digits, _ and - (64)',
  source: 'OpenAI API reference, "Create chat completion", `tools[].function.name`',
  check: (request) =>
    first([...toList(request.body.tools).map(toObject), ...allCalls(request)], ({ function: called }) => {
      const name = toText(toObject(called).name);
      return !/^[\w-]{1,64}$/.test(name) && `the name "${name}"`;
    }),
};

const emptyTools: Rule = {
  refuses: 'an empty list of tools',
  source: 'OpenAI: 400 "[] is too short - \'tools\'" (public reports, for example langchain-ai/langchain)',
  check: ({ body }) => (Array.isArray(body.tools) && body.tools.length === 0 ? '[] is too short' : undefined),
};

export const idsOf40: Rule = {
  refuses: 'ids of calls of more than 40 characters',
  source:
    'OpenAI: 400 "string too long. Expected a string with maximum length 40" (agno-agi/agno#5382, vercel/ai#5171)',
  check: (request) => first(allCalls(request), ({ id }) => toText(id).length > 40 && `the id ${toText(id)}`),
};

export const maxCompletionTokens: Rule = {
  refuses: 'max_tokens',
  source:
    'OpenAI API reference, "Create chat completion", `max_tokens`: deprecated, and "not compatible with o-series models"',
  check: ({ body }) => (body.max_tokens === undefined ? undefined : "use 'max_completion_tokens' instead"),
};

const openAIFields =
  'model messages stream stream_options max_tokens max_completion_tokens temperature top_p tools tool_choice response_format n stop seed store user parallel_tool_calls reasoning_effort metadata'.split(
    ' ',
  );
const unknownParameters: Rule = {
  refuses: 'unknown parameters',
  source:
    'OpenAI: 400 "Unrecognized request argument supplied"; OpenAI API reference, "Create chat completion", request body',
  check: ({ body }) => {
    const unknown = Object.keys(body).find((field) => body[field] !== undefined && !openAIFields.includes(field));
    return unknown && `Unrecognized request argument supplied: ${unknown}`;
  },
};

/** Creates the rule of a service that knows no other fields in the messages of the assistant. */
export function strictMessages(source: string, more: readonly string[] = []): Rule {
  const known = ['role', 'content', 'tool_calls', 'name', 'prefix', ...more];
  return {
    refuses: 'unknown fields in a reply or a call: reasoning_content, reasoning_details, extra_content',
    source,
    check: (request) =>
      first(messagesOf(request), (message, index) => {
        const fields =
          message.role === 'assistant' ? Object.keys(message).filter((field) => !known.includes(field)) : [];
        const inCalls = callsOf(message).flatMap((call) =>
          Object.keys(call).filter((field) => !['id', 'type', 'function', 'index'].includes(field)),
        );
        const [unknown] = [...fields, ...inCalls];
        return unknown !== undefined && `messages[${index}]: ${unknown}: Extra inputs are not permitted`;
      }),
  };
}

export const noPrefill: Rule = {
  refuses: 'a conversation that ends with the assistant',
  source:
    'Mistral: 400 "Expected last role User or Tool (or Assistant with prefix True)"; vLLM continues the message in the place of answering',
  check: (request) => (messagesOf(request).at(-1)?.role === 'assistant' ? 'the last role is assistant' : undefined),
};

export const noJsonSchema: Rule = {
  refuses: 'response_format json_schema, and json_object without the word JSON in the messages',
  source: 'DeepSeek API docs, "JSON Output": json_object, and "include the word json in the system or user prompt"',
  check: ({ body }) => {
    const { type } = toObject(body.response_format);
    if (type === 'json_schema') return 'This response_format type is unavailable now';
    return type === 'json_object' && !/json/i.test(JSON.stringify(body.messages))
      ? "Prompt must contain the word 'json'"
      : undefined;
  },
};

/** Creates the rule of a service that wants its reasoning back. `whole`: with every reply of a turn from its first call on. */
export function reasoningBack(source: string, whole: boolean): Rule {
  return {
    refuses: 'a reply with calls without its reasoning, in all later requests',
    source,
    check(request) {
      let isToolTurn = false;
      return first(messagesOf(request), (message, index) => {
        if (message.role === 'user') isToolTurn = false;
        if (message.role !== 'assistant') return undefined;
        const hasCalls = callsOf(message).length > 0;
        isToolTurn ||= hasCalls;
        const isMissing = toText(message.reasoning_content).trim() === '';
        // A reply that another service sent has no reasoning of this one: only calls are refused without any.
        const isOwn = whole && [...request.issued].includes(`thought by ${toText(message.content)}`);
        return isMissing && (hasCalls || (isToolTurn && isOwn)) && `reasoning_content is missing in message ${index}`;
      });
    },
  };
}

export const kimiIds: Rule = {
  refuses: 'another id for a call than its own, functions.<name>:<n>',
  source:
    'MoonshotAI/Kimi-K2, docs/tool_call_guidance.md: "the tool call ID must be functions.{func_name}:{idx}" (sgl-project/sglang#9606)',
  check: (request) =>
    first(allCalls(request), ({ id, function: called }) => {
      const { name, arguments: input } = toObject(called);
      const own = [...request.issued].filter((one) => one.startsWith(`call ${toText(name)} ${toText(input)} `));
      const isOwn = own.length === 0 || own.some((one) => one.endsWith(` ${toText(id)}`));
      return !isOwn && `${own.join(', ')} came back as ${toText(id)}`;
    }),
};

export const shortIds: Rule = {
  refuses: 'ids of calls that are not nine letters and digits',
  source: 'Mistral: 400 "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9" (anomalyco/opencode#1680)',
  check: (request) =>
    first(allCalls(request), ({ id }) => !/^[a-z\d]{9}$/i.test(toText(id)) && `Tool call id was ${toText(id)}`),
};

export const mistralOrder: Rule = {
  refuses: "role 'user' after role 'tool'",
  source: "Mistral: 400 \"Unexpected role 'user' after role 'tool'\" (BerriAI/litellm#6323)",
  check: (request) => {
    const messages = messagesOf(request);
    return first(
      messages,
      ({ role }, index) =>
        role === 'user' && messages[index - 1]?.role === 'tool' && "Unexpected role 'user' after role 'tool'",
    );
  },
};

export const noStreamOptions: Rule = {
  refuses: 'stream_options',
  source:
    'Mistral API reference, "Chat Completion": no such field, and "Extra inputs are not permitted" (partITech/php-mistral#76)',
  check: ({ body }) =>
    body.stream_options === undefined ? undefined : 'stream_options: Extra inputs are not permitted',
};

export const resultNames: Rule = {
  refuses: 'a result without the name of its tool',
  source: 'Gemini, compatible endpoint: 400 (NousResearch/hermes-agent#19728, vectorize-io/hindsight#187)',
  check: (request) =>
    first(
      messagesOf(request),
      ({ role, name }) => role === 'tool' && toText(name) === '' && 'function_response.name: Name cannot be empty',
    ),
};

export const signedCalls: Rule = {
  refuses: 'a first call of a step of the current turn without the signature that it sent, or with a foreign one',
  source:
    'https://ai.google.dev/gemini-api/docs/thought-signatures, "Function calling" and "FAQs" (skip_thought_signature_validator)',
  check: (request) => {
    const messages = messagesOf(request);
    const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
    const signatureOf = (call: JsonObject | undefined): string =>
      toText(toObject(toObject(call?.extra_content).google).thought_signature);
    const isKnown = (signature: string): boolean =>
      request.issued.has(signature) || signature === 'skip_thought_signature_validator';
    const unsigned = first(
      turn,
      (message) =>
        callsOf(message).length > 0 &&
        signatureOf(callsOf(message)[0]) === '' &&
        'Function call is missing a thought_signature',
    );
    return (
      unsigned ??
      first(
        messages.flatMap(callsOf),
        (call) => signatureOf(call) !== '' && !isKnown(signatureOf(call)) && 'Corrupted thought signature',
      )
    );
  },
};

export const ownDetails: Rule = {
  refuses: 'reasoning details that it did not send, and replies with calls whose details are lost',
  source:
    'https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning-blocks (Chevey339/kelivo#205)',
  check: (request) => {
    const signatures = messagesOf(request).flatMap((message) =>
      toList(message.reasoning_details).map((detail) => toText(toObject(detail).signature)),
    );
    const foreign = signatures.find((signature) => !request.issued.has(signature));
    if (foreign !== undefined) return `the signature ${foreign} is not known`;
    return first(
      messagesOf(request),
      (message) =>
        callsOf(message).some(({ id }) => request.issued.has(`thought with ${toText(id)}`)) &&
        toList(message.reasoning_details).length === 0 &&
        'reasoning details must be preserved in each request',
    );
  },
};

export const noNullContent: Rule = {
  refuses: 'content null',
  source:
    'ggml-org/llama.cpp and chat templates: "Missing content"; LM Studio: "messages[].content must be a string or a list"',
  check: (request) =>
    first(messagesOf(request), ({ content }, index) => content === null && `messages[${index}].content is null`),
};

/** What OpenAI's own endpoint refuses, and services with the same checks. */
export const openAIRules: readonly Rule[] = [
  resultsOfCalls,
  emptyContent,
  textResults,
  inputIsJson,
  toolNames,
  emptyTools,
  idsOf40,
  unknownParameters,
];
