import type { JsonObject } from '../../src/core/json.ts';
import { toList, toObject, toText } from '../../src/core/model/read-json.ts';
import type { Rule, ServiceRequest } from './service.ts';

// What `/responses` and `/v1/messages` refuse.

const inputOf = ({ body }: ServiceRequest): readonly JsonObject[] => toList(body.input).map(toObject);
const turnsOf = ({ body }: ServiceRequest): readonly { role: string; blocks: readonly JsonObject[] }[] =>
  toList(body.messages)
    .map(toObject)
    .map(({ role, content }) => ({
      role: toText(role),
      blocks: typeof content === 'string' ? [{ type: 'text', text: content }] : toList(content).map(toObject),
    }));
const ofType = (blocks: readonly JsonObject[], type: string): readonly JsonObject[] =>
  blocks.filter((block) => block.type === type);

const responsesFields =
  'model stream store include max_output_tokens temperature top_p tool_choice tools text input instructions reasoning truncation metadata'.split(
    ' ',
  );

export const responsesRules: readonly Rule[] = [
  {
    refuses: 'an output without its call, and a call without its output',
    source:
      'OpenAI: 400 "No tool output found for function call …" and "No tool call found for function call output with call_id …"',
    check: (request) => {
      const ids = (type: string): readonly string[] =>
        ofType(inputOf(request), type).map(({ call_id }) => toText(call_id));
      const [calls, outputs] = [ids('function_call'), ids('function_call_output')];
      if (new Set(calls).size !== calls.length) return 'two calls have one call_id';
      const open = calls.find((id) => !outputs.includes(id));
      const orphan = outputs.find((id) => !calls.includes(id));
      return open === undefined ? orphan && `No tool call found for ${orphan}` : `No tool output found for ${open}`;
    },
  },
  {
    refuses: 'call_id of more than 64 characters',
    source: 'OpenAI: 400 "Invalid input[].call_id: string too long. Expected max length 64" (decolua/9router#393)',
    check: (request) => {
      const id = inputOf(request)
        .map(({ call_id }) => toText(call_id))
        .find(({ length }) => length > 64);
      return id && `call_id ${id} is too long`;
    },
  },
  {
    refuses: 'encrypted reasoning that it did not send, and reasoning without it where nothing is stored',
    source:
      'OpenAI: 400 "The encrypted content … could not be verified" (openai/codex#8138); OpenAI docs, "Reasoning models", encrypted items',
    check: (request) => {
      const foreign = ofType(inputOf(request), 'reasoning').find(
        ({ encrypted_content }) => !request.issued.has(toText(encrypted_content)),
      );
      return foreign && 'The encrypted content could not be verified.';
    },
  },
  {
    refuses: 'a reference to an item that it did not store, and to reasoning without the item that followed',
    source:
      'OpenAI: 404 "Item with id … not found" where `store` is false; 400 "Item … of type reasoning was provided without its required following item"',
    check: (request) => {
      const input = inputOf(request);
      for (const [index, { type, id }] of input.entries()) {
        if (type !== 'item_reference') continue;
        const stored = [...request.issued].find((one) => one.startsWith(`item ${toText(id)} `));
        if (stored === undefined || request.body.store === false) return `Item with id '${toText(id)}' not found.`;
        if (!toText(id).startsWith('rs_')) continue;
        const following = stored.split(' ')[2] ?? '';
        const { type: nextType, id: nextId, call_id } = input[index + 1] ?? {};
        const follows = nextId === following || (nextType === 'function_call' && following === `fc_${toText(call_id)}`);
        if (!follows)
          return `Item '${toText(id)}' of type 'reasoning' was provided without its required following item.`;
      }
      return undefined;
    },
  },
  {
    refuses: 'unknown parameters and item types, and blank messages',
    source: 'OpenAI API reference, "Create a model response": 400 "Unknown parameter", `input`',
    check: (request) => {
      const unknown = Object.keys(request.body).find(
        (field) => request.body[field] !== undefined && !responsesFields.includes(field),
      );
      if (unknown) return `Unknown parameter: '${unknown}'`;
      const odd = inputOf(request).find(
        ({ type, role }) =>
          role === undefined &&
          !/^(reasoning|function_call|function_call_output|item_reference|\w+_call)$/.test(toText(type)),
      );
      if (odd) return `Invalid value: ${toText(odd.type)}`;
      return inputOf(request).some(
        ({ role, content }) =>
          role !== undefined && (content === '' || toList(content).length + toText(content).length === 0),
      )
        ? 'a message is empty'
        : undefined;
    },
  },
  {
    refuses: 'pictures in an output that are no list of parts, and parts of another role',
    source: 'OpenAI API reference, "Create a model response", `input_image` and `output_text`',
    check: (request) => {
      const odd = inputOf(request).find(
        ({ role, content }) =>
          role === 'assistant' && toList(content).some((part) => toObject(part).type !== 'output_text'),
      );
      return odd && "Invalid value: 'input_image' in a message of the assistant";
    },
  },
];

const anthropicFields =
  'model max_tokens stream temperature tool_choice system container tools messages output_config thinking metadata stop_sequences top_p top_k'.split(
    ' ',
  );

export const anthropicRules: readonly Rule[] = [
  {
    refuses: 'requests of pages without anthropic-dangerous-direct-browser-access, and without anthropic-version',
    source:
      'Anthropic docs, "API overview", request headers; anthropics/anthropic-sdk-typescript README, "Browser support"',
    check: ({ headers }) =>
      headers.get('anthropic-dangerous-direct-browser-access') === 'true' && headers.has('anthropic-version')
        ? undefined
        : 'CORS requests must set the header',
  },
  {
    refuses: 'a request without max_tokens, and unknown parameters',
    source:
      'Anthropic API reference, "Create a Message": 400 "max_tokens: Field required", "Extra inputs are not permitted"',
    check: ({ body }) => {
      if (typeof body.max_tokens !== 'number') return 'max_tokens: Field required';
      const unknown = Object.keys(body).find((field) => body[field] !== undefined && !anthropicFields.includes(field));
      return unknown && `${unknown}: Extra inputs are not permitted`;
    },
  },
  {
    refuses: 'a conversation that does not begin with the user, or ends with the assistant',
    source:
      'Anthropic API reference, "Create a Message", `messages`; 400 "This model does not support assistant message prefill" (aws-samples/bedrock-access-gateway#219)',
    check: (request) => {
      const turns = turnsOf(request);
      if (turns[0]?.role !== 'user') return 'messages: first message must use the "user" role';
      return turns.at(-1)?.role === 'assistant' ? 'This model does not support assistant message prefill.' : undefined;
    },
  },
  {
    refuses: 'a use without its result in the next message, a result without its use, and results after other blocks',
    source:
      'Anthropic docs, "How to implement tool use", formatting requirements; 400 "tool_use ids were found without tool_result blocks immediately after" (anthropics/claude-code#12526)',
    check: (request) => {
      const turns = turnsOf(request);
      for (const [index, { blocks }] of turns.entries()) {
        const uses = ofType(blocks, 'tool_use').map(({ id }) => toText(id));
        const next = turns[index + 1]?.blocks ?? [];
        const results = ofType(next, 'tool_result').map(({ tool_use_id }) => toText(tool_use_id));
        const open = uses.find((id) => !results.includes(id));
        if (open !== undefined) return `tool_use ids were found without tool_result blocks immediately after: ${open}`;
        const orphan = results.find((id) => !uses.includes(id));
        if (orphan !== undefined) return `unexpected tool_use_id found in tool_result blocks: ${orphan}`;
        if (results.length > 0 && next.slice(0, results.length).some(({ type }) => type !== 'tool_result'))
          return 'tool_result blocks must come first';
      }
      return ofType(turns[0]?.blocks ?? [], 'tool_result').length > 0 ? 'unexpected tool_use_id' : undefined;
    },
  },
  {
    refuses: 'ids beside letters, digits, _ and -, and the same id twice',
    source:
      'Anthropic: 400 "tool_use.id: String should match pattern \'^[a-zA-Z0-9_-]+$\'" (maximhq/bifrost#5097), "tool_use ids must be unique" (trycua/cua#524)',
    check: (request) => {
      const ids = turnsOf(request).flatMap(({ blocks }) => ofType(blocks, 'tool_use').map(({ id }) => toText(id)));
      const odd = ids.find((id) => !/^[\w-]+$/.test(id));
      if (odd !== undefined) return `tool_use.id ${odd}: String should match pattern`;
      return new Set(ids).size === ids.length ? undefined : '`tool_use` ids must be unique';
    },
  },
  {
    refuses: 'blank text, an empty message, and an empty result that is an error',
    source:
      'Anthropic: 400 "text content blocks must contain non-whitespace text"; "content cannot be empty if is_error is true" (bytedance/trae-agent#230)',
    check: (request) => {
      const turns = turnsOf(request);
      if (turns.some(({ blocks }) => blocks.length === 0)) return 'all messages must have non-empty content';
      const blocks = turns.flatMap((turn) => turn.blocks);
      if (blocks.some(({ type, text }) => type === 'text' && toText(text).trim() === ''))
        return 'text content blocks must contain non-whitespace text';
      return blocks.some(
        ({ is_error, content }) =>
          is_error === true && (content === '' || toList(content).length + toText(content).length === 0),
      )
        ? 'content cannot be empty if is_error is true'
        : undefined;
    },
  },
  {
    refuses: 'thinking with a signature that it did not send',
    source:
      'Anthropic: 400 "Invalid `signature` in `thinking` block" (anthropics/claude-code#10627); Anthropic docs, "Extended thinking", preserving thinking blocks',
    check: (request) => {
      const thoughts = turnsOf(request).flatMap(({ blocks }) => ofType(blocks, 'thinking'));
      return thoughts.some(({ signature }) => !request.issued.has(toText(signature)))
        ? 'Invalid `signature` in `thinking` block'
        : undefined;
    },
  },
  {
    refuses: 'pictures in messages of the assistant, and more than four cache marks',
    source: 'Anthropic docs, "Vision" and "Prompt caching": "up to 4 cache breakpoints"',
    check: (request) => {
      const odd = turnsOf(request).some(
        ({ role, blocks }) => role === 'assistant' && ofType(blocks, 'image').length > 0,
      );
      if (odd) return 'image blocks are not allowed in assistant messages';
      return JSON.stringify(request.body).split('"cache_control"').length > 5
        ? 'A maximum of 4 blocks with cache_control may be provided'
        : undefined;
    },
  },
];
