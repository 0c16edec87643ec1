import type { AgentErrorCode } from 'brooklet';
import { describe, expect, it } from 'vitest';
import { billingURL, remediesFor } from '../../demo/src/conversation/remedies.ts';
import { en } from '../../demo/src/texts/en/en.ts';

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

  it('stand below a heading that names the cause, for every code that a conversation can show', () => {
    // A new code fails the type check here, or needs a heading.
    const others: Readonly<Record<Exclude<AgentErrorCode, keyof typeof en.causes>, string>> = {
      AUTHENTICATION_LOCKED: 'is the form that unlocks the key',
      ABORTED: 'is what the user has done',
      TOOL_NOT_FOUND: 'is in the card of the call',
      TOOL_FAILED: 'is in the card of the call',
      TOOL_TIMEOUT: 'is in the card of the call',
      TOO_DEEP: 'is in the card of the call',
      COMPACTION_FAILED: 'is in the panel of the context',
      UNKNOWN: 'has no known cause',
    };
    const headings = Object.values(en.causes);
    expect(new Set(headings).size).toBe(headings.length);
    expect(Object.keys(others).filter((code) => code in en.causes)).toEqual([]);
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
