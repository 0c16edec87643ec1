import type { Json, JsonObject } from 'brooklet';
import { isJsonObject } from 'brooklet/core';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { parseJson } from '../../src/core/json.ts';
import { startServer, type TestServer } from './llm-server.ts';

export interface TokenServer {
  readonly server: TestServer;
  /** Tokens of each request that was answered, and of each that was refused. */
  readonly accepted: readonly number[];
  readonly refused: readonly number[];
}

export interface Answered {
  readonly text: string;
  /** Input of one call of the tool of this name. */
  readonly call?: { readonly name: string; readonly input: string };
}

/**
 * Starts a `/chat/completions` server with a context window of its own, counted by a real tokenizer (o200k). A request that does not fit,
 * together with its token limit for the answer, is refused with OpenAI's error.
 */
export async function startTokenServer(window: number, answer: (body: JsonObject) => Answered): Promise<TokenServer> {
  const accepted: number[] = [];
  const refused: number[] = [];
  const server = await startServer((response, { body: text }) => {
    const body = parseJson(text);
    if (!isJsonObject(body)) throw new Error('no body');
    const tokens = tokensOf(body);
    const room = typeof body.max_tokens === 'number' ? body.max_tokens : 0;
    if (tokens + room > window) {
      refused.push(tokens);
      response.writeHead(400, { 'content-type': 'application/json' });
      const message = `This model's maximum context length is ${window} tokens. However, you requested ${tokens + room} tokens.`;
      response.end(
        JSON.stringify({ error: { message, type: 'invalid_request_error', code: 'context_length_exceeded' } }),
      );
      return;
    }
    accepted.push(tokens);
    const { text: answerText, call } = answer(body);
    const send = (chunk: JsonObject): void => void response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (answerText !== '') send({ choices: [{ delta: { content: answerText } }] });
    if (call)
      send({
        choices: [
          { delta: { tool_calls: [{ index: 0, id: 'c', function: { name: call.name, arguments: call.input } }] } },
        ],
      });
    send({ choices: [{ delta: {}, finish_reason: call ? 'tool_calls' : 'stop' }] });
    send({ choices: [], usage: { prompt_tokens: tokens, completion_tokens: countTokens(answerText) } });
    response.end('data: [DONE]\n\n');
  });
  return { server, accepted, refused };
}

const known = new Map<string, number>();

function count(text: string): number {
  const before = known.get(text);
  if (before !== undefined) return before;
  const tokens = countTokens(text);
  known.set(text, tokens);
  return tokens;
}

/** Counts like OpenAI's cookbook: the text, and a few tokens for each message and the start of the answer. */
function tokensOf(body: JsonObject): number {
  const messages: readonly Json[] = Array.isArray(body.messages) ? body.messages : [];
  let tokens = 3 + (body.tools === undefined ? 0 : count(JSON.stringify(body.tools)));
  for (const message of messages) {
    if (!isJsonObject(message)) continue;
    tokens += 4 + (typeof message.content === 'string' ? count(message.content) : 0);
    const calls: readonly Json[] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
    for (const call of calls) {
      const called = isJsonObject(call) && isJsonObject(call.function) ? call.function : {};
      tokens += 8 + count(JSON.stringify([called.name, called.arguments]));
    }
  }
  return tokens;
}
