import { describe, expect, test } from 'vitest';
import type { AgentErrorCode } from '../../../src/core/error.ts';
import { classifyError } from '../../../src/llm/transport/classify-error.ts';

type Row = readonly [code: AgentErrorCode, status: number, body: string];

/** Error replies of services, verbatim. */
const bodies: Readonly<Record<string, readonly Row[]>> = {
  OpenAI: [
    [
      'AUTHENTICATION_FAILED',
      401,
      '{"error":{"message":"Incorrect API key provided: sk-proj-abc***xyz. You can find your API key at https://platform.openai.com/account/api-keys.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}',
    ],
    [
      'INSUFFICIENT_QUOTA',
      429,
      '{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}',
    ],
    [
      'RATE_LIMIT_EXCEEDED',
      429,
      '{"error":{"message":"Rate limit reached for gpt-5 in organization org-a on tokens per min (TPM): Limit 30000, Used 29000, Requested 5000. Please try again in 8s.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}',
    ],
    [
      'MODEL_NOT_FOUND',
      404,
      '{"error":{"message":"The model `gpt-9` does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}',
    ],
    [
      'CONTEXT_OVERFLOW',
      400,
      '{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}',
    ],
    [
      'INVALID_REQUEST',
      400,
      `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}`,
    ],
    [
      'INVALID_REQUEST',
      400,
      '{"error":{"message":"Function tools with reasoning_effort are not supported for this model in /v1/chat/completions. Please use /v1/responses instead.","type":"invalid_request_error","param":"reasoning_effort","code":null}}',
    ],
    [
      'CONTENT_FILTERED',
      400,
      '{"error":{"message":"Invalid prompt: your prompt was flagged as potentially violating our usage policy.","type":"invalid_request_error","param":null,"code":"invalid_prompt"}}',
    ],
    [
      'PERMISSION_DENIED',
      403,
      '{"error":{"code":"unsupported_country_region_territory","message":"Country, region, or territory not supported","param":null,"type":"request_forbidden"}}',
    ],
    [
      'OVERLOADED',
      503,
      '{"error":{"message":"The engine is currently overloaded, please try again later","type":"server_error"}}',
    ],
    [
      'LLM_API_ERROR',
      500,
      '{"error":{"message":"The server had an error while processing your request. Sorry about that!","type":"server_error","param":null,"code":null}}',
    ],
  ],
  Anthropic: [
    [
      'AUTHENTICATION_FAILED',
      401,
      '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"},"request_id":"req_1"}',
    ],
    [
      'INSUFFICIENT_QUOTA',
      400,
      '{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."}}',
    ],
    [
      'RATE_LIMIT_EXCEEDED',
      429,
      `{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization's rate limit of 40,000 input tokens per minute. Please reduce the prompt length or the maximum tokens requested."}}`,
    ],
    ['MODEL_NOT_FOUND', 404, '{"type":"error","error":{"type":"not_found_error","message":"model: claude-nine"}}'],
    [
      'CONTEXT_OVERFLOW',
      400,
      '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 213462 tokens > 200000 maximum"}}',
    ],
    [
      'CONTEXT_OVERFLOW',
      400,
      '{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 199211 + 20000 > 200000, decrease input length or `max_tokens` and try again"}}',
    ],
    [
      'CONTEXT_OVERFLOW',
      413,
      '{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
    ],
    [
      'INVALID_REQUEST',
      400,
      '{"type":"error","error":{"type":"invalid_request_error","message":"messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1."}}',
    ],
    [
      'PERMISSION_DENIED',
      403,
      '{"type":"error","error":{"type":"permission_error","message":"Your API token does not have permission to use the specified resource"}}',
    ],
    ['OVERLOADED', 529, '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'],
    ['LLM_API_ERROR', 500, '{"type":"error","error":{"type":"api_error","message":"Internal server error"}}'],
  ],
  Google: [
    [
      'AUTHENTICATION_FAILED',
      400,
      '[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}]',
    ],
    [
      'AUTHENTICATION_FAILED',
      400,
      '[{"error":{"code":400,"message":"Missing or invalid Authorization header.","status":"INVALID_ARGUMENT"}}]',
    ],
    [
      'RATE_LIMIT_EXCEEDED',
      429,
      '[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details. Please retry in 44.1s.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"44s"}]}}]',
    ],
    [
      'MODEL_NOT_FOUND',
      404,
      '[{"error":{"code":404,"message":"models/gemini-9 is not found for API version v1main, or is not supported for generateContent.","status":"NOT_FOUND"}}]',
    ],
    [
      'CONTEXT_OVERFLOW',
      400,
      '[{"error":{"code":400,"message":"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).","status":"INVALID_ARGUMENT"}}]',
    ],
    [
      'OVERLOADED',
      503,
      '[{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}]',
    ],
  ],
  OpenRouter: [
    ['AUTHENTICATION_FAILED', 401, '{"error":{"message":"No auth credentials found","code":401}}'],
    [
      'INSUFFICIENT_QUOTA',
      402,
      '{"error":{"message":"This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 1234.","code":402}}',
    ],
    [
      'RATE_LIMIT_EXCEEDED',
      429,
      '{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"x/y is temporarily rate-limited upstream.","provider_name":"Z"}}}',
    ],
    ['MODEL_NOT_FOUND', 400, '{"error":{"message":"x/y is not a valid model ID","code":400},"user_id":"user_1"}'],
    ['MODEL_NOT_FOUND', 404, '{"error":{"message":"No endpoints found for x/y.","code":404}}'],
    [
      'CONTEXT_OVERFLOW',
      400,
      '{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\\"type\\":\\"error\\",\\"error\\":{\\"message\\":\\"prompt is too long: 213462 tokens > 200000 maximum\\"}}"}}}',
    ],
    [
      'CONTENT_FILTERED',
      403,
      '{"error":{"message":"Your chosen model requires moderation and your input was flagged","code":403,"metadata":{"reasons":["violence"]}}}',
    ],
    [
      'LLM_API_ERROR',
      502,
      '{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"upstream is down"}}}',
    ],
  ],
  DeepSeek: [
    [
      'AUTHENTICATION_FAILED',
      401,
      '{"error":{"message":"Authentication Fails, Your api key: ****abcd is invalid","type":"authentication_error","param":null,"code":"invalid_request_error"}}',
    ],
    [
      'INSUFFICIENT_QUOTA',
      402,
      '{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}',
    ],
    [
      'MODEL_NOT_FOUND',
      400,
      '{"error":{"message":"Model Not Exist","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}',
    ],
    [
      'CONTEXT_OVERFLOW',
      400,
      `{"error":{"message":"This model's maximum context length is 131072 tokens. However, you requested 140000 tokens (139000 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`,
    ],
    [
      'INVALID_REQUEST',
      400,
      '{"error":{"message":"The `reasoning_content` in the thinking mode must be passed back to the API.","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}',
    ],
    ['OVERLOADED', 503, '{"error":{"message":"Service is too busy.","type":"service_unavailable_error"}}'],
  ],
  Mistral: [
    ['AUTHENTICATION_FAILED', 401, '{"detail":"Unauthorized"}'],
    [
      'MODEL_NOT_FOUND',
      400,
      '{"object":"error","message":"Invalid model: foo","type":"invalid_model","param":null,"code":"1500"}',
    ],
    [
      'INVALID_REQUEST',
      422,
      '{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted","input":{"include_usage":true}}]},"type":"invalid_request_error","param":null,"code":null}',
    ],
    [
      'CONTEXT_OVERFLOW',
      400,
      '{"object":"error","message":"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_prompt","param":null,"code":"3051"}',
    ],
    [
      'RATE_LIMIT_EXCEEDED',
      429,
      '{"object":"error","message":"Service tier capacity exceeded for this model.","type":"service_tier_capacity_exceeded","param":null,"code":"3505"}',
    ],
  ],
  Groq: [
    [
      'AUTHENTICATION_FAILED',
      401,
      '{"error":{"message":"Invalid API Key","type":"invalid_request_error","code":"invalid_api_key"}}',
    ],
    [
      'RATE_LIMIT_EXCEEDED',
      429,
      '{"error":{"message":"Rate limit reached for model `x` on tokens per minute (TPM): Limit 6000, Used 5900, Requested 1000. Please try again in 7.66s.","type":"tokens","code":"rate_limit_exceeded"}}',
    ],
    [
      'LLM_API_ERROR',
      400,
      `{"error":{"message":"Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"<function=f{}>"}}`,
    ],
    [
      'CONTEXT_OVERFLOW',
      400,
      '{"error":{"message":"Please reduce the length of the messages or completion.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}',
    ],
    ['OVERLOADED', 498, '{"error":{"message":"Flex tier capacity exceeded","type":"capacity_exceeded"}}'],
  ],
  xAI: [
    [
      'AUTHENTICATION_FAILED',
      400,
      '{"code":"Client specified an invalid argument","error":"Incorrect API key provided: xa***yy. You can obtain an API key from https://console.x.ai."}',
    ],
    [
      'INSUFFICIENT_QUOTA',
      403,
      `{"code":"The caller does not have permission to execute the specified operation","error":"Your newly created teams doesn't have any credits or licenses yet."}`,
    ],
    [
      'INSUFFICIENT_QUOTA',
      429,
      '{"code":"Some resource has been exhausted","error":"Your team has either used all available credits or reached its monthly spending limit."}',
    ],
    [
      'MODEL_NOT_FOUND',
      404,
      '{"code":"Some requested entity was not found","error":"The model grok-9 does not exist or your team does not have access to it."}',
    ],
    [
      'CONTEXT_OVERFLOW',
      400,
      `{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 537812 tokens."}`,
    ],
  ],
  Qwen: [
    [
      'AUTHENTICATION_FAILED',
      401,
      '{"error":{"message":"Incorrect API key provided. ","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}',
    ],
    [
      'INSUFFICIENT_QUOTA',
      400,
      '{"error":{"message":"Access denied, please make sure your account is in good standing.","type":"Arrearage","param":null,"code":"Arrearage"}}',
    ],
    [
      'CONTENT_FILTERED',
      400,
      '{"error":{"message":"Input data may contain inappropriate content.","type":"data_inspection_failed","param":null,"code":"data_inspection_failed"}}',
    ],
    [
      'CONTEXT_OVERFLOW',
      400,
      '{"error":{"message":"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]","type":"invalid_request_error","param":null,"code":"invalid_parameter_error"}}',
    ],
    [
      'RATE_LIMIT_EXCEEDED',
      429,
      '{"error":{"message":"You have exceeded your request limit.","type":"limit_requests","param":null,"code":"limit_requests"}}',
    ],
  ],
  Zhipu: [
    [
      'AUTHENTICATION_FAILED',
      401,
      '{"error":{"code":"1002","message":"Authorization Token非法，请确认Authorization Token正确传递"}}',
    ],
    [
      'INSUFFICIENT_QUOTA',
      429,
      '{"error":{"code":"1113","message":"Insufficient balance or no resource package. Please recharge."}}',
    ],
    ['INSUFFICIENT_QUOTA', 429, '{"error":{"code":"1113","message":"余额不足或无可用资源包,请充值。"}}'],
    ['MODEL_NOT_FOUND', 400, '{"error":{"code":"1211","message":"Unknown Model, please check the model code."}}'],
    ['CONTEXT_OVERFLOW', 400, '{"error":{"code":"1261","message":"Prompt exceeds max length"}}'],
    [
      'CONTENT_FILTERED',
      400,
      '{"contentFilter":[{"level":1,"role":"user"}],"error":{"code":"1301","message":"System detected potentially unsafe or sensitive content in input or generation."}}',
    ],
    [
      'RATE_LIMIT_EXCEEDED',
      429,
      '{"error":{"code":"1302","message":"High concurrency usage of this API, please reduce concurrency."}}',
    ],
  ],
  Moonshot: [
    [
      'AUTHENTICATION_FAILED',
      401,
      '{"error":{"message":"Invalid Authentication","type":"invalid_authentication_error"}}',
    ],
    [
      'INSUFFICIENT_QUOTA',
      429,
      '{"error":{"message":"Your account org-1 is suspended, please check your plan and billing details","type":"exceeded_current_quota_error"}}',
    ],
    [
      'OVERLOADED',
      429,
      '{"error":{"message":"The engine is currently overloaded, please try again later","type":"engine_overloaded_error"}}',
    ],
    [
      'MODEL_NOT_FOUND',
      404,
      '{"error":{"message":"Not found the model kimi-9 or Permission denied","type":"resource_not_found_error"}}',
    ],
    [
      'CONTEXT_OVERFLOW',
      400,
      '{"error":{"message":"Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)","type":"invalid_request_error"}}',
    ],
    [
      'CONTENT_FILTERED',
      400,
      '{"error":{"message":"The request was rejected because it was considered high risk","type":"content_filter"}}',
    ],
  ],
  Together: [
    [
      'AUTHENTICATION_FAILED',
      401,
      '{"id":"a","error":{"message":"Invalid API key provided. You can find your API key at https://api.together.xyz/settings/api-keys.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}',
    ],
    [
      'CONTEXT_OVERFLOW',
      422,
      '{"error":{"message":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`","type":"invalid_request_error","param":null,"code":null}}',
    ],
    [
      'MODEL_NOT_FOUND',
      404,
      '{"error":{"message":"Unable to access model x/y. Please visit https://api.together.ai/models to view the list of supported models.","type":"invalid_request_error","param":null,"code":"model_not_available"}}',
    ],
  ],
  Azure: [
    [
      'AUTHENTICATION_FAILED',
      401,
      '{"error":{"code":"401","message":"Access denied due to invalid subscription key or wrong API endpoint."}}',
    ],
    [
      'MODEL_NOT_FOUND',
      404,
      '{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again."}}',
    ],
    [
      'RATE_LIMIT_EXCEEDED',
      429,
      '{"error":{"code":"429","message":"Requests to the ChatCompletions_Create Operation have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 6 seconds."}}',
    ],
    [
      'CONTENT_FILTERED',
      400,
      `{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}}`,
    ],
  ],
  'servers at home': [
    [
      'MODEL_NOT_FOUND',
      404,
      '{"error":{"message":"model \\"x\\" not found, try pulling it first","type":"api_error","param":null,"code":null}}',
    ],
    [
      'INVALID_REQUEST',
      400,
      '{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools","type":"api_error","param":null,"code":null}}',
    ],
    [
      'CONTEXT_OVERFLOW',
      400,
      '{"error":{"message":"prompt too long; exceeded max context length by 12 tokens","type":"api_error"}}',
    ],
    [
      'MODEL_NOT_FOUND',
      400,
      `{"error":"No models loaded. Please load a model in the developer page or use the 'lms load' command."}`,
    ],
    [
      'CONTEXT_OVERFLOW',
      400,
      '{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough."}',
    ],
    [
      'CONTEXT_OVERFLOW',
      400,
      '{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}}',
    ],
    ['OVERLOADED', 503, '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}'],
    ['AUTHENTICATION_FAILED', 401, '{"error":"Unauthorized"}'],
    [
      'MODEL_NOT_FOUND',
      404,
      '{"object":"error","message":"The model `x` does not exist.","type":"NotFoundError","param":null,"code":404}',
    ],
    [
      'INVALID_REQUEST',
      400,
      '{"object":"error","message":"\\"auto\\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","param":null,"code":400}',
    ],
  ],
};

describe.each(Object.entries(bodies))('error replies of %s', (_, rows) => {
  test.each(rows)('%s, as %i: %s', (code, status, body) => {
    const failure = classifyError({ host: 'api.test', status, body }, 0);
    expect(failure).toMatchObject({ code, status });
    // A retry makes sense only where the cause may be temporary.
    expect(failure.retryable).toBe(['RATE_LIMIT_EXCEEDED', 'OVERLOADED', 'LLM_API_ERROR'].includes(code));
  });
});

test('names the refused field, however the error is wrapped', () => {
  const fieldOf = (body: string): string | undefined =>
    /because of "(.*?)"/.exec(classifyError({ host: 'h', status: 400, body }, 0).message)?.[1];
  expect(fieldOf(bodies.OpenAI?.[5]?.[2] ?? '')).toBe('max_tokens');
  expect(fieldOf(bodies.Mistral?.[2]?.[2] ?? '')).toBe('body.stream_options');
});

test('finds the delay in the messages of Azure and Groq', () => {
  const waitOf = (body = ''): number | undefined => classifyError({ host: 'h', status: 429, body }, 0).retryAfter;
  expect(waitOf(bodies.Azure?.[2]?.[2])).toBe(6_000);
  expect(waitOf(bodies.Groq?.[1]?.[2])).toBe(7_660);
});
