import type { JsonObject } from '../../src/core/json.ts';
import { toObject, toText } from '../../src/core/model/read-json.ts';
import type { Provider } from '../../src/llm/providers/provider.ts';
import { type Answer, type AnswerStyle, toBody } from './answers.ts';

/** A request that a strict service received. */
export interface ServiceRequest {
  readonly body: JsonObject;
  readonly headers: Headers;
  /** What the service has issued so far: signatures, encrypted reasoning, ids of calls. */
  readonly issued: ReadonlySet<string>;
}

/** Something that a service refuses. */
export interface Rule {
  /** In one clause, for the table of the docs. */
  readonly refuses: string;
  /** A page with its section, or a public report. */
  readonly source: string;
  /** Returns the service's words where the request breaks the rule. */
  readonly check: (request: ServiceRequest) => string | undefined;
}

/** What a strict service is. */
export interface ServiceSpec {
  readonly provider: Provider;
  readonly style: AnswerStyle;
  readonly rules: readonly Rule[];
}

/** A service that refuses what its documentation says it refuses, in the process of the test. */
export interface StrictService {
  readonly fetch: typeof globalThis.fetch;
  /** The answers to come, first one first. Without one the answer is a text. */
  readonly answers: Answer[];
  readonly requests: readonly JsonObject[];
  /** `rule: words` of each refused request. */
  readonly refusals: readonly string[];
}

/** Returns what the rules say of a request, as `rule: words`. */
export function refusalsOf(rules: readonly Rule[], request: ServiceRequest): readonly string[] {
  return rules.flatMap((rule) => {
    const words = rule.check(request);
    return words === undefined ? [] : [`${rule.refuses}: ${words}`];
  });
}

/** Creates a service with its rules, and with what it must recognize of its own answers. */
export function createStrictService({ style, rules }: ServiceSpec): StrictService {
  const answers: Answer[] = [];
  const requests: JsonObject[] = [];
  const refusals: string[] = [];
  const issued = new Set<string>();
  const fetch: typeof globalThis.fetch = (_url, init) => {
    const body = toObject(JSON.parse(toText(init?.body)));
    requests.push(body);
    const refused = refusalsOf(rules, { body, headers: new Headers(init?.headers), issued });
    if (refused.length > 0) {
      refusals.push(...refused);
      const error = { type: 'invalid_request_error', message: refused[0] };
      return Promise.resolve(Response.json({ type: 'error', error }, { status: 400 }));
    }
    const answer = answers.shift() ?? { say: 'Done.' };
    const text = toBody(style, answer, issued);
    const bytes = new TextEncoder().encode(text);
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes);
        if (answer.ends !== 'never') controller.close();
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason), { once: true });
      },
    });
    return Promise.resolve(new Response(stream, { headers: { 'content-type': 'text/event-stream' } }));
  };
  return { fetch, answers, requests, refusals };
}
