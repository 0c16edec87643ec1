import { named } from '../core/model/shapes/named.ts';
import { fail, fromErrorInfo } from '../core/error.ts';
import type { LLMRequest } from '../core/model/llm.ts';
import type { Ports } from '../core/ports.ts';
import { type Exchange, type Fixture, type FixtureOptions, type FixtureRequest, toFixtureRequest } from './fixture.ts';
import { describeDifferences } from '../review/replay/differences.ts';
import { createScriptedClient, reply, type Script, type ScriptedClient } from './scripted.ts';

/** Options of `createRecordedClient`: those of `record`, and the timers of a test. */
export interface RecordedClientOptions extends FixtureOptions {
  /** See `ScriptedClientOptions.delay`. */
  readonly delay?: Ports['delay'];
}

/**
 * Creates a client that answers as a fixture recorded it. Each recorded answer is given once, to an equal request; ids and times do not
 * count. A request without a recorded answer fails with `INVALID_REQUEST` and the differences from the recorded one.
 *
 * @throws AgentError `INVALID_INPUT` for a value that is not a fixture
 */
export function createRecordedClient(fixture: Fixture, given: RecordedClientOptions = {}): ScriptedClient {
  const { delay, ...options } = named(given, { delay: true, secrets: true, redact: true }, 'createRecordedClient');
  const { format, version, exchanges }: Partial<Fixture> = fixture;
  if (format !== 'brooklet-fixture' || version !== 1 || exchanges === undefined)
    return fail(
      'INVALID_INPUT',
      'The fixture is not valid, or not of version 1: pass what `record(client).getFixture()` returned.',
    );
  const left: Exchange[] = [...exchanges];

  function answer(request: LLMRequest): Script {
    const wanted = toFixtureRequest(request, options);
    const index = left.findIndex((exchange) => isSame(exchange.request, wanted));
    const [exchange] = index < 0 ? [] : left.splice(index, 1);
    return exchange ? toScript(exchange) : notRecorded(wanted, left, exchanges ?? []);
  }

  return createScriptedClient(answer, delay && { delay });
}

function isSame(one: FixtureRequest, other: FixtureRequest): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function toScript({ chunks, error, isCancelled }: Exchange): Script {
  return [
    ...chunks.map((chunk) => reply.chunk(chunk)),
    ...(error ? [{ do: 'fail', error: fromErrorInfo(error) } as const] : []),
    ...(isCancelled ? [reply.until(new Promise(() => {}))] : []),
  ];
}

function notRecorded(request: FixtureRequest, left: readonly Exchange[], all: readonly Exchange[]): never {
  const times = all.filter((exchange) => isSame(exchange.request, request)).length;
  const [next] = left;
  const reason =
    times > 0
      ? `The request was recorded ${times === 1 ? 'once' : `${times} times`}, and is sent again.`
      : next
        ? `It differs from the next recorded one:\n${describeDifferences(next.request, request)}`
        : `All ${all.length} recorded answers have been given.`;
  return fail('INVALID_REQUEST', `No answer is recorded for this request: record the run again. ${reason}`);
}
