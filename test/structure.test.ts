import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findCircles, packageOf, parseFile, readFiles, resolveImport, type SourceFile } from './imports.ts';

/** A layer of the source, and what its files may import: files by the start of their path, packages by name. */
interface Layer {
  readonly name: string;
  readonly has: RegExp;
  readonly files: readonly string[];
  /** Folders of `files` that this layer may not import. */
  readonly except?: readonly string[];
  readonly packages: readonly string[];
}

/** From the bottom up. A file belongs to the first layer whose pattern matches its path. */
const layers: readonly Layer[] = [
  { name: 'the model', has: /^src\/core\/model\//, files: ['src/core/model/', ...ground()], packages: [] },
  { name: 'core', has: /^src\/core\//, files: ['src/core/'], packages: ['rxjs'] },
  {
    name: 'llm',
    has: /^src\/llm\//,
    files: ['src/llm/', 'src/core/'],
    packages: ['rxjs'],
  },
  { name: 'files', has: /^src\/files\//, files: ['src/files/'], packages: [] },
  { name: 'history', has: /^src\/history\//, files: ['src/history/', 'src/core/'], packages: [] },
  {
    name: 'storage/rows',
    has: /^src\/storage\/rows\//,
    files: ['src/storage/rows/', 'src/storage/codec.ts', 'src/storage/cursor.ts', 'src/core/'],
    packages: [],
  },
  {
    name: 'storage',
    has: /^src\/storage\//,
    files: ['src/storage/', 'src/history/', 'src/files/', 'src/core/'],
    packages: ['rxjs', 'idb'],
  },
  {
    name: 'keys',
    has: /^src\/keys\//,
    files: [
      'src/keys/',
      'src/storage/small-database.ts',
      'src/storage/erase/vault-channel.ts',
      'src/llm/transport/',
      'src/core/',
    ],
    packages: ['rxjs'],
  },
  {
    name: 'encryption',
    has: /^src\/encryption\//,
    files: ['src/encryption/', 'src/keys/', 'src/storage/', 'src/core/'],
    packages: [],
  },
  {
    name: 'sync/nats',
    has: /^src\/sync\/nats\//,
    files: ['src/sync/nats/', 'src/storage/', 'src/core/'],
    packages: ['rxjs', '@nats-io/nats-core'],
  },
  {
    name: 'sync/replica',
    has: /^src\/sync\/replica\//,
    files: ['src/sync/replica/', 'src/sync/decision-guard.ts', 'src/storage/', 'src/core/'],
    packages: ['rxjs'],
  },
  {
    name: 'sync/devices',
    has: /^src\/sync\/(devices\/|decision-guard\.ts)/,
    files: [
      'src/sync/devices/',
      'src/sync/decision-guard.ts',
      'src/encryption/',
      'src/keys/',
      'src/storage/',
      'src/core/',
    ],
    packages: [],
  },
  { name: 'sync', has: /^src\/sync\//, files: ['src/sync/'], packages: [] },
  {
    name: 'tools',
    has: /^src\/tools\//,
    files: ['src/tools/', 'src/files/', 'src/history/', 'src/storage/small-database.ts', 'src/core/'],
    packages: ['rxjs'],
  },
  {
    name: 'mcp/oauth',
    has: /^src\/mcp\/oauth\//,
    files: ['src/mcp/', 'src/llm/transport/', 'src/core/'],
    packages: ['oauth4webapi'],
  },
  { name: 'mcp', has: /^src\/mcp\//, files: ['src/mcp/', 'src/llm/transport/', 'src/core/'], packages: ['rxjs'] },
  {
    name: 'agui/agent',
    has: /^src\/agui\/agent\//,
    files: ['src/agui/', 'src/core/'],
    packages: ['rxjs', '@ag-ui/client'],
  },
  { name: 'agui', has: /^src\/agui\//, files: ['src/agui/', 'src/llm/transport/', 'src/core/'], packages: ['rxjs'] },
  { name: 'notify', has: /^src\/notify\//, files: ['src/notify/', 'src/core/'], packages: [] },
  { name: 'agents', has: /^src\/agents\//, files: ['src/agents/', 'src/core/'], packages: ['rxjs'] },
  { name: 'bridges', has: /^src\/bridges\//, files: ['src/bridges/', 'src/core/'], packages: [] },
  {
    name: 'review/html',
    has: /^src\/review\/html\//,
    files: ['src/review/html/', 'src/storage/files/', 'src/core/'],
    packages: ['virtual:brooklet-viewer'],
  },
  {
    name: 'telemetry',
    has: /^src\/review\/telemetry\//,
    files: ['src/review/', 'src/storage/files/', 'src/core/'],
    except: ['src/review/html/', 'src/review/replay/'],
    packages: [],
  },
  {
    name: 'review',
    has: /^src\/review\//,
    files: ['src/review/', 'src/core/'],
    except: ['src/review/html/', 'src/review/telemetry/'],
    packages: ['rxjs'],
  },
  {
    name: 'testing',
    has: /^src\/testing\//,
    files: ['src/testing/', 'src/review/', 'src/llm/transport/', 'src/core/'],
    packages: ['rxjs'],
  },
  {
    name: 'worker',
    has: /^src\/worker\//,
    files: ['src/worker/', 'src/keys/vault-key.ts', 'src/keys/vault-types.ts', 'src/core/'],
    packages: ['rxjs'],
  },
  {
    name: 'react/lists',
    has: /^src\/react\/lists\//,
    files: ['src/storage/files/', 'src/react/', 'src/core/'],
    packages: ['react', '@tanstack/react-query', 'rxjs'],
  },
  {
    name: 'react',
    has: /^src\/react\//,
    files: ['src/react/', 'src/review/', 'src/core/', 'src/keys/vault-types.ts'],
    except: ['src/react/lists/'],
    packages: ['react', 'rxjs'],
  },
  {
    // What a page could import by the name of the package, so that a copied file needs no more than other names.
    name: 'ui',
    has: /^src\/ui\//,
    files: [
      'src/ui/',
      'src/react/index.ts',
      'src/llm/providers/index.ts',
      'src/keys/index.ts',
      'src/review/index.ts',
      'src/core/model/index.ts',
      'src/index.ts',
    ],
    packages: ['react', 'marked'],
  },
  {
    name: 'devtools',
    has: /^src\/devtools\//,
    files: ['src/devtools/', 'src/ui/', 'src/review/', 'src/core/'],
    except: ['src/review/html/'],
    packages: ['virtual:brooklet-drawer', 'react', 'react-dom', 'rxjs'],
  },
  {
    name: 'viewer',
    has: /^src\/viewer\//,
    files: ['src/viewer/', 'src/ui/', 'src/review/index.ts', 'src/storage/files/', 'src/core/'],
    packages: ['react', 'react-dom'],
  },
  {
    name: 'element/templates',
    has: /^src\/element\/templates\//,
    files: ['src/element/'],
    packages: ['react', 'preact', 'solid-js', 'svelte', 'vue'],
  },
  {
    name: 'element',
    has: /^src\/element\//,
    files: [
      'src/element/',
      'src/ui/index.ts',
      'src/ui/labels/english.ts',
      'src/ui/style.css',
      'src/core/model/index.ts',
      'src/llm/providers/index.ts',
      'src/storage/index.ts',
      'src/index.ts',
    ],
    packages: ['react', 'react-dom'],
  },
  { name: 'the entry', has: /^src\/index\.ts$/, files: ['src/core/', 'src/llm/'], packages: [] },
];

/** The folder of `src` in which the files of a layer lie; the entry of the package lies in none. */
const roomOf = ({ has }: Layer): string | undefined => /src\\\/(\w+)\\\//.exec(has.source)?.[1];

/** What the README of a room says about a layer. */
function toStatement({ name, files, except = [], packages }: Layer): string {
  const list = (some: readonly string[]): string => some.map((one) => `\`${one}\``).join(', ');
  const but = except.length > 0 ? `, but not ${list(except)}` : '';
  return `- ${name} may import ${list([...files, ...packages])}${but}.`;
}

/** The base of the model: values, errors, and the types of its arguments. */
function ground(): readonly string[] {
  return ['src/core/json.ts', 'src/core/error.ts', 'src/core/ports.ts'];
}

/** Packages of which only types are imported; none of their code is in the build. */
const typesOf: readonly { readonly has: RegExp; readonly packages: readonly string[] }[] = [
  { has: /^src\/core\/model\//, packages: ['rxjs'] },
  { has: /^src\/(tools|keys)\//, packages: ['idb'] },
  { has: /^src\/llm\/wires\/openai-sdk\//, packages: ['openai'] },
];

/** Pure files: no clock, no randomness, no effect. The rule includes the files that they import, types aside. */
const pure: readonly string[] = [
  'src/core/model/',
  'src/core/context/visible-messages.ts',
  'src/core/context/tokens.ts',
  'src/core/context/media.ts',
  'src/core/context/compaction-history.ts',
  'src/core/context/zones.ts',
  'src/core/context/plan.ts',
  'src/core/context/calibrate.ts',
  'src/core/context/report.ts',
  'src/tools/present/',
  'src/history/',
];

const impure: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'rxjs', pattern: /^(?!import type ).*\brxjs\b/ },
  { what: 'Date.now', pattern: /\bDate\s*\.\s*now\b/ },
  { what: 'new Date()', pattern: /\bnew\s+Date\s*\(/ },
  { what: 'performance.now', pattern: /\bperformance\s*\.\s*now\b/ },
  { what: 'Math.random', pattern: /\bMath\s*\.\s*random\b/ },
  { what: 'crypto', pattern: /\bcrypto\b/ },
  { what: 'fetch()', pattern: /\bfetch\s*\(/ },
  { what: 'await', pattern: /\bawait\b/ },
  { what: 'a timer', pattern: /\b(setTimeout|setInterval|queueMicrotask|requestAnimationFrame)\b/ },
];

/**
 * The files that may name `browserPorts`: those whose functions take clock, ids or timers as an option, with these as the default. All other
 * files take them as arguments.
 */
const environment: ReadonlySet<string> = new Set([
  'src/core/ports.ts',
  'src/agui/client.ts',
  'src/agui/run.ts',
  'src/core/agent/create-agent.ts',
  'src/keys/create-vault.ts',
  'src/llm/middleware/retry.ts',
  'src/llm/providers/list-models.ts',
  'src/llm/transport/exchange.ts',
  'src/llm/transport/send-repeatedly.ts',
  'src/llm/wires/ai-sdk/ask.ts',
  'src/mcp/apps/mount.ts',
  'src/mcp/connect.ts',
  'src/mcp/oauth/sign-in.ts',
  'src/review/annotations.ts',
  'src/review/create-review.ts',
  'src/review/usage-below.ts',
  'src/storage/files/history/import-history.ts',
  'src/storage/files/import-messages.ts',
  'src/storage/files/import.ts',
  'src/sync/devices/invitation.ts',
  'src/sync/devices/open-devices.ts',
  'src/sync/nats/create-nats-store.ts',
  'src/sync/nats/prune-stream.ts',
  'src/worker/create-connected-agent.ts',
  'src/worker/create-host.ts',
  'src/sync/replica/create-synced-store.ts',
  'src/testing/index.ts',
  'src/testing/scripted.ts',
  'src/testing/store-contract.ts',
  'src/testing/what-if.ts',
  'src/tools/clock.ts',
  'src/tools/merge.ts',
  'src/tools/notes-store.ts',
  'src/tools/sandbox.ts',
  'src/tools/webmcp/follow-page-tools.ts',
  'src/tools/webmcp/offer-tools.ts',
  // Also used by the tables of a sealed store, which pass no clock.
  'src/storage/indexeddb/removal.ts',
]);

/** Returns a sentence for each line of a source file that reads the clock or makes an id by itself. */
function findAmbient({ path, code }: SourceFile): readonly string[] {
  if (path === 'src/core/ports.ts') return [];
  return code.split('\n').flatMap((text, index) => {
    const place = `${path}:${index + 1}`;
    if (/\bDate\s*\.\s*now\b|\bnew\s+Date\s*\(\s*\)|\brandomUUID\b/.test(text))
      return [`${place} reads the clock or makes an id: take it as an argument (src/core/ports.ts).`];
    if (/\bbrowserPorts\b/.test(text) && !environment.has(path))
      return [`${place} names browserPorts, but is not in \`environment\` of test/structure.test.ts.`];
    return [];
  });
}

/** Returns a sentence for each import of a source file that breaks the rules. */
function findForbidden(file: SourceFile): readonly string[] {
  const layer = layers.find(({ has }) => has.test(file.path));
  if (!layer) return [`${file.path} belongs to no layer: see \`layers\` in test/structure.test.ts.`];
  const types = typesOf.filter(({ has }) => has.test(file.path)).flatMap(({ packages }) => packages);

  return file.imports.flatMap(({ specifier, typeOnly, line }) => {
    const target = resolveImport(file.path, specifier);
    const name = packageOf(specifier);
    const allowed =
      target === undefined
        ? layer.packages.includes(name) || (typeOnly && types.includes(name))
        : layer.files.some((start) => target.startsWith(start)) &&
          !layer.except?.some((start) => target.startsWith(start));
    if (allowed) return [];
    const may = [...layer.files, ...layer.packages, ...types.map((type) => `${type} (types only)`)].join(', ');
    return [`${file.path}:${line} imports '${specifier}', but ${layer.name} may import only ${may}.`];
  });
}

/** Returns a sentence for each line that makes a file impure. */
function findImpure({ path, code }: SourceFile): readonly string[] {
  return code
    .split('\n')
    .flatMap((text, index) =>
      impure
        .filter(({ pattern }) => pattern.test(text))
        .map(
          ({ what }) => `${path}:${index + 1} mentions ${what}, but a pure file includes it: take it as an argument.`,
        ),
    );
}

/** Returns the files that are pure by path, and every file that they import and run. */
function pureFiles(files: readonly SourceFile[]): readonly SourceFile[] {
  return closureOf(
    files,
    files.map(({ path }) => path).filter((path) => pure.some((start) => path.startsWith(start))),
  );
}

/** Returns the files with these paths, and every file that they import and run. */
function closureOf(files: readonly SourceFile[], paths: readonly string[]): readonly SourceFile[] {
  const reached = new Set(paths);
  for (const path of reached) {
    for (const { specifier, typeOnly } of files.find((file) => file.path === path)?.imports ?? []) {
      const target = resolveImport(path, specifier);
      // The iteration includes paths that are added meanwhile.
      if (!typeOnly && target !== undefined) reached.add(target);
    }
  }
  return files.filter(({ path }) => reached.has(path));
}

/** Returns a sentence for each import of the demo that bypasses the package's name. */
function findEscapes({ path, imports }: SourceFile): readonly string[] {
  return imports.flatMap(({ specifier, line }) => {
    const target = resolveImport(path, specifier);
    if (target === undefined || target.startsWith('demo/')) return [];
    return [`${path}:${line} imports '${specifier}', but the demo may import the package by its name only.`];
  });
}

/** The rooms of the Studio, from the lowest one: each may import those before it. `.` is the page itself, which puts them together. */
const demoRooms: readonly string[] = [
  // What every room needs: settings of this browser, addresses, overlays, the words and the looks of the page.
  ['base', 'texts', 'ui', 'toast', 'markdown', 'pwa'],
  // Keys, the encrypted store, and the models.
  ['keys', 'encryption', 'offline', 'model'],
  // What an agent can do, and on which devices.
  ['tools', 'trust', 'mcp', 'workspace', 'skills', 'devices'],
  // What surrounds a conversation.
  ['sessions', 'notify', 'settings', 'pane', 'review', 'agent', 'takeout'],
  // A conversation, and the page around it.
  ['conversation', 'schedule', 'palette', 'shell', '.'],
].flat();

/** Returns a sentence for each import of the Studio, on demand or not, that leads to a higher room, or to one that is not in the list. */
function findClimbs({ path, imports }: SourceFile): readonly string[] {
  const rankOf = (file: string): number => demoRooms.indexOf(/^demo\/src\/([^/]+)\//.exec(file)?.[1] ?? '.');
  return imports.flatMap(({ specifier, line }) => {
    const target = resolveImport(path, specifier);
    if (target === undefined || !/^demo\/src\/.*\.tsx?$/.test(target)) return [];
    const [from, to] = [rankOf(path), rankOf(target)];
    return from >= to && to >= 0 ? [] : [`${path}:${line} imports '${specifier}', which is in a higher room.`];
  });
}

const sources = readFiles('src');

describe('the source tree', () => {
  it('imports only what the layer of each file allows', () => {
    expect(sources.flatMap(findForbidden)).toEqual([]);
  });

  it('has rooms whose READMEs state what each layer may import', () => {
    const rooms = new Set(sources.flatMap(({ path }) => /^src\/(\w+)\//.exec(path)?.[1] ?? []));
    expect(rooms.size).toBeGreaterThan(10);
    for (const room of rooms) {
      const readme = readFileSync(new URL(`../src/${room}/README.md`, import.meta.url), 'utf8');
      const stated = Array.from(readme.matchAll(/^- .* may import .*$/gm), ([line]) => line);
      const inside = layers.filter((layer) => roomOf(layer) === room);
      expect(inside.length).toBeGreaterThan(0);
      expect({ room, stated }).toEqual({ room, stated: inside.map(toStatement) });
    }
  });

  it('has no import circles', () => {
    expect(findCircles(sources).map((circle) => circle.join(' → '))).toEqual([]);
  });

  it('has no effect in a pure file', () => {
    expect(pureFiles(sources).flatMap(findImpure)).toEqual([]);
  });

  it('has nothing that replicates in what a page without a remote store loads', () => {
    const loaded = closureOf(sources, ['src/sync/replica/create-synced-store.ts']).map(({ path }) => path);
    expect(loaded.filter((path) => path.startsWith('src/sync/')).toSorted()).toEqual(
      [
        'decision-guard',
        'replica/check-options',
        'replica/create-synced-store',
        'replica/followed',
        'replica/locks',
        'replica/origin',
        'replica/signed-writes',
        'replica/when-changed',
      ].map((name) => `src/sync/${name}.ts`),
    );
  });

  it('takes clock and ids as arguments', () => {
    // What a component shows of the time follows the clock of its person, as that of a page does.
    const ruled = sources.filter(({ path }) => !path.startsWith('src/ui/'));
    expect(ruled.flatMap(findAmbient)).toEqual([]);
    const unused = [...environment].filter(
      (path) => !sources.some((file) => file.path === path && /\bbrowserPorts\b/.test(file.code)),
    );
    expect(unused).toEqual([]);
  });

  it('has no typed array with a type argument, which TypeScript before 5.7 does not know', () => {
    const findGeneric = ({ path, code }: SourceFile): readonly string[] =>
      /\b(Big)?(Ui|I|F)(nt|loat)\d+(Clamped)?Array</.test(code) ? [path] : [];
    expect(sources.flatMap(findGeneric)).toEqual([]);
  });

  it('has parts of a chat that load nothing of a review', () => {
    const isOfReview = (path: string): boolean => path.startsWith('src/ui/review/');
    const found = sources
      .filter(({ path }) => path.startsWith('src/ui/') && path !== 'src/ui/index.ts' && !isOfReview(path))
      .flatMap(({ path, imports }) =>
        imports.flatMap(({ specifier }) => {
          const target = resolveImport(path, specifier) ?? '';
          return isOfReview(target) || target.startsWith('src/review/') ? [`${path} imports ${specifier}`] : [];
        }),
      );
    expect(found).toEqual([]);
  });

  it('has a demo that imports the package by its name only', () => {
    expect(readFiles('demo').flatMap(findEscapes)).toEqual([]);
  });

  it('has a demo without import circles, those that are loaded on demand included', () => {
    expect(findCircles(readFiles('demo')).map((circle) => circle.join(' → '))).toEqual([]);
  });

  it('has a demo whose rooms import lower ones only', () => {
    const files = readFiles('demo');
    expect(files.flatMap(findClimbs)).toEqual([]);
    const used = new Set(files.flatMap(({ path }) => /^demo\/src\/(\w+)\/.*\.tsx?$/.exec(path)?.[1] ?? []));
    expect([...used].toSorted()).toEqual(demoRooms.filter((room) => room !== '.').toSorted());
  });
});

describe('the checks of these rules', () => {
  it('find every form of import', () => {
    const file = parseFile(
      'src/a.tsx',
      [
        `// import 'comment'`,
        `import type { A } from './type.ts';`,
        `import { type B } from 'inline';`,
        `import 'effect';`,
        `export * from './all.ts';`,
        `export type { C } from './exported-type.ts';`,
        `const text = "import 'string'", element = <p>don't</p>;`,
        `const lazy = () => import('./lazy.ts');`,
        `let type: import('inner').T; import old = require('old');`,
        'const computed = () => import(text);',
      ].join('\n'),
    );

    expect(file.imports.map(({ specifier, typeOnly, line }) => [line, specifier, typeOnly])).toEqual([
      [2, './type.ts', true],
      [3, 'inline', false],
      [4, 'effect', false],
      [5, './all.ts', false],
      [6, './exported-type.ts', true],
      [8, './lazy.ts', false],
      [9, 'inner', true],
      [9, 'old', false],
      [10, '(computed)', false],
    ]);
  });

  it('refuse an import that points up, out, or to a package of another layer', () => {
    const forbiddenIn = (path: string, code: string): readonly string[] => findForbidden(parseFile(path, code));

    expect(forbiddenIn('src/core/session/run.ts', `import 'rxjs'; import '../log/log.ts';`)).toEqual([]);
    expect(forbiddenIn('src/core/session/run.ts', `import type { X } from '../../storage/memory.ts';`)).toHaveLength(1);
    expect(forbiddenIn('src/core/session/run.ts', `import 'react';`)).toEqual([
      `src/core/session/run.ts:1 imports 'react', but core may import only src/core/, rxjs.`,
    ]);
    expect(forbiddenIn('src/core/model/llm.ts', `import type { Observable } from 'rxjs';`)).toEqual([]);
    expect(forbiddenIn('src/core/model/llm.ts', `import { Observable } from 'rxjs';`)).toHaveLength(1);
    expect(forbiddenIn('src/core/model/llm.ts', `import type { Log } from '../log/log.ts';`)).toHaveLength(1);
    expect(forbiddenIn('src/llm/wires/openai-sdk/client.ts', `import type OpenAI from 'openai';`)).toEqual([]);
    expect(forbiddenIn('src/llm/wires/openai-sdk/client.ts', `import OpenAI from 'openai';`)).toHaveLength(1);
    expect(forbiddenIn('src/storage/memory.ts', `import '../react/useChat.ts';`)).toHaveLength(1);
    expect(forbiddenIn('src/storage/memory.ts', `import '../../test/imports.ts';`)).toHaveLength(1);
    expect(forbiddenIn('src/react/useChat.ts', `import 'brooklet';`)).toHaveLength(1);
    expect(forbiddenIn('src/react/useChat.ts', `import type { QueryClient } from '@tanstack/react-query';`)).toEqual([
      `src/react/useChat.ts:1 imports '@tanstack/react-query', but react may import only src/react/, src/review/, src/core/, src/keys/vault-types.ts, react, rxjs.`,
    ]);
    expect(forbiddenIn('src/react/useChat.ts', `import './lists/useSessions.ts';`)).toHaveLength(1);
    expect(forbiddenIn('src/react/lists/a.ts', `import '@tanstack/react-query'; import '../useAgent.ts';`)).toEqual([]);
    expect(forbiddenIn('src/testing/index.ts', `import '../core/error.ts'; import '../react/index.ts';`)).toHaveLength(
      1,
    );
    expect(forbiddenIn('src/index.ts', `import './core/error.ts'; import './storage/index.ts';`)).toHaveLength(1);
    expect(forbiddenIn('src/other/thing.ts', '')).toHaveLength(1);
  });

  it('find a circle, also through types, and accept a file that does not exist yet', () => {
    const files = [
      parseFile('src/a.ts', `import type { B } from './b.ts';`),
      parseFile('src/b.ts', `import './c.ts'; import './not-yet.ts';`),
      parseFile('src/c.ts', `export { a } from './a.ts';`),
      parseFile('src/d.ts', `import './a.ts';`),
    ];

    expect(findCircles(files)).toEqual([['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/a.ts']]);
  });

  it('ignore a clock in a comment', () => {
    const impureIn = (code: string): readonly string[] => findImpure(parseFile('src/core/model/evolve.ts', code));

    expect(impureIn(`// no Date.now() here\nexport const at = (event: { at: number }) => event.at;`)).toEqual([]);
    expect(impureIn(`/*\n * crypto */\nexport const at = () => Date.now();`)).toEqual([
      'src/core/model/evolve.ts:3 mentions Date.now, but a pure file includes it: take it as an argument.',
    ]);
  });

  it('find a clock, an id and the ports of the browser where they are no arguments', () => {
    const ambientIn = (path: string, code: string): readonly string[] => findAmbient(parseFile(path, code));

    expect(ambientIn('src/agui/run.ts', 'export const at = browserPorts.now(); // Date.now()')).toEqual([]);
    expect(ambientIn('src/agui/run.ts', 'export const at = Date.now();')).toHaveLength(1);
    expect(ambientIn('src/tools/clock.ts', 'export const at = new Date();')).toHaveLength(1);
    expect(ambientIn('src/sync/nats/feed.ts', 'export const id = crypto.randomUUID();')).toHaveLength(1);
    expect(ambientIn('src/sync/nats/feed.ts', `import { browserPorts } from '../../core/ports.ts';`)).toEqual([
      'src/sync/nats/feed.ts:1 names browserPorts, but is not in `environment` of test/structure.test.ts.',
    ]);
  });

  it('include the files that a pure file runs, not the files of its types', () => {
    const files = [
      parseFile('src/core/model/next.ts', `import { a } from '../a.ts'; import type { Log } from '../log.ts';`),
      parseFile('src/core/a.ts', `export * from './b.ts';`),
      parseFile('src/core/b.ts', ''),
      parseFile('src/core/log.ts', ''),
    ];

    expect(pureFiles(files).map(({ path }) => path)).toEqual([
      'src/core/model/next.ts',
      'src/core/a.ts',
      'src/core/b.ts',
    ]);
  });

  it('allow the model the types of rxjs, and no code of it', () => {
    const impureIn = (code: string): readonly string[] => findImpure(parseFile('src/core/model/llm.ts', code));

    expect(impureIn(`import type { Observable } from 'rxjs';`)).toEqual([]);
    expect(impureIn(`import { type Observable } from 'rxjs';`)).toHaveLength(1);
    expect(impureIn(`export { of } from 'rxjs';`)).toHaveLength(1);
  });

  it('find a room of the demo that imports a higher one, or an unknown one', () => {
    const found = (path: string, specifier: string): number =>
      findClimbs(parseFile(path, `import '${specifier}';`)).length;
    expect(found('demo/src/keys/vault.ts', '../base/stored.ts')).toBe(0);
    expect(found('demo/src/keys/vault.ts', '../model/connection.ts')).toBe(1);
    expect(found('demo/src/keys/vault.ts', '../main.tsx')).toBe(1);
    expect(found('demo/src/keys/vault.ts', '../other/new.ts')).toBe(1);
    expect(findClimbs(parseFile('demo/src/keys/vault.ts', `void import('../shell/rooms.ts');`))).toHaveLength(1);
  });

  it('find a demo that imports from the sources', () => {
    expect(findEscapes(parseFile('demo/src/main.tsx', `import 'brooklet/react'; import './App.tsx';`))).toEqual([]);
    expect(findEscapes(parseFile('demo/src/main.tsx', `import '../../src/react/index.ts';`))).toHaveLength(1);
  });
});
