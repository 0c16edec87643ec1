import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/core/json.ts';
import { classifyError } from '../../../src/llm/transport/classify-error.ts';
import { redact } from '../../../src/llm/transport/redact.ts';
import { retryAfter } from '../../../src/llm/transport/retry-after.ts';

const fail = (status: number | undefined, body: Json) =>
  classifyError({ host: 'api.test', body, ...(status !== undefined && { status }) }, 0);
const saying = (message: string): Json => ({ error: { message } });

describe('the code of an error reply', () => {
  test.each<[string, number | undefined, Json, string]>([
    [
      'OpenAI: bad key',
      401,
      { error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' } },
      'AUTHENTICATION_FAILED',
    ],
    [
      'xAI: bad key as 400',
      400,
      { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xx***yy.' },
      'AUTHENTICATION_FAILED',
    ],
    [
      'Google: bad key as 400',
      400,
      [
        {
          error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' },
        },
      ],
      'AUTHENTICATION_FAILED',
    ],
    ['OpenRouter: no credit', 402, { error: { message: 'Insufficient credits', code: 402 } }, 'INSUFFICIENT_QUOTA'],
    [
      'OpenAI: no credit as 429',
      429,
      {
        error: {
          message: 'You exceeded your current quota, please check your plan',
          type: 'insufficient_quota',
          code: 'insufficient_quota',
        },
      },
      'INSUFFICIENT_QUOTA',
    ],
    ['DeepSeek: no credit', 402, { error: { message: 'Insufficient Balance' } }, 'INSUFFICIENT_QUOTA'],
    [
      'Anthropic: no credit as 400',
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the API.' },
      },
      'INSUFFICIENT_QUOTA',
    ],
    [
      'OpenAI: rate limit',
      429,
      {
        error: {
          message:
            'Rate limit reached for gpt-5 on tokens per min (TPM): Limit 10000, Used 9999. Please try again in 6ms.',
          type: 'tokens',
          code: 'rate_limit_exceeded',
        },
      },
      'RATE_LIMIT_EXCEEDED',
    ],
    [
      "Groq: larger than the minute's tokens",
      413,
      { error: { message: 'Request too large for model on tokens per minute (TPM)', code: 'rate_limit_exceeded' } },
      'CONTEXT_OVERFLOW',
    ],
    [
      'Kimi: overloaded as 429',
      429,
      { error: { message: 'The engine is currently overloaded', type: 'engine_overloaded_error' } },
      'OVERLOADED',
    ],
    [
      'Anthropic: overloaded',
      529,
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      'OVERLOADED',
    ],
    ['503', 503, '', 'OVERLOADED'],
    [
      'OpenAI: unknown model',
      404,
      {
        error: {
          message: 'The model `gpt-9` does not exist or you do not have access to it.',
          code: 'model_not_found',
        },
      },
      'MODEL_NOT_FOUND',
    ],
    [
      'Ollama: unknown model',
      404,
      { error: { message: 'model "x" not found, try pulling it first', type: 'api_error' } },
      'MODEL_NOT_FOUND',
    ],
    [
      'OpenRouter: unknown model as 400',
      400,
      { error: { message: 'x/y is not a valid model ID', code: 400 } },
      'MODEL_NOT_FOUND',
    ],
    [
      'Azure: content filter',
      400,
      {
        error: {
          code: 'content_filter',
          message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        },
      },
      'CONTENT_FILTERED',
    ],
    [
      'OpenAI: bad parameter',
      400,
      {
        error: {
          message: "Unknown parameter: 'timeout'.",
          type: 'invalid_request_error',
          param: 'timeout',
          code: 'unknown_parameter',
        },
      },
      'INVALID_REQUEST',
    ],
    [
      'FastAPI: bad field',
      422,
      { detail: [{ loc: ['body', 'messages'], msg: 'field required', type: 'value_error' }] },
      'INVALID_REQUEST',
    ],
    ['403', 403, { error: { message: 'Country not supported' } }, 'PERMISSION_DENIED'],
    ['408', 408, '', 'REQUEST_TIMEOUT'],
    ['504 of a proxy', 504, '<html>Gateway Timeout</html>', 'REQUEST_TIMEOUT'],
    ['409', 409, '', 'LLM_API_ERROR'],
    ['500', 500, 'Internal Server Error', 'LLM_API_ERROR'],
    ['418', 418, '', 'INVALID_REQUEST'],
    ['nothing known', undefined, { error: 'hm' }, 'LLM_API_ERROR'],
    ['an empty list', 500, [], 'LLM_API_ERROR'],
    ['lists in lists', 500, [[[{ error: 'x' }]]], 'LLM_API_ERROR'],
    ['null', undefined, null, 'LLM_API_ERROR'],
  ])('%s', (_, status, body, code) => {
    expect(fail(status, body)).toMatchObject({ code, ...(status !== undefined && { status }) });
  });

  test.each([
    'prompt is too long: 213462 tokens > 200000 maximum',
    'Your input exceeds the context window of this model',
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens.",
    'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)',
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens",
    'Please reduce the length of the messages or completion',
    "This endpoint's maximum context length is 4096 tokens. However, you requested about 5000 tokens",
    'the request exceeds the available context size, try increasing it',
    'The number of tokens to keep from the initial prompt is greater than the context length',
    'invalid params, context window exceeds limit',
    'Your request exceeded model token limit: 8192 (requested: 9000)',
    'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
    'Input is too long for requested model.',
    'prompt token count of 70000 exceeds the limit of 64000',
    'prompt too long; exceeded max context length by 12 tokens',
    'Range of input length should be [1, 30720]',
    '`inputs` tokens + `max_new_tokens` must be <= 8193',
    'Input tokens exceed the configured limit of 272000 tokens.',
    'tokens in request more than max tokens allowed',
    'request_too_large: Request exceeds the maximum size',
  ])('26: is CONTEXT_OVERFLOW for "%s"', (message) => {
    expect(fail(400, saying(message)).code).toBe('CONTEXT_OVERFLOW');
    expect(fail(undefined, saying(message)).code).toBe('CONTEXT_OVERFLOW');
  });

  test('26: is CONTEXT_OVERFLOW for a 400 or 413 without a body of Cerebras, and of no other host', () => {
    const emptyFrom = (host: string, status: number) => classifyError({ host, status, body: '' }, 0).code;
    for (const status of [400, 413]) {
      expect(emptyFrom('api.cerebras.ai', status)).toBe('CONTEXT_OVERFLOW');
      expect(emptyFrom('api.test', status)).toBe('INVALID_REQUEST');
      expect(emptyFrom('cerebras.ai.test', status)).toBe('INVALID_REQUEST');
    }
  });

  test.each([
    'max_tokens is too large: 100000. This model supports at most 16384 completion tokens.',
    'Too many requests, please wait',
    'string too long. Expected a string with maximum length 1048576',
  ])('is not CONTEXT_OVERFLOW for "%s"', (message) => {
    expect(fail(400, saying(message)).code).not.toBe('CONTEXT_OVERFLOW');
  });

  test("is RATE_LIMIT_EXCEEDED for Google's quota per minute, which states when to try again", () => {
    const quota = 'You exceeded your current quota, please check your plan.';
    expect(fail(429, saying(`${quota} Please retry in 44.1s.`))).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      retryAfter: 44_100,
    });
    expect(fail(429, saying(quota)).code).toBe('INSUFFICIENT_QUOTA');
  });
});

describe('the message of an error reply', () => {
  test('states what happened, to what, and what to do next', () => {
    expect(fail(401, saying('Bad key')).message).toBe(
      '401 from api.test: the key was refused. It said: "Bad key." Check that it is complete, and made for this service.',
    );
    expect(fail(undefined, saying('')).message).toBe('api.test: the service failed. Try again later.');
  });

  test('quotes at most 300 characters, on one line, and no web page', () => {
    expect(fail(500, saying(`a\n\n${'x'.repeat(1_000)}`)).message.length).toBeLessThan(450);
    expect(fail(502, '<html><title>Bad gateway</title>').message).not.toContain('<');
  });

  test('contains no key, not even half of one at the end of the excerpt', () => {
    const key = 'my-own-secret-key';
    for (let before = 270; before < 310; before += 1) {
      const body = saying(`${'x'.repeat(before)}${key}`);
      const { message } = classifyError({ host: 'h', status: 401, body, secrets: [key] }, 0);
      expect(message).not.toContain('my-own');
    }
    expect(
      fail(401, saying('Incorrect API key provided: sk-proj-abc***xyz. gsk_abcdefgh AIzaSyabcdefg Bearer abcdefgh'))
        .message,
    ).not.toMatch(/abc|xyz/);
  });

  test('includes the message of the provider behind a provider (OpenRouter)', () => {
    expect(
      fail(502, { error: { message: 'Provider returned error', code: 502, metadata: { raw: 'upstream is down' } } })
        .message,
    ).toContain('upstream is down');
  });
});

test('redacts in linear time, whatever the text', () => {
  const texts = [
    'sk-'.repeat(300_000),
    'Bearer '.repeat(100_000),
    `Bearer ${' '.repeat(1_000_000)}x`,
    'a'.repeat(1_000_000),
  ];
  for (const text of texts) expect(redact(text, ['secret']).length).toBeLessThanOrEqual(text.length + 1_000_000);
});

describe('the delay that a service asks for', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const header = (name: string, value: string) => ({ get: (asked: string) => (asked === name ? value : null) });

  test.each<[string, string, number | undefined]>([
    ['retry-after', '7', 7_000],
    ['retry-after', '0.5', 500],
    ['retry-after-ms', '250', 250],
    ['retry-after', 'Thu, 01 Jan 2026 00:00:20 GMT', 20_000],
    ['retry-after', 'Wed, 31 Dec 2025 00:00:00 GMT', undefined],
    ['retry-after', '1000000000', 3_600_000],
    ['retry-after', '1e9', 3_600_000],
    ['retry-after', '-5', undefined],
    ['retry-after', 'NaN', undefined],
    ['retry-after', 'soon', undefined],
    ['retry-after', 'Infinity', 3_600_000],
  ])('%s: %s', (name, value, expected) => {
    expect(retryAfter({ headers: header(name, value), body: '' }, now)).toBe(expected);
  });

  test.each<[string, number | undefined]>([
    ['Please try again in 6ms.', 6],
    ['Please try again in 1.5s.', 1_500],
    ['Please try again in 1m2.5s.', 62_500],
    ['Please retry in 20 seconds', 20_000],
    ['try again in 2 minutes', 120_000],
    ['{"@type":"RetryInfo","retryDelay":"30s"}', 30_000],
    ['{"retryDelay": "30.5s"}', 30_500],
    ['{"retry_after": 5}', 5_000],
    ['try again in 1 hour', 3_600_000],
    ['try again in 1.2.3s', undefined],
    ['try again later', undefined],
  ])('a hint in the body: %s', (body, expected) => {
    expect(retryAfter({ body }, now)).toBe(expected);
  });
});
