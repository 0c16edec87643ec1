import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { repositoryOf, toManifest, toReadme } from '../../scripts/publishing.mjs';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const place = { repository: 'https://github.com/ada/brooklet', version: '1.2.3', integrity: 'sha384-abc=' };

const pagesIn = (folder: string): readonly string[] =>
  readdirSync(new URL(folder, root))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}${file}`);

interface Manifest {
  readonly repository?: { readonly url: string };
  readonly scripts: { readonly prepublishOnly: string };
}
function readManifest(path: string): Manifest {
  const manifest: Manifest = JSON.parse(read(path));
  return manifest;
}

describe('before the package is published', () => {
  const isPublished = repositoryOf(readManifest('package.json')) !== undefined;
  const pages = ['README.md', 'SKILL.md', 'create-brooklet/README.md', 'examples/README.md'];

  it.each(
    isPublished
      ? []
      : [...pages, ...pagesIn('docs/'), ...pagesIn('docs/zh/')].filter((page) => page !== 'docs/publishing.md'),
  )('%s makes nobody run a name that is not ours', (page) => {
    expect(
      read(page).match(/(npm (create|init)|npx) (create-)?brooklet|npm (install|i|add) brooklet(?![-.\w/])/g),
    ).toBeNull();
  });

  it('nothing is published: npm runs a check that names what is missing', () => {
    expect(readManifest('package.json').scripts.prepublishOnly).toMatch(/^node scripts\/publishing\.mjs --publish && /);
    expect(readManifest('create-brooklet/package.json').scripts.prepublishOnly).toContain('--publish');
    if (isPublished) return;
    const { status, stderr } = spawnSync(process.execPath, ['scripts/publishing.mjs', '--publish'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('no repository')]);
  });
});

describe('scripts/publishing.mjs', () => {
  it('takes the repository from package.json, and refuses what is no repository', () => {
    expect(repositoryOf({})).toBeUndefined();
    expect(repositoryOf({ repository: { url: 'git+https://github.com/ada/brooklet.git' } })).toBe(place.repository);
    for (const url of ['', 'OWNER', 'https://github.com/ada', 'git@github.com:ada/brooklet.git'])
      expect(() => repositoryOf({ repository: { url } })).toThrow('repository.url');
  });

  it('writes the fields that follow from it, and is stable', () => {
    const text = toManifest(read('create-brooklet/package.json'), place.repository, 'create-brooklet');
    expect(JSON.parse(text)).toMatchObject({
      homepage: `${place.repository}#readme`,
      bugs: { url: `${place.repository}/issues` },
      repository: { url: `git+${place.repository}.git`, directory: 'create-brooklet' },
    });
    expect(toManifest(text, place.repository, 'create-brooklet')).toBe(text);
    expect(toManifest(text, undefined)).toBe(toManifest(read('create-brooklet/package.json'), undefined));
  });

  it.each([
    ['README.md', 'en'],
    ['docs/zh/README.md', 'zh'],
  ] as const)('writes %s for a published package, and back', (page, language) => {
    const text = read(page);
    const published = toReadme(text, language, place);
    expect(published).toContain('npm create brooklet@latest');
    expect(published).toContain('brooklet@1.2.3/dist/brooklet-chat.min.js" integrity="sha384-abc="');
    expect(
      published.match(/src(set)?="https:\/\/raw\.githubusercontent\.com\/ada\/brooklet\/v1\.2\.3\/docs\/images\//g),
    ).toHaveLength(2);
    expect(published).not.toContain('npm pack');
    expect(toReadme(published, language, undefined)).toBe(text);
  });
});
