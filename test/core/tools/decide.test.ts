import { type ApprovalRule, type CallEndReason, type EventBody, initialState } from 'brooklet/core';
import { defineTool, type Tool, type ToolOptions, type ToolPart } from 'brooklet';
import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createFolding } from '../../../src/core/model/folding.ts';
import { perform } from '../../../src/core/session/perform.ts';
import { createMeta } from '../../../src/core/log/meta.ts';
import { noContext } from '../../support/no-context.ts';
import { createManualPorts } from '../../support/ports.ts';
import { engine } from '../../../src/core/tools/tool.ts';

const input = z.object({ n: z.number() });

function tools(...options: readonly Partial<ToolOptions<typeof input>>[]): ReadonlyMap<string, Tool> {
  return new Map(
    options.map((more) => {
      const tool = defineTool({ name: 'add', description: '', input, execute: () => expect.unreachable(), ...more });
      return [tool.name, tool];
    }),
  );
}

/** The decision of a run on the call. */
async function decideAll(
  call: ToolPart,
  tools: ReadonlyMap<string, Tool>,
  approvalRules?: ApprovalRule,
): Promise<readonly EventBody[]> {
  const state = { ...initialState('s'), approvalRules: approvalRules ? [approvalRules] : [] };
  const env = {
    log: { getState: () => state, peek: createFolding(state).getRecent },
    sessionId: 's',
    tools,
    getClient: () => expect.unreachable(),
    toRequest: () => expect.unreachable(),
    own: () => Promise.resolve(),
    flush: () => Promise.resolve(),
    ports: { ...createManualPorts(), now: () => 1_000 },

    meta: createMeta(),
    agentName: '',
    context: noContext,
  };
  return lastValueFrom(perform({ do: 'decide', call }, env).pipe(toArray()));
}

const decide = async (call: ToolPart, tools: ReadonlyMap<string, Tool>): Promise<EventBody | undefined> =>
  (await decideAll(call, tools))[0];

function fails(): never {
  throw new Error('no');
}

const call: ToolPart = {
  type: 'tool',
  callId: 'c',
  name: 'add',
  status: 'requested',
  inputText: '{"n":1}',
  input: { n: 1 },
};

const invalid = (output: string | RegExp, reason: CallEndReason = 'unknown-tool') => ({
  type: 'call.ended',
  callId: 'c',
  outcome: 'invalid',
  reason,
  output: typeof output === 'string' ? output : expect.stringMatching(output),
});
const letThrough = { type: 'approval.decided', callId: 'c', verdict: 'approved', decidedBy: 'policy' };
const held = { type: 'approval.requested', callId: 'c', toolVersion: expect.any(String) };

describe('a call that the model requests', () => {
  test('is approved by default', async () => {
    expect(await decide(call, tools({}))).toEqual(letThrough);
  });

  test('awaits approval if the tool needs it', async () => {
    expect(await decide(call, tools({ needsApproval: true }))).toEqual(held);
  });

  test.each([
    [1, letThrough],
    [2, held],
  ])('is decided by its input: %s', async (n, event) => {
    const needsApproval = (input: { n: number }): boolean => input.n > 1;
    expect(await decide({ ...call, input: { n } }, tools({ needsApproval }))).toEqual(event);
  });

  test('is decided by a promise', async () => {
    expect(await decide(call, tools({ needsApproval: () => Promise.resolve(true) }))).toEqual(held);
  });

  test('awaits approval if the decision function fails', async () => {
    expect(await decide(call, tools({ needsApproval: () => fails() }))).toEqual(held);
    expect(await decide(call, tools({ needsApproval: () => Promise.reject(new Error('no')) }))).toEqual(held);
  });

  test('is invalid if there is no such tool, and the model receives the names of the tools', async () => {
    expect(await decide({ ...call, name: 'sub' }, tools({}, { name: 'note' }))).toEqual(
      invalid('There is no tool "sub". There are: add, note.'),
    );
    expect(await decide({ ...call, name: '' }, tools())).toEqual(invalid('There is no tool "". There are: none.'));
  });

  test.each(['__proto__', 'constructor', 'toString'])('is invalid if its tool is called %s', async (name) => {
    expect(await decide({ ...call, name }, tools({}))).toEqual(invalid(/There is no tool/));
  });

  test('truncates a long name in the message', async () => {
    const event = await decide({ ...call, name: 'x'.repeat(10_000) }, tools({}));
    expect(event).toEqual(invalid(/^.{1,120}$/));
  });

  test('is invalid if its input is not a JSON object, and no person is asked', async () => {
    const needsApproval = vi.fn(() => true);
    const { input: _none, ...malformed } = { ...call, inputText: `{"n":${'1'.repeat(1_000)}` };
    const event = await decide(malformed, tools({ needsApproval }));
    expect(event).toEqual(invalid(/not a JSON object: \{"n":1/, 'no-object'));
    expect(JSON.stringify(event).length).toBeLessThan(400);
    expect(needsApproval).not.toHaveBeenCalled();
  });

  test('is invalid if its input does not fit, and no person is asked', async () => {
    const needsApproval = vi.fn(() => true);
    expect(await decide({ ...call, input: { n: 'x' } }, tools({ needsApproval }))).toEqual(
      invalid(/does not fit the schema: input\.n/, 'schema'),
    );
    expect(needsApproval).not.toHaveBeenCalled();
  });

  test('is invalid if the schema throws', async () => {
    const broken = defineTool({
      name: 'add',
      description: '',
      input: { type: 'object', properties: { n: { pattern: '[' } } },
      execute: () => 1,
    });
    expect(await decide({ ...call, input: { n: 'x' } }, new Map([['add', broken]]))).toEqual(
      invalid(/Invalid regular expression/, 'schema'),
    );
  });

  const standing = (tool: Tool, verdict: ApprovalRule['verdict']): ApprovalRule => ({
    name: tool.name,
    verdict,
    toolVersion: tool[engine].version,
    reason: 'Never.',
    userName: 'Ada',
    at: 1,
  });

  test('is approved by an approval rule, and only if it would need approval', async () => {
    const all = tools({ needsApproval: true });
    const [tool = expect.unreachable()] = all.values();
    expect(await decideAll(call, all, standing(tool, 'approved'))).toEqual([
      { ...letThrough, decidedBy: 'rule', toolVersion: tool[engine].version, reason: 'Never.', userName: 'Ada' },
    ]);
    expect(await decideAll(call, tools({}), standing(tool, 'rejected'))).toEqual([letThrough]);
  });

  test('is rejected by an approval rule, with the person’s reason', async () => {
    const all = tools({ needsApproval: true });
    const [tool = expect.unreachable()] = all.values();
    expect(await decideAll(call, all, standing(tool, 'rejected'))).toEqual([
      held,
      {
        type: 'approval.decided',
        callId: 'c',
        verdict: 'rejected',
        decidedBy: 'rule',
        reason: 'Never.',
        userName: 'Ada',
      },
    ]);
  });

  test('expires after the approval timeout of its tool', async () => {
    expect(await decide(call, tools({ needsApproval: true, approvalTimeout: 500 }))).toEqual({
      ...held,
      expiresAt: 1_500,
    });
  });

  test('is an elicitation if its tool needs an answer, despite any approval rule', async () => {
    const answer = ({ n }: { n: number }) => ({ type: 'number', minimum: n });
    const all = tools({ answer });
    const [tool = expect.unreachable()] = all.values();
    expect(await decideAll(call, all, standing(tool, 'approved'))).toEqual([
      { ...held, elicitation: { type: 'number', minimum: 1 } },
    ]);
  });

  test('is an elicitation of any value if the answer schema cannot be made', async () => {
    expect(await decide(call, tools({ answer: () => fails() }))).toEqual({ ...held, elicitation: {} });
  });
});
