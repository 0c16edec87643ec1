import type { IncomingHttpHeaders } from 'node:http';
import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { toObject } from '../../../../src/core/model/read-json.ts';
import { refusalsOf } from '../../../services/service.ts';
import { services } from '../../../services/services.ts';

/** What a service answers instead of an answer: a status and the `error` of its body. */
export type Refusal = readonly [status: number, error: { readonly message: string } & Record<string, unknown>];

/**
 * Returns why the service at a path refuses a request, as real services do: without a key, by the rules of the strict services in
 * `test/services`, which give their sources, and by the schema of AG-UI.
 */
export function refuse(path: string, body: string, headers: IncomingHttpHeaders): Refusal | undefined {
  const json: unknown = JSON.parse(body);
  if (path.endsWith('/agent')) {
    const { error } = RunAgentInputSchema.safeParse(json);
    return error && [422, { message: error.message }];
  }
  const isResponses = path.endsWith('/responses');
  // Source: the body with which api.openai.com answers a request without the header.
  if (isResponses && !/^Bearer \S+$/u.test(headers.authorization ?? ''))
    return [401, { message: "You didn't provide an API key.", type: 'invalid_request_error', code: null, param: null }];
  const rules = services[isResponses ? 'openai' : 'compatible']?.rules ?? [];
  const [message] = refusalsOf(rules, { body: toObject(json), headers: new Headers(), issued: new Set() });
  return message === undefined ? undefined : [400, { message, type: 'invalid_request_error', code: null, param: null }];
}
