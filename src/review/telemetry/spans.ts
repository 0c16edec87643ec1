import { defined } from '../../core/json.ts';
import { totalInput, type Usage } from '../../core/model/message.ts';
import type { RequestRecord } from '../../core/model/settings.ts';
import { noUsage } from '../../core/model/state.ts';
import { addUsage } from '../../core/model/usage.ts';
import type { ReviewCall } from '../review-call.ts';
import type { Review } from '../create-review.ts';
import { outputText } from '../output-text.ts';
import type { ReviewRun, ReviewStep } from '../steps.ts';
import { type Attributes, type OTLPSpan, toAttributes, toHexId, toNano } from './otlp.ts';
import { answerTexts, requestTexts } from './texts.ts';

export interface SpanOptions {
  readonly texts: boolean;
  readonly provider: string;
}

/** What the spans of a log have in common. */
interface Scene extends SpanOptions {
  readonly review: Review;
  readonly sessionId: string;
  /** Inputs of the requests, by the `seq` of their step. */
  readonly requests: ReadonlyMap<number, RequestRecord>;
  /** Tokens by the index of the run. */
  readonly usage: ReadonlyMap<number, Usage>;
}

/** The ids of a span. Deterministic, so that a second export replaces the first. */
interface Ids {
  readonly traceId: string;
  readonly spanId: string;
}

/** Returns the spans of a log: each run, then its requests and its calls. */
export function toSpans(review: Review, options: SpanOptions): readonly OTLPSpan[] {
  const started = review.events.find((event) => event.type === 'session.started');
  const sessionId = started?.sessionId ?? '';
  const scene: Scene = { ...options, review, sessionId, requests: requestsOf(review), usage: usageByRun(review) };
  return [
    ...review.runs.map((run) => runSpan(run, scene)),
    // Copied steps and calls are spans of the log from which they came.
    ...review.steps.filter(({ isCopied }) => isCopied !== true).map((step) => stepSpan(step, scene)),
    ...review.calls.filter(({ isCopied }) => isCopied !== true).flatMap((call) => callSpan(call, scene)),
  ];
}

function idsOf({ sessionId }: Scene, runId: string | undefined, part: string): Ids {
  const run = JSON.stringify([sessionId, runId]);
  return { traceId: toHexId(run, 32), spanId: toHexId(`${run} ${part}`, 16) };
}

const runIds = (scene: Scene, runId: string | undefined): Ids => idsOf(scene, runId, 'run');

/** A span without what all spans have. */
interface Draft {
  readonly name: string;
  readonly kind: OTLPSpan['kind'];
  readonly ids: Ids;
  readonly parentSpanId?: string;
  readonly at: number;
  readonly endedAt: number | undefined;
  readonly attributes: Attributes;
  readonly links?: OTLPSpan['links'];
  /** `error.type`; missing where nothing failed. */
  readonly failed: string | undefined;
  /** What the status says beside its code; a text. */
  readonly message: string | undefined;
}

function toSpan(draft: Draft, { review, sessionId, texts }: Scene): OTLPSpan {
  const { name, kind, ids, parentSpanId, at, endedAt = review.to, attributes, links = [], failed, message } = draft;
  return {
    ...ids,
    ...defined({ parentSpanId }),
    name,
    kind,
    startTimeUnixNano: toNano(at),
    endTimeUnixNano: toNano(Math.max(at, endedAt)),
    attributes: toAttributes({ 'gen_ai.conversation.id': sessionId, ...attributes, 'error.type': failed }),
    links,
    status: failed === undefined ? { code: 0 } : { code: 2, ...(texts && defined({ message })) },
  };
}

function runSpan(run: ReviewRun, scene: Scene): OTLPSpan {
  const { runId, resumes, at, endedAt, outcome, limit, error, isCompaction } = run;
  const resumed = resumes === undefined ? [] : [{ ...runIds(scene, resumes), attributes: [] }];
  return toSpan(
    {
      name: 'invoke_agent',
      kind: 1,
      ids: runIds(scene, runId),
      at,
      endedAt,
      links: resumed,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.provider.name': scene.provider,
        ...usageAttributes(scene.usage.get(run.index)),
        'brooklet.run.id': runId,
        'brooklet.run.outcome': outcome,
        'brooklet.run.limit': limit,
        'brooklet.run.is_compaction': isCompaction,
      },
      failed: error?.code ?? (outcome === 'failed' ? '_OTHER' : undefined),
      message: error?.message,
    },
    scene,
  );
}

/** Returns the tokens of each run, of its replies and its compactions, by the index of the run. */
function usageByRun({ usage: points, runs }: Review): ReadonlyMap<number, Usage> {
  const sums = new Map<number, Usage>();
  let run = -1;
  for (const { seq, usage, isCopied } of points) {
    if (isCopied === true) continue;
    while ((runs[run + 1]?.seq ?? Infinity) <= seq) run++;
    sums.set(run, addUsage(sums.get(run) ?? noUsage, usage));
  }
  return sums;
}

function requestsOf({ events }: Review): ReadonlyMap<number, RequestRecord> {
  return new Map(
    events.flatMap((event) => (event.type === 'reply.started' && event.request ? [[event.seq, event.request]] : [])),
  );
}

function usageAttributes(usage: Usage | undefined): Attributes {
  if (usage === undefined) return {};
  const { output, cached = 0, cacheRead = 0, cacheWritten, reasoning } = usage;
  return {
    'gen_ai.usage.input_tokens': totalInput(usage),
    'gen_ai.usage.output_tokens': output,
    'gen_ai.usage.cache_read.input_tokens': cached + cacheRead || undefined,
    'gen_ai.usage.cache_creation.input_tokens': cacheWritten || undefined,
    'gen_ai.usage.reasoning.output_tokens': reasoning || undefined,
  };
}

function stepSpan(step: ReviewStep, scene: Scene): OTLPSpan {
  const { runId, messageId, at, endedAt, finish, usage, error, model, seq } = step;
  const record = scene.requests.get(seq);
  const asked = record?.model ?? model;
  return toSpan(
    {
      name: asked === undefined ? 'chat' : `chat ${asked}`,
      kind: 3,
      ids: idsOf(scene, runId, `step ${messageId}`),
      parentSpanId: runIds(scene, runId).spanId,
      at,
      endedAt,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': scene.provider,
        'gen_ai.request.model': asked,
        'gen_ai.response.model': finish && model,
        'gen_ai.request.temperature': record?.temperature,
        'gen_ai.request.max_tokens': record?.maxTokens,
        'gen_ai.response.finish_reasons': finish && [finish],
        ...usageAttributes(usage),
        ...(scene.texts && { ...requestTexts(step.request), ...answerTexts(step.answer) }),
      },
      failed: error?.code,
      message: error?.message,
    },
    scene,
  );
}

/** Returns the span of a call that started: a call that was rejected or never decided took no time of a tool. */
function callSpan(call: ReviewCall, scene: Scene): readonly OTLPSpan[] {
  const { callId, name, seq, startedAt, endedAt, outcome, inputText, output, attempts } = call;
  if (startedAt === undefined) return [];
  const runId = scene.review.runs.findLast((run) => run.seq <= seq)?.runId;
  const result = outputText(output);
  return [
    toSpan(
      {
        name: `execute_tool ${name}`,
        kind: 1,
        ids: idsOf(scene, runId, `call ${callId}`),
        parentSpanId: runIds(scene, runId).spanId,
        at: startedAt,
        endedAt,
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': name,
          'gen_ai.tool.call.id': callId,
          'gen_ai.tool.type': 'function',
          'brooklet.call.attempts': attempts,
          ...(scene.texts && { 'gen_ai.tool.call.arguments': inputText, 'gen_ai.tool.call.result': result }),
        },
        failed: outcome === undefined || outcome === 'succeeded' || outcome === 'cancelled' ? undefined : outcome,
        message: result,
      },
      scene,
    ),
  ];
}
