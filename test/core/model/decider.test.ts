import { type Approval, deciderOf, type ToolPart } from 'brooklet';
import { expect, test } from 'vitest';

const call = (approval?: Approval): ToolPart => ({
  type: 'tool',
  callId: 'c',
  name: 'pay',
  status: 'requested',
  inputText: '{}',
  ...(approval && { approval }),
});

test.each<[string, Approval | undefined, ReturnType<typeof deciderOf>]>([
  ['nobody yet, of a call that is not held', undefined, undefined],
  ['nobody yet, of a call that is held', { binding: 'b', expiresAt: 1 }, undefined],
  ['a person, also where they decide for good', { verdict: 'approved', by: 'person', binding: 'b' }, 'person'],
  ['a person who rejects', { verdict: 'rejected', by: 'person', binding: 'b', reason: 'No.' }, 'person'],
  ['a standing decision', { verdict: 'approved', by: 'policy', binding: 'b' }, 'standing'],
  ['a standing rejection', { verdict: 'rejected', by: 'policy', binding: 'b' }, 'standing'],
  ['time', { verdict: 'expired', by: 'policy', binding: 'b' }, 'expiry'],
  ['nobody, of a tool that needs no approval', { verdict: 'approved', by: 'policy' }, 'nobody'],
])('who decided on a call is %s', (_, approval, decider) => {
  expect(deciderOf(call(approval))).toBe(decider);
});
