import { describe, expect, test } from 'vitest';
import type { AgentErrorCode } from '../../../src/core/error.ts';
import type { Json } from '../../../src/core/json.ts';
import { classifyError } from '../../../src/llm/transport/classify-error.ts';
import { delayWords, retryAfter } from '../../../src/llm/transport/retry-after.ts';

const openai = (
  message: string,
  type: Json = 'invalid_request_error',
  code: Json = null,
  param: Json = null,
): Json => ({
  error: { message, type, code, param },
});
const page = (title: string): string => `<html><head><title>${title}</title></head></html>`;
const errorOf = (status: number | undefined, body: Json, host = 'api.test') =>
  classifyError({ host, body, ...(status !== undefined && { status }) }, 0);

type Row = readonly [from: string, status: number | undefined, body: Json, code: AgentErrorCode];

describe('a reply without words is no statement about the conversation', () => {
  test.each<Row>([
    ['nginx: a page', 400, page('400 Request Header Or Cookie Too Large'), 'INVALID_REQUEST'],
    ['a proxy: nothing', 400, '', 'INVALID_REQUEST'],
    ['a proxy: an empty object', 400, '{}', 'INVALID_REQUEST'],
    ['nginx: the body is too large', 413, page('413 Request Entity Too Large'), 'INVALID_REQUEST'],
    ['a load balancer: 413 and nothing', 413, '', 'INVALID_REQUEST'],
    ['Cloudflare: a page under 403', 403, page('Attention Required!'), 'PERMISSION_DENIED'],
    ['a captive portal: a page in capitals', 400, '<!DOCTYPE HTML><HTML>context length</HTML>', 'INVALID_REQUEST'],
    [
      'Anthropic: 413 with words',
      413,
      openai('Request exceeds the maximum size', 'request_too_large'),
      'CONTEXT_OVERFLOW',
    ],
  ])('%s', (_, status, body, code) => {
    expect(errorOf(status, body)).toMatchObject({ code, retryable: false });
  });

  test('tells that a server on the way refused, where the reply is a page', () => {
    expect(errorOf(400, page('Bad Request')).message).toBe(
      '400 from api.test: a server on the way refused the request, with a web page in the place of an answer. Check the base URL, and what is between this page and the service.',
    );
    expect(errorOf(413, '').message).toMatch(/Send fewer or smaller attachments/);
  });
});

describe('names that an error quotes are no reason', () => {
  test.each<Row>([
    [
      'OpenAI: a schema of create_api_key',
      400,
      openai(
        "Invalid schema for function 'create_api_key': In context=(), object schema missing properties.",
        'invalid_request_error',
        'invalid_function_parameters',
        'tools[0].function.parameters',
      ),
      'INVALID_REQUEST',
    ],
    [
      'a schema of set_rate_limit',
      400,
      openai("Invalid schema for function 'set_rate_limit': bad."),
      'INVALID_REQUEST',
    ],
    ['without quotes', 400, openai('Invalid schema for function rate_limit_exceeded: bad.'), 'INVALID_REQUEST'],
    ['in double quotes', 400, openai('Tool "content moderation" has no parameters'), 'INVALID_REQUEST'],
    ['in backticks', 400, openai('`context_length` is not a known parameter of `sensitive`'), 'INVALID_REQUEST'],
    ['in typographic quotes', 400, openai('The field “insufficient balance” is unknown'), 'INVALID_REQUEST'],
    ['a path', 400, openai('messages.0.content: rate_limit.api_key must be a string'), 'INVALID_REQUEST'],
    [
      'FastAPI: a field',
      422,
      { detail: [{ loc: ['body', 'api_key'], msg: 'extra fields not permitted' }] },
      'INVALID_REQUEST',
    ],
    ['letters, not content', 400, openai('Parameter names are case sensitive.'), 'INVALID_REQUEST'],
    ['a quoted model under 401', 401, openai("Bad request for model 'overloaded'"), 'AUTHENTICATION_FAILED'],
    [
      'an apostrophe is no quote',
      400,
      openai("This model's maximum context length is 8192 tokens, 'x' has more"),
      'CONTEXT_OVERFLOW',
    ],
    ['one whole quotation is a text', 400, '"\'context length exceeded\'"', 'CONTEXT_OVERFLOW'],
  ])('%s', (_, status, body, code) => {
    expect(errorOf(status, body)).toMatchObject({ code, retryable: false });
  });
});

describe('status, type and code come before words', () => {
  test.each<Row>([
    [
      'a limit whose words speak of tokens',
      429,
      openai('Reduce the length of the messages', 'tokens', 'rate_limit_exceeded'),
      'RATE_LIMIT_EXCEEDED',
    ],
    [
      'a code against the words',
      400,
      openai('The api key limit of this request', 'x', 'context_length_exceeded'),
      'CONTEXT_OVERFLOW',
    ],
    [
      'LiteLLM: a name before the message',
      400,
      openai('litellm.ContextWindowExceededError: x', null),
      'CONTEXT_OVERFLOW',
    ],
    [
      'Google: the reason in the details',
      400,
      [{ error: { code: 400, message: 'Bad.', details: [{ reason: 'API_KEY_INVALID' }] } }],
      'AUTHENTICATION_FAILED',
    ],
    ['the status in the body alone', undefined, { error: { code: 429, message: 'no' } }, 'RATE_LIMIT_EXCEEDED'],
    [
      'Mistral: the code beside the message',
      400,
      { object: 'error', message: { detail: 'no' }, type: 'invalid_model' },
      'MODEL_NOT_FOUND',
    ],
    [
      'OpenRouter: an error in its raw text',
      400,
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: '{"error":{"message":"no","code":"context_length_exceeded"}}' },
        },
      },
      'CONTEXT_OVERFLOW',
    ],
    ['a 503 that mentions a key', 503, openai('No worker for your API key is free', null), 'OVERLOADED'],
    ['a 504 that mentions a model', 504, openai('model not found in time', null), 'REQUEST_TIMEOUT'],
    [
      'OpenAI: 401 for a missing scope',
      401,
      openai('You have insufficient permissions for this operation. Missing scopes: model.request', null),
      'PERMISSION_DENIED',
    ],
    [
      'OpenAI: 403 for a model',
      403,
      openai('Project `p` does not have access to model `gpt-5`', 'invalid_request_error', 'model_not_found'),
      'MODEL_NOT_FOUND',
    ],
    ['a relay: the limit under 403', 403, openai('Rate limit exceeded', null), 'RATE_LIMIT_EXCEEDED'],
    [
      'Gemini: a leaked key under 403',
      403,
      openai('Your API key was reported as leaked. Please use another API key.', null),
      'AUTHENTICATION_FAILED',
    ],
  ])('%s', (_, status, body, code) => {
    expect(errorOf(status, body).code).toBe(code);
  });

  test('follows the advice of the service on repeating', () => {
    const advised = (status: number, advice: string) =>
      classifyError({ host: 'h', status, body: '', headers: new Headers({ 'x-should-retry': advice }) }, 0).retryable;
    expect([advised(500, 'false'), advised(429, 'false'), advised(500, 'true'), advised(400, 'true')]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});

describe('the reason in the words of each service', () => {
  test.each<Row>([
    [
      'OpenRouter: no tools',
      404,
      {
        error: {
          message:
            'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection',
          code: 404,
        },
      },
      'INVALID_REQUEST',
    ],
    [
      'OpenRouter: no images',
      404,
      { error: { message: 'No endpoints found that support image input', code: 404 } },
      'INVALID_REQUEST',
    ],
    [
      'OpenRouter: data policy',
      404,
      { error: { message: 'No endpoints found matching your data policy.', code: 404 } },
      'INVALID_REQUEST',
    ],
    [
      'OpenRouter: tool_choice',
      404,
      { error: { message: "No endpoints found that support the provided 'tool_choice' value.", code: 404 } },
      'INVALID_REQUEST',
    ],
    [
      'OpenAI: another endpoint',
      404,
      openai('This model is only supported in v1/responses and not in v1/chat/completions.'),
      'INVALID_REQUEST',
    ],
    [
      'DeepSeek: filter',
      400,
      openai('Content Exists Risk', 'invalid_request_error', 'invalid_request_error'),
      'CONTENT_FILTERED',
    ],
    [
      'xAI: filter',
      403,
      {
        code: 'The caller does not have permission to execute the specified operation',
        error:
          'Content violates usage guidelines. Team: t, API key ID: k, Model: grok-4, Failed check: SAFETY_CHECK_TYPE_BIO',
      },
      'CONTENT_FILTERED',
    ],
    [
      'OpenAI: safety system',
      400,
      openai(
        'Your request was rejected as a result of our safety system.',
        'image_generation_user_error',
        'moderation_blocked',
      ),
      'CONTENT_FILTERED',
    ],
    ['Anthropic: output filter', 400, openai('Output blocked by content filtering policy'), 'CONTENT_FILTERED'],
    [
      'MiniMax: 500 for a filter',
      500,
      openai(
        "input new_sensitive, messages[2]'s content[1] image is sensitive, please check your input (1026)",
        'api_error',
        'new_sensitive',
      ),
      'CONTENT_FILTERED',
    ],
    [
      'Anthropic: spending limit',
      400,
      openai('You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.'),
      'INSUFFICIENT_QUOTA',
    ],
    [
      'OpenAI: hard limit',
      400,
      openai('Billing hard limit has been reached', 'invalid_request_error', 'billing_hard_limit_reached'),
      'INSUFFICIENT_QUOTA',
    ],
    [
      'LiteLLM: budget',
      400,
      openai('Budget has been exceeded! Current cost: 2, Max budget: 1', 'budget_exceeded', '400'),
      'INSUFFICIENT_QUOTA',
    ],
    [
      'vLLM: the prompt',
      400,
      openai(
        'The decoder prompt (length 21535) is longer than the maximum model length of 16384. Make sure that `max_model_len` is no smaller than the number of text tokens.',
        'BadRequestError',
        400,
      ),
      'CONTEXT_OVERFLOW',
    ],
    [
      'SGLang',
      400,
      openai(
        "The input (150000 tokens) is longer than the model's context length (131072 tokens).",
        'BadRequestError',
        400,
      ),
      'CONTEXT_OVERFLOW',
    ],
    [
      'TensorRT-LLM',
      400,
      openai('Prompt length (9000) exceeds maximum input length (8192)', 'BadRequestError', 400),
      'CONTEXT_OVERFLOW',
    ],
    ['Bedrock', 400, openai('Too many input tokens. Max input tokens: 8192', null), 'CONTEXT_OVERFLOW'],
    [
      'GitHub Models',
      413,
      openai('Request body too large for gpt-4o model. Max size: 8000 tokens.', null, 'tokens_limit_reached'),
      'CONTEXT_OVERFLOW',
    ],
    [
      'Ollama: 500 for tools',
      400,
      openai('registry.ollama.ai/library/gemma:2b does not support tools', 'api_error'),
      'INVALID_REQUEST',
    ],
    ['a field of Anthropic', 400, openai('tools.0.custom.input_schema: JSON schema is invalid.'), 'INVALID_REQUEST'],
  ])('%s', (_, status, body, code) => {
    expect(errorOf(status, body)).toMatchObject({ code, retryable: false });
  });

  test('fits the message to the reason', () => {
    const said = (status: number, message: string) => errorOf(status, openai(message, null)).message;
    expect(said(404, 'No endpoints found that support tool use.')).not.toMatch(/its name|base URL/);
    expect(said(404, 'No endpoints found that support tool use.')).toMatch(/Choose another model, or leave out/);
    expect(said(400, 'You have reached your specified API usage limits.')).toMatch(/spending limit .* Raise the limit/);
    expect(said(404, 'The model `x` does not exist')).toMatch(/Check its name/);
  });
});

describe('how long a service asks to wait', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const day = 86_400_000;

  test.each<[string, number | undefined]>([
    ['Usage limit reached. Please try again in 2 days.', 2 * day],
    ['try again in 1 day and 3 hours', day + 3 * 3_600_000],
    ['Please try again in 2h30m.', 2.5 * 3_600_000],
    ['try again in 1h2m3.5s', 3_723_500],
    ['try again in 1 week', 7 * day],
    ['retry after 90 mins', 90 * 60_000],
    ['try again in 3 fortnights', undefined],
    ['try again in 5 business days', undefined],
    ['{"retry_after_ms": 1500}', 1_500],
    ['{"retryAfter":"7s"}', 7_000],
    ['You will regain access on 2026-01-03 at 00:00 UTC.', 2 * day],
    ['Try again at 2026-01-01T00:00:30Z', 30_000],
    ['Try again at 5pm', undefined],
  ])('in the body: %s', (body, expected) => {
    expect(retryAfter({ body }, now)).toBe(expected);
  });

  test.each<[string, Record<string, string>, number | undefined]>([
    ['both headers', { 'retry-after-ms': '1500', 'retry-after': '2' }, 1_500],
    ['two days in seconds', { 'retry-after': '172800' }, 2 * day],
    ['a date', { 'retry-after': 'Sat, 03 Jan 2026 00:00:00 GMT' }, 2 * day],
    ['a broken header beside a good one', { 'retry-after-ms': 'soon', 'retry-after': '3' }, 3_000],
    [
      'OpenAI: the exhausted limit alone',
      {
        'x-ratelimit-reset-requests': '6m0s',
        'x-ratelimit-remaining-requests': '5',
        'x-ratelimit-reset-tokens': '1.5s',
        'x-ratelimit-remaining-tokens': '0',
      },
      1_500,
    ],
    [
      'Anthropic: a time',
      {
        'anthropic-ratelimit-input-tokens-reset': '2026-01-01T00:00:20Z',
        'anthropic-ratelimit-input-tokens-remaining': '0',
      },
      20_000,
    ],
    ['nothing exhausted', { 'x-ratelimit-reset': '60', 'x-ratelimit-remaining': '7' }, undefined],
    ['seconds since the epoch', { 'x-ratelimit-reset': String(now / 1_000 + 9), 'x-ratelimit-remaining': '0' }, 9_000],
  ])('in the headers: %s', (_, headers, expected) => {
    expect(retryAfter({ headers: new Headers(headers), body: '', isLimited: true }, now)).toBe(expected);
  });

  test('reads the headers that OpenRouter repeats in the body, for a limit only', () => {
    const headers = { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(now + 4_000) };
    const body = { error: { message: 'Rate limit exceeded: free-models-per-min.', code: 429, metadata: { headers } } };
    expect(classifyError({ host: 'h', status: 429, body }, now).retryAfter).toBe(4_000);
    expect(classifyError({ host: 'h', status: 500, body }, now).retryAfter).toBeUndefined();
  });

  test('says in the message how long', () => {
    expect(
      errorOf(429, openai('Usage limit reached. Please try again in 2 days.', 'tokens', 'rate_limit_exceeded')),
    ).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      retryAfter: 2 * day,
      message: expect.stringMatching(/ Try again in 2 days\.$/),
    });
    expect([500, 1_000, 89_000, 90_000, 5_400_000, 40 * 3_600_000].map(delayWords)).toEqual([
      '1 second',
      '1 second',
      '89 seconds',
      '2 minutes',
      '2 hours',
      '2 days',
    ]);
  });
});
