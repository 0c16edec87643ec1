import { createAgent, toolParts } from 'brooklet';
import { loadSkills, SkillError, type SkillProblem, type Skills, type SkillSource, withSkills } from 'brooklet/skills';
import { createScriptedClient, reply } from 'brooklet/testing';
import { clockTool } from 'brooklet/tools';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { encode } from 'gpt-tokenizer';
import { describe, expect, it } from 'vitest';
import { estimateText } from '../../src/core/context/tokens.ts';
import { lineOf, maxTokens } from '../../src/tools/skills/instructions.ts';
import { asHandle, memoryFolder } from '../support/memory-files.ts';
import { run } from '../tools/run.ts';

const head = (name: string, description = `Does ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n`;

const good = {
  'forms/SKILL.md': `${head('forms')}# Forms\nSee reference.md.`,
  'forms/reference.md': '0123456789',
  'forms/scripts/fill.py': 'print()',
  'letters/SKILL.md': head('letters'),
};

type Files = Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;

const zipOf = (files: Files): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([path, text]) => [path, typeof text === 'string' ? strToU8(text) : text]),
      ),
    ),
  );

/** Returns what is wrong, as `path: problem`. */
const problemsOf = ({ problems }: Skills): readonly string[] =>
  problems.map(({ path, problem }) => `${path}: ${problem}`);

function readTool(skills: Skills) {
  const [tool] = skills.tools;
  if (!tool) throw new Error('no tool');
  return tool;
}

const addressOf = (input: RequestInfo | URL): string => (input instanceof Request ? input.url : input.toString());

/** A static host with these files. */
function host(files: Files, origin = 'https://host.example'): typeof fetch {
  return async (input) => {
    const address = addressOf(input);
    const { pathname } = new URL(address);
    const file = address.startsWith(origin) ? files[decodeURIComponent(pathname.slice(1))] : undefined;
    return file === undefined ? new Response('no', { status: 404 }) : new Response(file);
  };
}

function picked(path: string, content: string | Uint8Array<ArrayBuffer>): File {
  const file = new File([content], path.split('/').at(-1) ?? '');
  Object.defineProperty(file, 'webkitRelativePath', { value: path });
  return file;
}

const index = (skills: readonly unknown[]): string => JSON.stringify({ skills });

const base64Pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';
const pixel = Uint8Array.from(atob(base64Pixel), (char) => char.charCodeAt(0));

const sources: readonly (readonly [string, () => SkillSource | Iterable<SkillSource>])[] = [
  ['a zip as bytes', () => zipOf(good)],
  ['a zip as a file', () => new File([zipOf(good)], 'skills.zip')],
  ['a zip as a buffer', () => zipOf(good).buffer],
  ['a folder of the disk or of OPFS', () => asHandle(memoryFolder(good))],
  [
    'the files of a webkitdirectory input',
    () => Object.entries(good).map(([path, text]) => picked(`skills/${path}`, text)),
  ],
  ['the URL of an index', () => 'https://host.example/s/index.json'],
  ['the URL of a zip', () => new URL('https://host.example/skills.zip')],
  [
    'several sources',
    () => [
      zipOf({ 'a/SKILL.md': good['letters/SKILL.md'] }),
      asHandle(
        memoryFolder({
          'forms/SKILL.md': good['forms/SKILL.md'],
          'forms/reference.md': '0123456789',
          'forms/scripts/fill.py': 'print()',
        }),
      ),
    ],
  ],
];

const site = host({
  's/index.json': index([
    { name: 'forms', description: 'ignored', files: ['SKILL.md', 'reference.md', 'scripts/fill.py'] },
    { name: 'letters' },
  ]),
  ...Object.fromEntries(Object.entries(good).map(([path, text]) => [`s/${path}`, text])),
  'skills.zip': zipOf(good),
});

describe('loadSkills', () => {
  it.each(sources)('reads %s', async (_name, source) => {
    const skills = await loadSkills(source(), { fetch: site, pageSize: 200 });
    expect(problemsOf(skills)).toEqual([]);
    expect(skills.skills.map(({ name }) => name).toSorted()).toEqual(['forms', 'letters']);
    expect(skills.skills.find(({ name }) => name === 'forms')).toEqual({
      name: 'forms',
      description: 'Does forms.',
      paths: ['SKILL.md', 'reference.md', 'scripts/fill.py'],
      tokens: estimateText('# Forms\nSee reference.md.'),
      source: expect.any(String),
    });
    expect(skills.instructions).toContain('- forms: Does forms.');
    expect(skills.instructions).not.toContain('See reference.md');
    const { output, presentation } = await run(readTool(skills), { skill: 'forms' });
    expect(output).toBe(
      '# Forms\nSee reference.md.\n\nFiles of this skill, to be read with `path`:\n- reference.md\n- scripts/fill.py',
    );
    expect(presentation.summary).toBe('Read forms/SKILL.md');
    expect((await run(readTool(skills), { skill: 'forms', path: './reference.md' })).output).toBe('0123456789');
  });

  it('reads a source that is one skill, and a skill within the folder of another', async () => {
    const skills = await loadSkills(
      zipOf({ 'SKILL.md': head('outer'), 'a.md': 'a', 'inner/SKILL.md': head('inner'), 'inner/b.md': 'b' }),
    );
    expect(skills.skills).toMatchObject([
      { name: 'outer', paths: ['SKILL.md', 'a.md'] },
      { name: 'inner', paths: ['SKILL.md', 'b.md'] },
    ]);
  });

  it.each<[name: string, files: Files, problem: string]>([
    ['no front matter', { 'x/SKILL.md': '# Title' }, 'x/SKILL.md: front-matter'],
    ['front matter that is no text', { 'x/SKILL.md': '---\nname: [x]\n---' }, 'x/SKILL.md: front-matter'],
    ['no name', { 'x/SKILL.md': '---\ndescription: x\n---' }, 'x/SKILL.md: name'],
    ['a name with capitals', { 'x/SKILL.md': head('Forms') }, 'x/SKILL.md: name'],
    ['a name of an object', { 'x/SKILL.md': head('__proto__') }, 'x/SKILL.md: name'],
    ['a name of 65 characters', { 'x/SKILL.md': head('x'.repeat(65)) }, 'x/SKILL.md: name'],
    ['no description', { 'x/SKILL.md': '---\nname: x\n---' }, 'x/SKILL.md: description'],
    ['not UTF-8', { 'x/SKILL.md': new Uint8Array([0x2d, 0x2d, 0x2d, 0xff]) }, 'x/SKILL.md: not-text'],
    ['the name of another skill', { 'x/SKILL.md': head('forms') }, 'forms/SKILL.md: duplicate'],
    ['too many bytes', { 'x/SKILL.md': head('x') + 'x'.repeat(2_000) }, 'x/SKILL.md: too-large'],
    ['a path out of its folder', { 'x/../../SKILL.md': head('x') }, 'x/../../SKILL.md: unsafe-path'],
    ['an absolute path', { '/x/SKILL.md': head('x') }, '/x/SKILL.md: unsafe-path'],
    ['a path of Windows', { 'x\\SKILL.md': head('x') }, 'x\\SKILL.md: unsafe-path'],
    ['a path with __proto__', { '\u005f_proto__/SKILL.md': head('x') }, '__proto__/SKILL.md: unsafe-path'],
  ])('leaves out a skill with %s, with a reason, and keeps the others', async (_name, files, problem) => {
    // `zipSync` takes an object, and a key `__proto__` of one is not a key.
    const entries: Files = Object.fromEntries([...Object.entries(good), ...Object.entries(files)]);
    const skills = await loadSkills(zipOf(entries), { limits: { fileBytes: 1_500 } });
    expect(skills.skills.map(({ name }) => name)).toEqual(['forms', 'letters']);
    expect(problemsOf(skills)).toEqual([problem]);
    const [error] = skills.problems;
    expect(error).toBeInstanceOf(SkillError);
    expect(error?.code).toBe('INVALID_INPUT');
    expect(error?.message).toContain(JSON.stringify(error?.path));
  });

  it('leaves out a file that an archive has twice', async () => {
    const archive = zipOf({ 'a/SKILL.md': head('one'), 'b/SKILL.md': head('two') });
    const name = strToU8('b/SKILL.md');
    // In the header of the file, and in the directory.
    for (let at = 0; at < archive.length; at += 1)
      if (name.every((byte, offset) => archive[at + offset] === byte)) archive.set(strToU8('a'), at);
    const skills = await loadSkills(archive);
    expect(skills.skills).toMatchObject([{ name: 'one' }]);
    expect(problemsOf(skills)).toEqual(['a/SKILL.md: duplicate']);
  });

  it('reads what the directory of an archive names, as every other program does', async () => {
    // Two archives one after the other, without the directory of the first.
    const [one, two] = [zipOf({ 'a/SKILL.md': head('one') }), zipOf({ 'a/SKILL.md': head('two') })];
    const entries = one.subarray(0, new DataView(one.buffer).getUint32(one.length - 6, true));
    const skills = await loadSkills(new Blob([entries, two]));
    expect(skills.skills).toMatchObject([{ name: 'two' }]);
    expect(problemsOf(skills)).toEqual([]);
  });

  it('leaves out hidden files, and those that macOS adds', async () => {
    const skills = await loadSkills(
      zipOf({ ...good, '__MACOSX/x/SKILL.md': 'x', '.git/SKILL.md': 'x', 'forms/.DS_Store': 'x' }),
    );
    expect(problemsOf(skills)).toEqual([]);
    expect(skills.skills).toHaveLength(2);
    expect(skills.skills[0]?.paths).not.toContain('.DS_Store');
  });

  it.each<[name: string, source: () => SkillSource | Iterable<SkillSource>, problem: SkillProblem]>([
    ['that is no zip', () => strToU8('hello'), 'unreadable'],
    ['that is a damaged zip', () => zipOf(good).subarray(0, 150), 'unreadable'],
    ['without a skill', () => zipOf({ 'readme.md': 'x' }), 'no-skill'],
    ['that is an empty folder', () => asHandle(memoryFolder({})), 'no-skill'],
    [
      'with 10,000 entries',
      () => zipOf(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`f${at}`, '']))),
      'too-many',
    ],
    [
      'with 10,000 files',
      () => asHandle(memoryFolder(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`f${at}`, ''])))),
      'too-many',
    ],
    ['with 10,000 picked files', () => Array.from({ length: 10_000 }, (_, at) => picked(`d/f${at}`, '')), 'too-many'],
    ['that is a bomb', () => zipOf({ ...good, bomb: new Uint8Array(20_500_000) }), 'too-large'],
    ['that is larger than the limit', () => new Blob([new Uint8Array(21_000_000)]), 'too-large'],
    ['that is not found', () => 'https://host.example/missing.json', 'unreadable'],
    ['whose index is a page', () => 'https://host.example/page', 'unreadable'],
    ['with an address of a file', () => 'file:///etc/skills.zip', 'unreadable'],
  ])('rejects a source %s', async (_name, source, problem) => {
    const loading = loadSkills(source(), { fetch: host({ page: '<p>' }) });
    await expect(loading).rejects.toMatchObject({ name: 'SkillError', problem });
  });

  it('stops a bomb early, whatever its entry states about its size', async () => {
    const bomb = zipOf({ ...good, bomb: new Uint8Array(40_000_000) });
    const view = new DataView(bomb.buffer);
    const entry = bomb.findIndex(
      (_byte, at) =>
        at < bomb.length - 30 &&
        view.getUint32(at, true) === 0x04034b50 &&
        view.getUint32(at + 22, true) === 40_000_000,
    );
    view.setUint32(entry + 22, 10, true);
    expect(bomb.length).toBeLessThan(300_000);
    await expect(loadSkills(bomb)).rejects.toMatchObject({ problem: 'too-large', path: 'bomb' });
  });

  it('reads the other sources where one cannot be read', async () => {
    const skills = await loadSkills([zipOf(good), 'https://host.example/missing'], { fetch: host({}) });
    expect(skills.skills).toHaveLength(2);
    expect(problemsOf(skills)).toEqual(['https://host.example/missing: unreadable']);
  });

  it('keeps to the limit of skills over all sources', async () => {
    const skills = await loadSkills([zipOf(good), zipOf({ 'x/SKILL.md': head('x') })], { limits: { skills: 2 } });
    expect(skills.skills).toHaveLength(2);
    expect(problemsOf(skills)).toEqual(['x/SKILL.md: too-many']);
  });

  it('fetches of an index what stays below it, and only when it is needed', async () => {
    const asked: string[] = [];
    const files = host({
      'index.json': index([
        { name: 'a', files: ['SKILL.md', '../../secret', 'b?c.md'] },
        { name: '../x' },
        { name: 'gone' },
        7,
      ]),
      'a/SKILL.md': head('a'),
      'a/b?c.md': 'found',
    });
    const skills = await loadSkills('https://host.example/index.json', {
      fetch: (input, init) => {
        asked.push(addressOf(input));
        expect(init).toMatchObject({ credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer' });
        return files(input, init);
      },
    });
    expect(problemsOf(skills)).toEqual([
      'a/../../secret: unsafe-path',
      'https://host.example/index.json: name',
      'https://host.example/index.json: name',
      'gone/SKILL.md: unreadable',
    ]);
    expect(asked.toSorted()).toEqual(
      ['index.json', 'a/SKILL.md', 'gone/SKILL.md'].map((path) => `https://host.example/${path}`).toSorted(),
    );
    expect((await run(readTool(skills), { skill: 'a', path: 'b?c.md' })).output).toBe('found');
    expect(asked.at(-1)).toBe('https://host.example/a/b%3Fc.md');
  });

  it('reads an index of version 0.2: a SKILL.md or an archive, with its digest', async () => {
    const archive = zipOf({ 'SKILL.md': head('letters'), 'a.md': 'a' });
    const digest = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
      `sha256:${Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')}`;
    const entry = (name: string, url: string, type: string, sum?: string): object => ({
      name,
      url,
      type,
      ...(sum && { digest: sum }),
    });
    const skills = await loadSkills('https://host.example/.well-known/agent-skills/index.json', {
      fetch: host({
        '.well-known/agent-skills/index.json': index([
          entry('forms', '/forms.md', 'skill-md', await digest(new TextEncoder().encode(head('forms')))),
          entry('letters', 'letters.zip', 'archive', await digest(archive)),
          entry('forged', '/forms.md', 'skill-md', 'sha256:00'),
          entry('elsewhere', 'https://other.example/x.md', 'skill-md'),
          entry('tar', '/forms.md', 'archive'),
        ]),
        'forms.md': head('forms'),
        '.well-known/agent-skills/letters.zip': archive,
      }),
    });
    expect(skills.skills).toMatchObject([{ name: 'forms' }, { name: 'letters', paths: ['SKILL.md', 'a.md'] }]);
    expect(problemsOf(skills)).toEqual([
      'forged/SKILL.md: unreadable',
      'elsewhere/SKILL.md: unsafe-path',
      'tar/SKILL.md: unreadable',
    ]);
  });
});

describe('skills that a person switches off', () => {
  it('are neither listed nor readable, and the others stay without being loaded again', async () => {
    const all = await loadSkills(zipOf(good));
    const some = all.only(({ name }) => name !== 'letters');
    expect(some.skills.map(({ name }) => name)).toEqual(['forms']);
    expect(some.instructions).toContain('- forms:');
    expect(some.instructions).not.toContain('letters');
    expect((await run(readTool(some), { skill: 'forms' })).output).toContain('# Forms');
    await expect(run(readTool(some), { skill: 'letters' })).rejects.toThrow('There are: forms.');
    expect(some.only(() => false)).toMatchObject({ skills: [], instructions: '', tools: [] });
    expect(all.skills).toHaveLength(2);
  });

  it('name the source that they came from', async () => {
    const skills = await loadSkills([
      new File([zipOf({ 'a/SKILL.md': head('a') })], 'a.zip'),
      picked('first/b/SKILL.md', head('b')),
      picked('second/c/SKILL.md', head('c')),
    ]);
    expect(skills.skills.map(({ name, source }) => `${source}: ${name}`)).toEqual([
      'a.zip: a',
      'first: b',
      'second: c',
    ]);
  });
});

describe('read_skill', () => {
  const files = {
    ...good,
    'forms/logo.png': pixel,
    'forms/data.bin': new Uint8Array([0, 1, 2]),
    'forms/reference.md': 'x'.repeat(25),
  };

  it('returns pages, images as parts, and refuses binary files', async () => {
    const tool = readTool(await loadSkills(zipOf(files), { pageSize: 10 }));
    const read = (path: string, from = 0): ReturnType<typeof run> => run(tool, { skill: 'forms', path, from });
    expect((await read('reference.md')).output).toBe(
      `${'x'.repeat(10)}\n[… 15 more characters: call again with from 10]`,
    );
    expect((await read('reference.md', 20)).output).toBe('xxxxx');
    expect((await read('logo.png')).output).toEqual([
      { type: 'image', mediaType: 'image/png', name: 'logo.png', data: base64Pixel },
    ]);
    await expect(read('data.bin')).rejects.toThrow('a binary file of 3 bytes');
  });

  it.each(['../letters/SKILL.md', '/etc/passwd', '__proto__', 'toString', 'letters/SKILL.md', 'scripts'])(
    'reads no %s',
    async (path) => {
      const tool = readTool(await loadSkills(zipOf(good)));
      await expect(run(tool, { skill: 'forms', path })).rejects.toThrow('has no file');
    },
  );

  it('names the skills where there is no such skill', async () => {
    const tool = readTool(await loadSkills(zipOf(good)));
    await expect(run(tool, { skill: '__proto__' })).rejects.toThrow('There are: forms, letters.');
  });
});

describe('a description in the context', () => {
  it('takes at most 200 tokens, whatever it contains', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3_000 }),
      fc.string({ unit: fc.constantFrom('表', 'é', '😀', 'word ', '\n', '0', '<', 'Ж'), maxLength: 1_500 }),
    );
    fc.assert(
      fc.property(text, (description) => {
        const line = lineOf({ name: 'a', description });
        expect(estimateText(line)).toBeLessThanOrEqual(maxTokens);
        expect(line).not.toMatch(/[\n\r\0]/);
      }),
      { numRuns: 60 },
    );
  });

  it('is cut with a note, close to the limit of a real tokenizer', () => {
    const line = lineOf({
      name: 'a',
      description: 'Fills in the forms of a company, one after the other. '.repeat(100),
    });
    expect(line).toMatch(/\[… cut: read the skill for the rest\]$/);
    expect(encode(line).length).toBeLessThanOrEqual(200);
    expect(encode(line).length).toBeGreaterThan(150);
  });
});

describe('an agent with skills', () => {
  it('reads names in its instructions, the rest when it asks, and what was loaded is in the log', async () => {
    const client = createScriptedClient([[reply.call('read_skill', { skill: 'forms' })], [reply.text('Done.')]]);
    const skills = await loadSkills(zipOf(good));
    const agent = createAgent(withSkills({ client, instructions: 'Be brief.', tools: [clockTool()] }, skills));
    const session = await agent.openSession(agent.createSession());
    await session.send('Fill in the form.');
    const [request] = client.requests;
    expect(request?.tools?.map(({ name }) => name)).toEqual(['current_time', 'read_skill']);
    expect(JSON.stringify(request?.messages[0])).toMatch(
      /Be brief\.\\n\\n.*- forms: Does forms\..*- letters: Does letters\./,
    );
    expect(JSON.stringify(request)).not.toContain('See reference.md');
    const [call] = session.getMessages().flatMap(toolParts);
    expect(call).toMatchObject({
      status: 'succeeded',
      input: { skill: 'forms' },
      output: expect.stringContaining('# Forms'),
    });
  });

  it('is the same agent without skills', () => {
    const none = { instructions: '', tools: [] };
    expect(withSkills({ instructions: 'Be brief.' }, none)).toEqual({ instructions: 'Be brief.', tools: [] });
  });
});
