import { readFile } from 'node:fs/promises';
import { toOTLP, type OTLPTraces } from 'brooklet/telemetry';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type Json, parseJson } from '../../src/core/json.ts';
import { record } from '../review/recorded.ts';
import { open } from '../storage/arbitrary-log.ts';
import { everyEvent } from '../storage/every-event.ts';
import { seeded } from '../support/seeded.ts';
import { problemsOf, type ProtoSchema, readProto } from './proto-json.ts';

let schema: ProtoSchema;
beforeAll(async () => {
  schema = readProto(await readFile(new URL('otlp.proto', import.meta.url), 'utf8'));
});

/** The body of a request to a collector, as its receiver parses it. */
const asSent = (traces: OTLPTraces): Json => parseJson(JSON.stringify(traces)) ?? null;
const problemsIn = (traces: OTLPTraces): readonly string[] => problemsOf(asSent(traces), 'TracesData', schema);

describe('the traces of a log are accepted by the definitions of the OpenTelemetry Protocol', () => {
  test('for a session with approvals, failures and a compaction, with and without texts', async () => {
    const { events } = (await record()).stored;
    for (const texts of [false, true]) expect(problemsIn(toOTLP(events, { texts }))).toEqual([]);
  });

  test('for every type of event', () => {
    expect(problemsIn(toOTLP(everyEvent(), { texts: true }))).toEqual([]);
  });

  test('for any log', () => {
    fc.assert(
      fc.property(open('s'), ({ events }) => {
        expect(problemsIn(toOTLP(events, { texts: true }))).toEqual([]);
      }),
      seeded(100),
    );
  });
});

describe('the definitions', () => {
  test('are read with their lists, choices, enumerations and nested messages', () => {
    expect([...schema.messages.keys()]).toEqual(
      expect.arrayContaining([
        'TracesData',
        'ResourceSpans',
        'ScopeSpans',
        'Span',
        'Event',
        'Link',
        'Status',
        'AnyValue',
      ]),
    );
    const span = schema.messages.get('Span');
    expect(span?.get('startTimeUnixNano')).toEqual({ type: 'fixed64', isList: false, oneOf: undefined });
    expect(span?.get('links')).toEqual({ type: 'Link', isList: true, oneOf: undefined });
    expect(span?.get('status')?.type).toBe('Status');
    expect(schema.messages.get('AnyValue')?.get('intValue')).toEqual({ type: 'int64', isList: false, oneOf: 'value' });
    expect(schema.enums.get('SpanKind')).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  });

  test.each<[string, (span: Record<string, Json | undefined>) => void, string]>([
    ['an unknown field', (span) => (span['run'] = 'r'), 'span.run is unknown'],
    ['an id that is no hex', (span) => (span['spanId'] = 'run-1'), 'span.spanId is no bytes: "run-1"'],
    [
      'a kind by its name',
      (span) => (span['kind'] = 'SPAN_KIND_CLIENT'),
      'span.kind is no SpanKind: "SPAN_KIND_CLIENT"',
    ],
    ['a time before 1970', (span) => (span['startTimeUnixNano'] = '-1'), 'span.startTimeUnixNano is no fixed64: "-1"'],
    ['a list that is none', (span) => (span['links'] = {}), 'span.links is no list'],
    [
      'two values of an attribute',
      (span) => (span['attributes'] = [{ key: 'a', value: { stringValue: '1', intValue: '1' } }]),
      'span.attributes.value has stringValue and intValue',
    ],
    [
      'a fraction as an integer',
      (span) => (span['attributes'] = [{ key: 'a', value: { intValue: '1.5' } }]),
      'span.attributes.value.intValue is no int64: "1.5"',
    ],
  ])('refuse %s', async (_name, change, problem) => {
    const [first] = toOTLP((await record()).stored.events).resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
    const span = parseJson(JSON.stringify(first));
    if (!isJsonObject(span)) return expect.unreachable();
    const copy: Record<string, Json | undefined> = { ...span };
    change(copy);
    expect(problemsOf(copy, 'Span', schema, 'span')).toEqual([problem]);
  });
});
