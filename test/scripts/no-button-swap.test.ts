import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from '../support/doc-blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
// Not in the repository: oxlint leaves out what Git ignores.
const folder = mkdtempSync(join(tmpdir(), 'brooklet-lint-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Report {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
}

/** Lints files with the rule alone. Returns how often it reports each file. */
async function lint(files: Readonly<Record<string, string>>): Promise<Readonly<Record<string, number>>> {
  for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text);
  const args = ['-c', 'scripts/lint/samples.json', '-f', 'json', folder];
  const { stdout } = await promisify(execFile)('node_modules/.bin/oxlint', args, { cwd: root }).catch(
    (failure: { stdout: string }) => failure,
  );
  const { diagnostics } = JSON.parse(stdout) as Report;
  const counts = Object.fromEntries(Object.keys(files).map((name) => [name, 0]));
  for (const { code, filename } of diagnostics) {
    expect(code).toBe('brooklet(no-button-swap)');
    const name = filename.slice(filename.lastIndexOf('/') + 1);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  for (const name of Object.keys(files)) rmSync(`${folder}/${name}`);
  return counts;
}

const stop = '<button type="button" onClick={stop}>Stop</button>';
const send = '<button>Send</button>';
const withKey = (button: string, key: string): string => button.replace('<button', `<button key="${key}"`);
const inPage = (body: string): string => `export const Page = ({ running, stop }) => (${body});\n`;

const refused: Readonly<Record<string, string>> = {
  'the first chat of the README, as it once was': inPage(`<form>{running ? ${stop} : ${send}}</form>`),
  'no form': inPage(`running ? ${stop} : ${send}`),
  'the same key': inPage(`running ? ${withKey(stop, 'a')} : ${withKey(send, 'a')}`),
  'a third button': inPage(`running ? <p>Wait</p> : stop ? ${stop} : ${send}`),
  'and, or': inPage(`(running && ${stop}) || ${send}`),
  'in elements of one kind': inPage(`running ? <p>{name} ${stop}</p> : <p>{title} ${send}</p>`),
  'in fragments': inPage(`running ? <>${stop}</> : <>${send}</>`),
  'one component': inPage(
    'running ? <IconButton icon="stop" onClick={stop} /> : <IconButton icon="send" type="submit" />',
  ),
  'two returns': `export function Page({ running, stop }) {\n if (running) return ${stop};\n return ${send};\n}\n`,
  'cases of a switch': `export const Page = ({ state }) => {\n switch (state) { case 1: return <p>${stop}</p>; default: return <p>${send}</p>; }\n};\n`,
};

const accepted: Readonly<Record<string, string>> = {
  'two keys': inPage(`running ? ${withKey(stop, 'a')} : ${withKey(send, 'b')}`),
  'one key': inPage(`running ? ${withKey(stop, 'a')} : ${send}`),
  'a key around': inPage(`running ? <p key="a">${stop}</p> : <p key="b">${send}</p>`),
  'one button whose handler decides': inPage(
    '<button onClick={running ? stop : send}>{running ? "Stop" : "Send"}</button>',
  ),
  'both, one disabled': inPage(`<form>${send}${stop.replace('type', 'disabled={!running} type')}</form>`),
  'other elements': inPage(`running ? <p>${stop}</p> : <div>${send}</div>`),
  'two components': inPage('running ? <StopButton /> : <SendButton />'),
  'other places': inPage(`running ? <p>{1} ${stop}</p> : <p>${send}</p>`),
  'no button': inPage('running ? <p>Wait</p> : <p>Done</p>'),
  'a function inside': `export const Page = () => {\n const row = () => { return ${stop}; };\n return ${send};\n};\n`,
};

const toFiles = (cases: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.values(cases).map((text, index) => [`${index}.jsx`, text]));
const namesOf = (
  cases: Readonly<Record<string, string>>,
  counts: Readonly<Record<string, number>>,
): readonly string[] => Object.keys(cases).filter((_, index) => (counts[`${index}.jsx`] ?? 0) > 0);

describe('two buttons in one element', () => {
  it('are refused', async () => {
    expect(namesOf(refused, await lint(toFiles(refused)))).toEqual(Object.keys(refused));
  });

  it('are told from two elements', async () => {
    expect(namesOf(accepted, await lint(toFiles(accepted)))).toEqual([]);
  });
});

describe('the samples of the pages', () => {
  const pages = ['.', 'docs', 'docs/zh', 'create-brooklet'].flatMap((path) =>
    readdirSync(`${root}${path}`)
      .filter((file) => file.endsWith('.md'))
      .map((file) => (path === '.' ? file : `${path}/${file}`).slice(0, -'.md'.length)),
  );
  const samples: Record<string, string> = {};
  beforeAll(() => {
    for (const { file, source } of pages.flatMap(blocksOf)) samples[file] = source;
  });

  it('have no two buttons in one element', async () => {
    const counts = await lint(samples);
    expect(Object.keys(counts).length).toBeGreaterThan(100);
    expect(Object.keys(counts).filter((file) => counts[file] !== 0)).toEqual([]);
  });
});
