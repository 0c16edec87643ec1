import { describe, expect, it } from 'vitest';
import { billingURL, remediesFor } from '../../demo/src/conversation/remedies.ts';

describe('remediesFor', () => {
  it.each([
    ['AUTHENTICATION_FAILED', false, ['settings', 'retry']],
    ['AUTHENTICATION_FAILED', true, ['settings', 'resume', 'retry']],
    ['MODULE_UNAVAILABLE', false, ['reload', 'retry']],
    ['INSUFFICIENT_QUOTA', false, ['topUp', 'settings', 'retry']],
    ['CONTEXT_OVERFLOW', false, ['newChat', 'retry']],
    ['STREAM_INTERRUPTED', true, ['resume', 'retry']],
    ['NETWORK_ERROR', false, ['retry', 'settings']],
    [undefined, true, ['resume', 'retry']],
  ] as const)('begins with what helps first: %s, with a reply: %s', (code, hasReply, remedies) => {
    expect(remediesFor({ code, hasReply, canTopUp: true })).toEqual(remedies);
  });

  it('offers no page of an account that it does not know', () => {
    expect(remediesFor({ code: 'INSUFFICIENT_QUOTA', hasReply: false, canTopUp: false })).toEqual([
      'settings',
      'retry',
    ]);
    expect(billingURL('https://openrouter.ai/api/v1')).toBe('https://openrouter.ai/settings/credits');
    expect(billingURL('http://localhost:11434/v1')).toBeUndefined();
    expect(billingURL('not an address')).toBeUndefined();
  });
});
