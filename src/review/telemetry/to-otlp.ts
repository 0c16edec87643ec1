import { named } from '../../core/model/shapes/named.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { createReview } from '../create-review.ts';
import { type OTLPTraces, toAttributes } from './otlp.ts';
import { toSpans } from './spans.ts';

/** Options of `toOTLP`, all optional. */
export interface OTLPOptions {
  /** Whether the spans contain instructions, messages, inputs and outputs of tools, and messages of errors. Default `false`. */
  readonly texts?: boolean;
  /** `gen_ai.provider.name`: `openai`, `anthropic`, … A log does not name the provider. Default `unknown`. */
  readonly provider?: string;
  /** `service.name` of the resource. Default `brooklet`. */
  readonly serviceName?: string;
}

/**
 * The last release of the GenAI conventions that has a published schema. Later ones are in a repository of their own
 * (semantic-conventions-genai 0.1.0).
 */
const schemaUrl = 'https://opentelemetry.io/schemas/1.41.0';

/**
 * Returns a log as traces of OpenTelemetry, by the GenAI semantic conventions 1.41.0: a trace for each run (`invoke_agent`), in it a span for each
 * request (`chat`) and for each call that started (`execute_tool`). Pure: the same log always results in the same ids. What has not ended
 * ends with the log.
 *
 *     const body = JSON.stringify(toOTLP(stored.events, { provider: 'openai' })); // POST to …/v1/traces as application/json
 *
 * @param log events in the order of `seq`, of any version; mask it first with `maskLog` where texts must not leave the page
 */
export function toOTLP(log: readonly SessionEvent[], options: OTLPOptions = {}): OTLPTraces {
  const {
    texts = false,
    provider = 'unknown',
    serviceName = 'brooklet',
  } = named(options, { texts: true, provider: true, serviceName: true }, 'toOTLP');
  const spans = toSpans(createReview(log), { texts, provider });
  const scopeSpans = [{ scope: { name: 'brooklet' }, spans, schemaUrl }];
  return { resourceSpans: [{ resource: { attributes: toAttributes({ 'service.name': serviceName }) }, scopeSpans }] };
}
