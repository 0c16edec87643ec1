import { describe, expect, it, test } from 'vitest';
import { countByFolder, findTurns } from '../../scripts/english.mjs';

const turnsOf = (source: string, file = 'a.ts'): readonly string[] =>
  findTurns(file, source).hits.map(({ turn }) => turn);

describe('a turn of phrase is found', () => {
  it.each([
    ['Whoever calls has the lease.', 'Whoever'],
    ['Nobody reads the log.', 'Nobody'],
    ['A callback that notifies no one.', 'no one'],
    ['The page is told.', 'told'],
    ['The page tells the store.', 'tells'],
    ['The request is sent anew.', 'anew'],
    ['The request is sent once more.', 'once more'],
    ['The run goes on.', 'goes on'],
    ['The tab hears of the change.', 'hears of'],
    ['The run ends all the same.', 'all the same'],
    ['What a call has come to.', 'has come to'],
    ['What has become of a call.', 'What has become of'],
    ['Refused for want of a token.', 'for want of'],
    ['The value is no name.', 'is no'],
    ['The value is none.', 'is none'],
    ['A page that has not got the key.', 'has not got'],
    ['The device is taken for gone.', 'taken for gone'],
    ['The revision dresses a request.', 'dresses'],
    ['The asker waits.', 'asker'],
    ['A trouble of the store.', 'trouble'],
    ['The call is spent.', 'spent'],
    ["A stranger's text.", 'stranger'],
    ['The page vouches for the tool.', 'vouches'],
    ['Unlocking mends the row.', 'mends'],
    ['The door of the verbs.', 'door'],
    ['Written first, lest it be lost.', 'lest'],
    ['Another page runs in its stead.', 'in its stead'],
  ])('in “%s”', (sentence, turn) => {
    expect(turnsOf(`// ${sentence}`)).toEqual([turn]);
    expect(turnsOf(`/** ${sentence} */`)).toEqual([turn]);
    expect(turnsOf(`fail('INVALID_INPUT', ${JSON.stringify(sentence)});`)).toEqual([turn]);
  });

  it.each([
    ['over two lines of a docstring', '/**\n * The run goes\n * on.\n */', 2],
    ['over two line comments', 'const a = 1; // The run goes\n  // on.', 1],
    ['after a comment of its own', '// One.\n\n// Nobody reads it.', 3],
    ['in an indented docstring', 'interface A {\n  /** One.\n   * Nobody reads it. */\n  b: string;\n}', 3],
    ['in a template', 'throw new AgentError(\n  `Session ${id} is no session: ${why}`,\n);', 2],
    ['in a table of messages', 'const all = {\n  a: ({ host }) => `${host} is told of it`,\n};', 2],
  ])('%s', (_name, source, line) => {
    expect(findTurns('a.ts', source).hits).toMatchObject([{ line }]);
  });
});

describe('no turn of phrase is found', () => {
  it.each([
    ['in plain sentences', '// There is no session, and the answer is no longer read. There are none.'],
    ['in code within backticks', '// See `nobody` and `goes on`, of `Trouble`.'],
    ['in escaped backticks of a template', 'fail(code, `The option \\`asker\\` of the tool is missing.`);'],
    ['in an expression of a template', 'fail(code, `The server ${asker.host} asked ${nobody} too often.`);'],
    ['in identifiers', 'const asker = nobody.told; tell(stranger, door);'],
    ['where a class of this name is thrown', '/** Rejects with Trouble. @throws Trouble `malformed` */'],
    ['in words and keys', "store.put('door'); const kind = 'all the'; on({ 'told off': 1 });"],
  ])('%s', (_name, source) => expect(turnsOf(source)).toEqual([]));

  it.each([
    ['a string', "const a = 'https://nobody.example // anew';"],
    ['a template', 'const a = `${b} // anew ${/\\/\\//}`;'],
    ['a regular expression', 'const a = /[/]* anew nobody \\/\\//;'],
    ['an element', 'const a = <a href="x">// anew</a>;'],
  ])('as a comment in %s', (_name, source) => {
    expect(findTurns('a.tsx', source).commentLines).toBe(0);
  });
});

test('the lines of all comments are counted', () => {
  expect(findTurns('a.ts', '/**\n * One.\n */\nconst a = 1; // Two.\n\n// Three.\n// Four.').commentLines).toBe(6);
});

test('a source that cannot be parsed is refused', () => {
  expect(() => findTurns('a.ts', 'const = ;')).toThrow('a.ts: ');
});

describe('a folder is over the limit', () => {
  const plain = (lines: number): string => '// One.\n'.repeat(lines);

  it('with more than one turn in 100 comment lines', () => {
    const [folder] = countByFolder([['src/sync/a.ts', `${plain(100)}// Nobody.`]]);
    expect(folder).toMatchObject({ name: 'src/sync', lines: 101, isOver: false });
    const [short] = countByFolder([['src/sync/a.ts', `${plain(98)}// Nobody.`]]);
    expect(short).toMatchObject({
      lines: 99,
      isOver: true,
      hits: [{ path: 'src/sync/a.ts', line: 99, turn: 'Nobody' }],
    });
  });

  it('whatever the other folders have, with the files of deeper folders', () => {
    const folders = countByFolder([
      ['src/llm/wires/openai/a.ts', '// Nobody.'],
      ['src/llm/wires/b.ts', plain(50)],
      ['src/llm/c.ts', plain(500)],
      ['src/d.ts', ''],
    ]);
    expect(folders.map(({ name, lines, isOver }) => [name, lines, isOver])).toEqual([
      ['src/llm/wires', 51, true],
      ['src/llm', 500, false],
      ['src', 0, false],
    ]);
  });

  it('with a message alone, where it has no comment', () => {
    expect(countByFolder([['src/d.ts', "fail('A', 'This is no store.');"]])).toMatchObject([{ isOver: true }]);
  });
});
