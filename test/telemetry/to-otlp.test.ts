import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { SessionEvent } from 'brooklet';
import { createReview } from 'brooklet/review';
import { toOTLP, type OTLPAttribute, type OTLPOptions, type OTLPSpan, type OTLPValue } from 'brooklet/telemetry';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { record } from '../review/recorded.ts';
import { open, toEvents } from '../storage/arbitrary-log.ts';
import { everyEvent, marks } from '../storage/every-event.ts';
import { seeded } from '../support/seeded.ts';
import { untyped } from '../support/untyped.ts';

let log: readonly SessionEvent[] = [];
beforeAll(async () => {
  log = (await record()).stored.events;
});

function spansOf(events: readonly SessionEvent[], options?: OTLPOptions): readonly OTLPSpan[] {
  return toOTLP(events, options).resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
}

function plain(value: OTLPValue): unknown {
  if ('arrayValue' in value) return value.arrayValue.values.map(plain);
  if ('intValue' in value) return Number(value.intValue);
  return Object.values(value)[0];
}

const toObject = (attributes: readonly OTLPAttribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));

const named = (spans: readonly OTLPSpan[], start: string): readonly OTLPSpan[] =>
  spans.filter(({ name }) => name.startsWith(start));

describe('a log as traces of OpenTelemetry', () => {
  test('has a span for each run, each request and each call that started', () => {
    const review = createReview(log);
    const spans = spansOf(log);
    expect(named(spans, 'invoke_agent')).toHaveLength(review.runs.length);
    expect(named(spans, 'chat')).toHaveLength(review.steps.length);
    expect(named(spans, 'execute_tool').map(({ name }) => name)).toEqual(['execute_tool pay', 'execute_tool break']);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    for (const { traceId, spanId, parentSpanId, startTimeUnixNano, endTimeUnixNano } of spans) {
      expect([traceId, spanId]).toEqual([
        expect.stringMatching(/^[\da-f]{32}$/),
        expect.stringMatching(/^[\da-f]{16}$/),
      ]);
      const parent = spans.find((span) => span.spanId === parentSpanId);
      expect(parent?.traceId ?? traceId).toBe(traceId);
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
    }
  });

  test('states model, tokens, end and error of a request by the conventions', () => {
    const [first] = named(spansOf(log, { provider: 'openai' }), 'chat');
    expect(first?.kind).toBe(3);
    expect(toObject(first?.attributes ?? [])).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 10,
      'gen_ai.response.finish_reasons': ['tool-calls'],
      'gen_ai.conversation.id': expect.any(String),
    });
    const failed = spansOf(log).filter(({ status }) => status.code === 2);
    expect(failed.map(({ name, attributes }) => [name.split(' ')[0], toObject(attributes)['error.type']])).toEqual(
      expect.arrayContaining([
        ['invoke_agent', 'INSUFFICIENT_QUOTA'],
        ['execute_tool', 'failed'],
      ]),
    );
  });

  test('counts in a run the tokens of its requests', () => {
    const [first] = named(spansOf(log), 'invoke_agent');
    expect(toObject(first?.attributes ?? [])).toMatchObject({
      'gen_ai.usage.input_tokens': 360,
      'gen_ai.usage.output_tokens': 35,
    });
  });

  test('contains no text unless texts are asked for', () => {
    const silent = JSON.stringify(toOTLP(everyEvent()));
    // Names of models and tools are no texts.
    expect(silent).not.toMatch(new RegExp(`${marks.output}|${marks.instruction}|${marks.attachment}|Failed:`));
    expect(JSON.stringify(toOTLP(log))).not.toMatch(/Please|Be brief|paid|lever|credit/);
    const telling = JSON.stringify(toOTLP(log, { texts: true }));
    for (const text of ['Please pay', 'Be brief', 'paid', 'lever', 'No credit']) expect(telling).toContain(text);
  });

  test('has messages in the form of the conventions', () => {
    const [, second] = named(spansOf(log, { texts: true }), 'chat');
    const attributes = toObject(second?.attributes ?? []);
    const at = (key: string): unknown => JSON.parse(String(attributes[key]));
    expect(at('gen_ai.system_instructions')).toEqual([{ type: 'text', content: 'Be brief.' }]);
    expect(at('gen_ai.input.messages')).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'Please pay the bill.' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'I should pay.' },
          { type: 'tool_call', id: expect.any(String), name: 'pay', arguments: { n: 1 } },
        ],
      },
      {
        role: 'tool',
        parts: [{ type: 'tool_call_response', id: expect.any(String), response: expect.stringContaining('paid') }],
      },
    ]);
    expect(at('gen_ai.output.messages')).toMatchObject([{ role: 'assistant', finish_reason: 'tool-calls' }]);
    expect(at('gen_ai.tool.definitions')).toMatchObject([{ type: 'function', name: 'pay' }, { name: 'break' }]);
  });

  test('links a run to the run that it resumes', () => {
    const spans = spansOf(
      toEvents(
        [
          { type: 'run.started', runId: 'a' },
          { type: 'run.ended', runId: 'a', outcome: 'interrupted' },
          { type: 'run.started', runId: 'b', resumes: 'a' },
        ],
        's',
      ),
    );
    expect(spans[1]?.links).toEqual([{ traceId: spans[0]?.traceId, spanId: spans[0]?.spanId, attributes: [] }]);
    expect(spans[1]?.traceId).not.toBe(spans[0]?.traceId);
  });

  test('is the JSON that the exporter of OpenTelemetry writes', () => {
    for (const texts of [false, true]) {
      const traces = toOTLP(log, { texts });
      expect(withTextIntegers(traces)).toEqual(
        withTextIntegers(byExporter(traces.resourceSpans[0]?.scopeSpans[0]?.spans ?? [])),
      );
    }
  });

  test('is pure, and has valid fields for any log', () => {
    fc.assert(
      fc.property(open('s'), ({ events }) => {
        const traces = toOTLP(events, { texts: true });
        expect(toOTLP(events, { texts: true })).toEqual(traces);
        for (const span of spansOf(events, { texts: true })) expect(problemsOf(span)).toEqual([]);
      }),
      seeded(300),
    );
  });

  test('survives times that no log should have', () => {
    const events = toEvents([{ type: 'run.started', runId: 'a' }], 's').map((event) => ({
      ...event,
      at: 8.64e15 + 0.5,
    }));
    expect(spansOf(events).flatMap(problemsOf)).toEqual([]);
  });
});

/** The fields of a span in opentelemetry/proto/trace/v1/trace.proto, and what their JSON may be. */
function problemsOf(span: OTLPSpan): readonly string[] {
  const isTime = (text: string): boolean => /^(0|[1-9]\d*)$/.test(text) && BigInt(text) < 2n ** 64n;
  const isInteger = (value: OTLPValue): boolean => !('intValue' in value) || /^-?\d+$/.test(value.intValue);
  const known = 'traceId spanId parentSpanId name kind startTimeUnixNano endTimeUnixNano attributes links status'.split(
    ' ',
  );
  return [
    ...Object.keys(span).filter((key) => !known.includes(key)),
    ...(/^[\da-f]{32}$/.test(span.traceId) && !/^0+$/.test(span.traceId) ? [] : ['traceId']),
    ...(/^[\da-f]{16}$/.test(span.spanId) && !/^0+$/.test(span.spanId) ? [] : ['spanId']),
    ...(isTime(span.startTimeUnixNano) && isTime(span.endTimeUnixNano) ? [] : ['time']),
    ...(span.name === '' ? ['name'] : []),
    ...span.attributes.filter(({ key, value }) => key === '' || !isInteger(value)).map(({ key }) => key),
    ...(new Set(span.attributes.map(({ key }) => key)).size === span.attributes.length ? [] : ['attributes']),
  ];
}

/** Returns the same spans as OpenTelemetry's own serializer writes them. */
function byExporter(spans: readonly OTLPSpan[]): unknown {
  const time = (text: string) => [Number(BigInt(text) / 1_000_000_000n), Number(BigInt(text) % 1_000_000_000n)];
  const context = ({ traceId, spanId }: Pick<OTLPSpan, 'traceId' | 'spanId'>) => ({ traceId, spanId, traceFlags: 0 });
  const resource = { attributes: { 'service.name': 'brooklet' }, asyncAttributesPending: false };
  const instrumentationScope = { name: 'brooklet', schemaUrl: 'https://opentelemetry.io/schemas/1.41.0' };
  const readable = spans.map((span) => ({
    name: span.name,
    // The API counts from INTERNAL = 0, the protocol from UNSPECIFIED = 0.
    kind: span.kind - 1,
    spanContext: () => context(span),
    ...(span.parentSpanId !== undefined && {
      parentSpanContext: context({ traceId: span.traceId, spanId: span.parentSpanId }),
    }),
    startTime: time(span.startTimeUnixNano),
    endTime: time(span.endTimeUnixNano),
    status: span.status,
    attributes: toObject(span.attributes),
    links: span.links.map((link) => ({ context: context(link), attributes: {} })),
    events: [],
    duration: [0, 0],
    ended: true,
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }));
  return JSON.parse(new TextDecoder().decode(JsonTraceSerializer.serializeRequest(untyped(readable))));
}

/** Returns the JSON without fields that are 0 or empty, and with integers as text: the exporter writes them as numbers, a collector reads both. */
function withTextIntegers(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => {
      if (key === 'intValue') return String(inner);
      const isEmpty = inner === 0 || (Array.isArray(inner) && inner.length === 0);
      return /Count$|^flags$|^events$|^links$/.test(key) && (isEmpty || key === 'flags') ? undefined : inner;
    }),
  );
}
