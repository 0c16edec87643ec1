import { fingerprintOf, type ToolPart } from 'brooklet';
import type { Approval } from 'brooklet/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hash } from '../../../src/core/model/hash.ts';
import { seeded } from '../../support/seeded.ts';

const call: ToolPart = {
  type: 'tool',
  callId: 'c1',
  name: 'pay',
  status: 'awaiting-approval',
  inputText: '{"to":"Ada","amount":9}',
  input: { to: 'Ada', amount: 9 },
  approval: { toolVersion: 'v1', expiresAt: 1_000, elicitation: { type: 'string', title: 'Sure?' } },
};
const shown = fingerprintOf(call);
const withApproval = (approval: Approval): ToolPart => ({ ...call, approval: { ...call.approval, ...approval } });

describe('the fingerprint of a call', () => {
  test.each<[string, ToolPart]>([
    ['its id', { ...call, callId: 'c2' }],
    ['its tool', { ...call, name: 'play' }],
    ['its input', { ...call, inputText: '{"to":"Ada","amount":90}' }],
    ['its input, be it by a space', { ...call, inputText: '{"to":"Ada", "amount":9}' }],
    ['the version of its tool', withApproval({ toolVersion: 'v2' })],
    ['its question', withApproval({ elicitation: { type: 'string', title: 'Really?' } })],
    ['where id and name meet', { ...call, callId: 'c1p', name: 'ay' }],
  ])('changes with %s', (_, changed) => {
    expect(fingerprintOf(changed)).not.toBe(shown);
  });

  test.each<[string, ToolPart]>([
    ['a copy, as it is read from a store', JSON.parse(JSON.stringify(call))],
    [
      'what becomes of it',
      { ...withApproval({ verdict: 'approved', decidedBy: 'user', userName: 'Ada' }), status: 'started' },
    ],
    ['when it expires', withApproval({ expiresAt: 2_000 })],
    ['how it is presented', { ...call, summary: 'Pays Ada', details: { type: 'text', text: '9' }, progress: 1 }],
  ])('is the same for %s', (_, same) => {
    expect(fingerprintOf(same)).toBe(shown);
  });

  test('is there for a call that nobody was asked about', () => {
    const { approval: _approval, ...unasked } = call;
    expect(fingerprintOf(unasked)).not.toBe(shown);
  });

  test('differs for calls with different inputs', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        fc.pre(one !== other);
        expect(fingerprintOf({ ...call, inputText: one })).not.toBe(fingerprintOf({ ...call, inputText: other }));
      }),
      seeded(),
    );
  });

  test('differs for inputs that have the same short hash', () => {
    expect(hash('in')).toBe(hash('jO'));
    expect(fingerprintOf({ ...call, inputText: 'in' })).not.toBe(fingerprintOf({ ...call, inputText: 'jO' }));
  });
});
