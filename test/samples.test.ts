import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { acts } from './engines/support/robot/acts.ts';
import { refuse } from './engines/support/robot/refuse.ts';
import { noChats, samples } from './engines/support/robot/samples.ts';

// The robot (test/engines/samples.test.ts) plays the samples of its table. A sample that is new is in the table, or the reason why it is not.

const root = new URL('../', import.meta.url);
const foldersOf = (path: string): readonly string[] =>
  readdirSync(new URL(path, root), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && !/^(node_modules|dist)/u.test(entry.name) ? [entry.name] : [],
  );
const sources = samples.flatMap(({ project }) => project.sources.map(([, source]) => source));

test('every example is played, or there is a reason', () => {
  const played = samples.filter(({ project }) => project.name === 'examples').map(({ path }) => path.replace('/', ''));
  const others = Object.keys(noChats).flatMap((name) => /^examples\/(.*)/u.exec(name)?.[1] ?? []);
  expect([...played, ...others].toSorted()).toEqual(foldersOf('examples').toSorted());
});

test('every template of create-brooklet is played, or there is a reason', () => {
  const command = readFileSync(new URL('create-brooklet/index.js', root), 'utf8');
  const [, list = ''] = /const templates = \{(.*?)\};/su.exec(command) ?? [];
  const templates = Array.from(list.matchAll(/(\w+): \[(.*?)\]/gu), ([, name = '', parts = '']) => ({
    name,
    parts: Array.from(parts.matchAll(/'(\w+)'/gu), ([, part = '']) => `create-brooklet/templates/${part}`),
  }));
  expect(templates.length).toBeGreaterThanOrEqual(3);
  const isPlayed = (parts: readonly string[]): boolean =>
    samples.some(
      ({ project }) => JSON.stringify(project.sources.map(([, source]) => source)) === JSON.stringify(parts),
    );
  expect(templates.filter(({ name, parts }) => !isPlayed(parts) && !(`template ${name}` in noChats))).toEqual([]);
  const parts = new Set(templates.flatMap((template) => template.parts));
  expect([...parts].toSorted()).toEqual(
    foldersOf('create-brooklet/templates')
      .map((part) => `create-brooklet/templates/${part}`)
      .toSorted(),
  );
});

test('every file of the README is played, or there is a reason', () => {
  const files = readdirSync(new URL('test/readme', root)).map((file) => `test/readme/${file}`);
  expect(files.filter((file) => !sources.includes(file) && !(file in noChats))).toEqual([]);
});

test('the table names what there is, and gives reasons in sentences', () => {
  expect(sources.filter((source) => !existsSync(new URL(source, root)))).toEqual([]);
  const reasons = [...samples.flatMap(({ lacks }) => Object.values(lacks)), ...Object.values(noChats)];
  expect(reasons.filter((reason) => !/^\p{Lu}.{10,}\.$/su.test(reason))).toEqual([]);
  expect(new Set(samples.map(({ name }) => name)).size).toBe(samples.length);
});

describe('the acts', () => {
  it.each(samples.map((sample) => [sample.name, sample] as const))('play %s', (_, { lacks }) => {
    const played = acts.filter(({ needs }) => !needs.some((ability) => ability in lacks));
    expect(played.length).toBeGreaterThan('message' in lacks ? 0 : 4);
  });
});

describe('the model of the robot refuses', () => {
  const key = { authorization: 'Bearer sk-test' };
  const ask = { role: 'user', content: 'Hello' };
  it.each([
    ['no key', '/model/v1/responses', { model: 'm', input: [ask] }, {}, 401],
    ['an unknown parameter', '/model/v1/responses', { model: 'm', input: [ask], odd: 1 }, key, 400],
    ['an empty message', '/model/v1/chat/completions', { messages: [{ ...ask, content: '' }] }, {}, 400],
    ['an input of AG-UI without ids', '/model/agent', { messages: [] }, {}, 422],
  ])('%s', (_, path, body, headers, status) => {
    expect(refuse(path, JSON.stringify(body), headers)?.[0]).toBe(status);
  });

  it('no request of a sample', () => {
    expect(refuse('/model/v1/responses', JSON.stringify({ model: 'm', input: [ask] }), key)).toBeUndefined();
    expect(refuse('/model/v1/chat/completions', JSON.stringify({ messages: [ask] }), {})).toBeUndefined();
  });
});
