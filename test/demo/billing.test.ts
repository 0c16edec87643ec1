import type { AgentErrorCode } from 'brooklet';
import { english } from 'brooklet/ui';
import { expect, it } from 'vitest';
import { billingURL } from '../../demo/src/conversation/billing.ts';

it('offers no page of an account that it does not know', () => {
  expect(billingURL('https://openrouter.ai/api/v1')).toBe('https://openrouter.ai/settings/credits');
  expect(billingURL('http://localhost:11434/v1')).toBeUndefined();
  expect(billingURL('not an address')).toBeUndefined();
});

it('has a heading that names the cause for every code that a conversation can show', () => {
  const others: readonly AgentErrorCode[] = [
    // What the user has done.
    'ABORTED',
    // In the card of the call.
    'TOOL_FAILED',
    'TOOL_TIMEOUT',
    'UNKNOWN',
  ];
  const { causes } = english.notice;
  const headings = Object.values(causes);
  expect(new Set(headings).size).toBe(headings.length);
  expect(others.filter((code) => code in causes)).toEqual([]);
});
