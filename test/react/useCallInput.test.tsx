import { renderHook } from '@testing-library/react';
import type { ToolPart } from 'brooklet';
import { useCallInput } from 'brooklet/react';
import { StrictMode } from 'react';
import { expect, test } from 'vitest';

const call = (inputText: string, more: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool',
  callId: 'c',
  name: 'write',
  status: 'streaming',
  inputText,
  ...more,
});

test('returns the growing input of a call, then the parsed input', () => {
  const { result, rerender } = renderHook(useCallInput, { initialProps: call('{"path":"a'), wrapper: StrictMode });
  expect(result.current).toEqual({ path: 'a' });
  rerender(call('{"path":"a.txt","con'));
  expect(result.current).toEqual({ path: 'a.txt' });
  const input = { path: 'a.txt' };
  rerender(call('{"path":"a.txt"}', { status: 'requested', input }));
  expect(result.current).toBe(input);
});

test('starts again with another call', () => {
  const { result, rerender } = renderHook(useCallInput, { initialProps: call('{"path":"a') });
  rerender(call('{"pa', { callId: 'd' }));
  expect(result.current).toEqual({});
  rerender(call('{"path":"b', { callId: 'd' }));
  expect(result.current).toEqual({ path: 'b' });
});
