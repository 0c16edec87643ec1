import { AgentError, type JsonObject, type ToolOptions } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { perform } from '../../src/core/session/perform.ts';
import { createMeta } from '../../src/core/log/meta.ts';
import { createFolding } from '../../src/core/model/folding.ts';
import { initialState } from '../../src/core/model/state.ts';
import { settled } from '../support/manual-client.ts';
import { noContext } from '../support/no-context.ts';
import { createManualPorts } from '../support/ports.ts';
import { ask, callIdOf, callsOf, recorded, stage, statusesOf } from '../support/stage.ts';
import { untyped } from '../support/untyped.ts';

const bug = new TypeError('no');
function throws(): never {
  throw bug;
}

/** Changes everything in a value, whatever it is. */
function spoil(value: unknown): void {
  const object: Record<string, unknown> = untyped(value);
  for (const key of Object.keys(object)) {
    if (typeof object[key] === 'object' && object[key] !== null) spoil(object[key]);
    else object[key] = 'spoilt';
  }
  if (Array.isArray(value)) value.reverse();
}

const input = '{"n":1,"to":["Ada","Bob"]}';
const asked: JsonObject = { n: 1, to: ['Ada', 'Bob'] };

describe('a function of the page that changes what it is given changes neither the log nor what runs:', () => {
  async function play(tool: Partial<ToolOptions<JsonObject>>, more: Parameters<typeof stage>[0] = {}) {
    const { tool: made, runs } = recorded('pay', tool);
    const on = { ...stage({ tools: [made], ...more }), runs };
    await ask(on, ['pay', input]);
    return on;
  }

  test('needsApproval', async () => {
    const on = await play({
      needsApproval(given) {
        spoil(given);
        return false;
      },
    });
    expect(on.runs.map(([given]) => given)).toEqual([asked]);
    expect(callsOf(on.session)[0]?.input).toEqual(asked);
  });

  test('answer', async () => {
    const on = await play({
      answer(given) {
        spoil(given);
        return { type: 'string' };
      },
    });
    await on.session.answer(callIdOf(on.session), 'yes');
    await settled();
    expect(on.runs.map(([given]) => given)).toEqual([asked]);
  });

  test.each(['present', 'followUp'])('%s', async (name) => {
    const on = await play({
      execute: () => ({ rows: [3, 1, 2] }),
      [name]: (given: unknown, output: unknown) => {
        spoil(given);
        spoil(output);
        return name === 'present' ? { summary: 'Done' } : true;
      },
    });
    expect(callsOf(on.session)[0]).toMatchObject({ status: 'succeeded', input: asked, output: { rows: [3, 1, 2] } });
    expect(JSON.stringify(on.client.last().request.messages)).toContain('"rows":[3,1,2]');
  });

  test('present of the agent', async () => {
    const on = await play(
      { execute: () => ({ rows: [3, 1, 2] }) },
      {
        present(_name, given, output) {
          spoil(given);
          spoil(output);
          return { summary: 'Done' };
        },
      },
    );
    expect(callsOf(on.session)[0]).toMatchObject({ summary: 'Done', input: asked, output: { rows: [3, 1, 2] } });
  });

  test('formatRejection', async () => {
    const on = await play(
      { needsApproval: true },
      {
        formatRejection(call) {
          spoil(call);
          return 'Ask again.';
        },
      },
    );
    await on.session.reject(callIdOf(on.session));
    expect(callsOf(on.session)[0]).toMatchObject({
      status: 'rejected',
      input: asked,
      approval: { rejectionText: 'Ask again.' },
    });
  });

  test('needsApproval, for a call that an earlier page has let through', async () => {
    const { tool, runs } = recorded('pay', {
      needsApproval(given) {
        spoil(given);
        return false;
      },
    });
    const state = initialState('s');
    const approval = { verdict: 'approved', decidedBy: 'policy' } as const;
    const call = {
      type: 'tool',
      callId: 'c',
      name: 'pay',
      status: 'approved',
      inputText: input,
      input: asked,
      approval,
    } as const;
    perform(
      { do: 'execute', call },
      {
        log: { getState: () => state, peek: createFolding(state).getRecent },
        sessionId: 's',
        tools: new Map([['pay', tool]]),
        getClient: throws,
        toRequest: throws,
        meta: createMeta(),
        agentName: '',
        context: noContext,
        ports: createManualPorts(),
        own: async () => {},
        flush: async () => {},
      },
    ).subscribe();
    await settled();
    expect(runs.map(([given]) => given)).toEqual([asked]);
  });
});

describe('what a function of the page throws reaches onError with its stack, and', () => {
  function listening(tool: Partial<ToolOptions<JsonObject>>, more: Parameters<typeof stage>[0] = {}) {
    const heard: { readonly message: string; readonly cause: unknown; readonly callId: string | undefined }[] = [];
    const { tool: made, runs } = recorded('pay', tool);
    const on = stage({
      tools: [made],
      onError: ({ code, message, cause }, { callId }) => heard.push({ message: `${code} ${message}`, cause, callId }),
      ...more,
    });
    return { ...on, runs, heard };
  }
  const about = (what: string) => `TOOL_FAILED ${what} of the tool "pay" has thrown: no`;

  test.each<[string, () => never | Promise<never>]>([
    ['throws', throws],
    ['rejects', () => Promise.reject(bug)],
  ])('a person is asked where needsApproval %s', async (_how, needsApproval) => {
    const on = listening({ needsApproval });
    await ask(on, ['pay', input]);
    expect(statusesOf(on.session)).toEqual(['awaiting-approval']);
    expect(on.heard).toEqual([{ message: about('`needsApproval`'), cause: bug, callId: callIdOf(on.session) }]);
    expect(on.runs).toEqual([]);
  });

  test('any answer fits where answer throws', async () => {
    const on = listening({ answer: throws });
    await ask(on, ['pay', input]);
    expect(statusesOf(on.session)).toEqual(['awaiting-approval']);
    expect(on.heard).toEqual([{ message: about('`answer`'), cause: bug, callId: callIdOf(on.session) }]);
  });

  test.each([
    ['present', '`present`'],
    ['followUp', '`followUp`'],
  ])('the result stands where %s throws', async (name, what) => {
    const on = listening({ [name]: throws });
    await ask(on, ['pay', input]);
    expect(callsOf(on.session)[0]).toMatchObject({ status: 'succeeded', output: 'pay ran' });
    expect(on.heard).toEqual([{ message: about(what), cause: bug, callId: callIdOf(on.session) }]);
  });

  test('the result stands where present returns what cannot be stored', async () => {
    const on = listening({ present: () => untyped({ details: { type: 'json', value: () => {} } }) });
    await ask(on, ['pay', input]);
    expect(callsOf(on.session)[0]).toMatchObject({ status: 'succeeded', output: 'pay ran' });
    expect(on.heard).toMatchObject([{ message: expect.stringContaining('`present` of the tool "pay"') }]);
  });

  test('the result stands where present of the agent throws', async () => {
    const on = listening({}, { present: throws });
    await ask(on, ['pay', input]);
    expect(callsOf(on.session)[0]).toMatchObject({ status: 'succeeded', output: 'pay ran' });
    expect(on.heard).toMatchObject([{ message: about('`present` of the agent, for a result'), cause: bug }]);
  });

  test('the model reads the default text where formatRejection throws', async () => {
    const on = listening({ needsApproval: true }, { formatRejection: throws });
    await ask(on, ['pay', input]);
    await on.session.reject(callIdOf(on.session));
    expect(callsOf(on.session)[0]?.status).toBe('rejected');
    expect(on.heard).toMatchObject([{ message: about('`formatRejection` for a call'), cause: bug }]);
  });

  test('the call is invalid where a schema throws', async () => {
    const schema = {
      '~standard': { version: 1, vendor: 'own', validate: throws, jsonSchema: { input: () => ({ type: 'object' }) } },
    };
    const on = listening({ input: untyped(schema) });
    await ask(on, ['pay', input]);
    expect(statusesOf(on.session)).toEqual(['invalid']);
    expect(on.heard).toEqual([{ message: about('The input schema'), cause: bug, callId: callIdOf(on.session) }]);
  });

  test('a person is asked where the rules of the agent cannot be read', async () => {
    const lost = new AgentError('The disk is gone.', { code: 'STORAGE_FAILED' });
    const meta = { get: () => Promise.reject(lost), update: () => Promise.reject(lost) };
    const on = listening({ needsApproval: true }, { store: { ...createMemoryStore(), meta } });
    await ask(on, ['pay', input]);
    expect(statusesOf(on.session)).toEqual(['awaiting-approval']);
    expect(on.heard).toMatchObject([{ message: 'STORAGE_FAILED The disk is gone.', callId: callIdOf(on.session) }]);
  });

  test('nothing else changes where onError throws, too', async () => {
    const on = listening({ needsApproval: throws }, { onError: throws });
    await ask(on, ['pay', input]);
    expect(statusesOf(on.session)).toEqual(['awaiting-approval']);
  });
});
