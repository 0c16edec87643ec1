import { defineTool, type Tool } from 'brooklet';
import { connectAgent, hostAgent } from 'brooklet/worker';
import { expect, test } from 'vitest';
import { untyped } from '../support/untyped.ts';

const create = () => ({});
const connect = () => expect.unreachable();

test.each([
  ['connect', 'x', { create }],
  ['create', connect, {}],
  ['create', connect, { create: {} }],
  ['name', connect, { create, name: '' }],
  ['build', connect, { create, build: 7 }],
  ['keys', connect, { create, keys: null }],
  ['keys.openai', connect, { create, keys: { openai: 7 } }],
  ['tools', connect, { create, tools: {} }],
  ['tool', connect, { create, tools: [{}] }],
  ['onError', connect, { create, onError: 'log' }],
  ['kyes', connect, { create, kyes: {} }],
])('connectAgent refuses a wrong `%s`', (name, start, options) => {
  expect(() => connectAgent(untyped(start), untyped(options))).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringMatching(new RegExp(name, 'i')) }),
  );
});

test.each([
  ['function', {}, {}],
  ['pageTimeout', create, { pageTimeout: -1 }],
  ['pageTimeout', create, { pageTimeout: Number.NaN }],
  ['pageTimeout', create, { pageTimeout: '5' }],
  ['pageTimout', create, { pageTimout: 5 }],
])('hostAgent refuses a wrong `%s`', (name, given, options) => {
  expect(() => hostAgent(untyped(given), untyped(options))).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining(name) }),
  );
});

test.each([
  ['nothing', () => undefined, 'nothing'],
  ['a promise', async () => ({}), 'a Promise'],
  ['a `wrapTool` that is no function', () => ({ wrapTool: {} }), 'wrapTool'],
  // The rules of the tool would be left out.
  ['a `wrapTool` that returns nothing', () => ({ wrapTool: () => undefined }), 'tool of the same name for "look"'],
  ['a `wrapTool` that renames', () => ({ wrapTool: (tool: Tool) => ({ ...tool, name: 'x' }) }), 'same name for "look"'],
])('refuses a `create` that returns %s', (_what, wrong, message) => {
  const look = defineTool({ name: 'look', description: 'Looks.', input: { type: 'object' }, execute: () => 'seen' });
  expect(() => connectAgent(connect, untyped({ create: wrong, tools: [look] }))).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining(message) }),
  );
});
