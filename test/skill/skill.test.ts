import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faults } from './faults.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const list = (folder: string): readonly string[] => readdirSync(new URL(folder, import.meta.url));
const namesIn = (folder: string): readonly string[] => list(folder).map((file) => file.replace(/\.\w+$/, ''));

const names = namesIn('prompts');

test('there are twenty tasks, each with a prompt, a check, a solution and a fault', () => {
  expect(names).toHaveLength(20);
  for (const folder of ['checks', 'solutions']) expect(namesIn(folder)).toEqual(names);
  const faulty = new Set(Object.values(faults).map(({ file }) => file));
  expect([...faulty]).toEqual(list('solutions').map((file) => `test/skill/solutions/${file}`));
});

test.each(list('solutions'))('the prompt of %s names the file and its exports', (file) => {
  const prompt = read(`./prompts/${file.replace(/\.\w+$/, '.md')}`);
  expect(prompt).toContain(`\`${file}\``);
  const exported = Array.from(read(`./solutions/${file}`).matchAll(/^export .*?(?:function|const|interface) (\w+)/gm));
  expect(exported.length).toBeGreaterThan(0);
  for (const [, name] of exported) expect(prompt).toContain(`${name}`);
});

/** The names that a file imports from the package, with their entries. */
const importsOf = (source: string): readonly string[] =>
  Array.from(source.matchAll(/^import (?:type )?\{([^}]*)\} from '(brooklet[/\w]*)';$/gm)).flatMap(
    ([, names = '', entry = '']) => [
      `\`${entry}\``,
      ...names.split(',').map((name) => name.replace('type ', '').trim()),
    ],
  );

test.each(list('solutions'))('SKILL.md names all that %s imports', (file) => {
  const skill = read('../../SKILL.md');
  const imports = importsOf(read(`./solutions/${file}`)).filter((name) => name !== '');
  expect(imports.length).toBeGreaterThan(1);
  expect(imports.filter((name) => !new RegExp(`(?<!\\w)${name}(?!\\w)`).test(skill))).toEqual([]);
});
