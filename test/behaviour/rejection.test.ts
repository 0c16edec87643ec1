import { createAgent, toolParts } from 'brooklet';
import { resultText } from 'brooklet/core';
import type { FormatRejection } from 'brooklet/tools';
import { createMemoryStore } from 'brooklet/storage';
import { describe, expect, test, vi } from 'vitest';
import { call, createManualClient, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { ask, callIdOf, callsOf, recorded, stage, statusesOf } from '../support/stage.ts';

const usual = 'The user rejected this call, so it did not run. Reason: Too dear.';
const gated = () => recorded('pay', { needsApproval: true });

/** A session in which Ada has rejected the call that the model requested. */
async function rejected(formatRejection: FormatRejection | undefined) {
  const pay = gated();
  const store = createMemoryStore();
  const s = stage({ tools: [pay.tool], store, ...(formatRejection && { formatRejection }) });
  await ask(s, ['pay', '{"amount":9}']);
  await s.session.reject(callIdOf(s.session), { reason: 'Too dear.', userName: 'Ada' });
  await settled();
  return { ...s, pay, store };
}

/** The texts about the calls in the latest request to the model. */
function told({ client }: { readonly client: ReturnType<typeof createManualClient> }): readonly string[] {
  return client.last().request.messages.flatMap(toolParts).map(resultText);
}

describe('the text that the model receives about a rejected call', () => {
  test('is the reason, in the default wording', async () => {
    expect(told(await rejected(undefined))).toEqual([usual]);
  });

  test("is the result of the application's formatter, which receives the call, the person and the reason", async () => {
    const s = await rejected(({ name, input }, { decidedBy, userName, reason }) =>
      [name, JSON.stringify(input), decidedBy, userName, reason].join(' · '),
    );
    expect(told(s)).toEqual(['pay · {"amount":9} · user · Ada · Too dear.']);
    expect(statusesOf(s.session)).toEqual(['rejected']);
    expect(s.pay.runs).toEqual([]);
  });

  const fails = (): never => {
    throw new Error('no words');
  };
  // tsc rejects such a formatter, but a page in plain JavaScript may pass one.
  const nothing: string = JSON.parse('null');
  const key: string = 'words';
  const promise: string = Reflect.get({ words: Promise.resolve('No.') }, key);
  const noText: string = JSON.parse('{"text":"No."}');
  test.each<readonly [string, FormatRejection]>([
    ['throws', fails],
    ['gives nothing', () => nothing],
    ['gives an empty text', () => ' '],
    ['gives no text', () => noText],
    ['gives a promise', () => promise],
  ])('has the default wording if the formatter %s, and the run continues', async (_, format) => {
    const s = await rejected(format);
    expect(told(s)).toEqual([usual]);
    expect(s.events.find(({ type }) => type === 'approval.decided')).not.toHaveProperty('told');
    expect(s.session.getStatus()).toBe('running');
  });

  test('is stored: neither a later request nor another page calls the formatter again', async () => {
    const format = vi.fn<FormatRejection>(() => 'Not today.');
    const s = await rejected(format);
    s.session.cancel();
    await s.session.flushed();
    expect(format).toHaveBeenCalledOnce();

    const client = createManualClient();
    const later = createAgent({
      client,
      ports: createManualPorts('later'),
      store: s.store,
      tools: [s.pay.tool],
      formatRejection: () => 'Something else.',
    });
    const again = await later.openSession(s.session.id);
    expect(callsOf(again)[0]?.approval?.rejectionText).toBe('Not today.');
    void again.send('And now?');
    await settled();
    expect(told({ client })).toEqual(['Not today.']);
    expect(format).toHaveBeenCalledOnce();
  });

  test("is the formatter's result also when an approval rule rejects", async () => {
    const s = stage({
      tools: [gated().tool],
      formatRejection: ({ name }, { decidedBy, userName, reason }) => `${decidedBy} ${userName} ${reason} ${name}`,
    });
    await ask(s, ['pay', '{}']);
    await s.session.reject(callIdOf(s.session), { remember: 'session', reason: 'Never.', userName: 'Ada' });
    await settled();
    call(s.client.last(), ['pay', '{}']);
    await settled();
    expect(told(s)).toEqual(['user Ada Never. pay', 'rule Ada Never. pay']);
  });

  test('is absent for calls that a person approves', async () => {
    const format = vi.fn<FormatRejection>(() => 'No.');
    const s = stage({ tools: [gated().tool], formatRejection: format });
    await ask(s, ['pay', '{}']);
    await s.session.approve(callIdOf(s.session));
    await settled();
    expect(told(s)).toEqual(['pay ran']);
    expect(format).not.toHaveBeenCalled();
  });
});
