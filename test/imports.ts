import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';

/** One module that a file names, however it does. */
interface Import {
  /** As written: `./log.ts`, `rxjs`. */
  readonly specifier: string;
  /** Gone after compilation: `import type`, `export type … from`, `import('…').Type`. */
  readonly typeOnly: boolean;
  readonly line: number;
}

/** A file of this repository, by its path from the root, with `/`. */
export interface SourceFile {
  readonly path: string;
  readonly imports: readonly Import[];
  /** Its text with every comment blanked. */
  readonly code: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** The TypeScript files in a folder, in order; none where there is no such folder. */
export function readFiles(folder: string): readonly SourceFile[] {
  if (!existsSync(`${root}/${folder}`)) return [];
  return readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
    .filter((path) => /\.tsx?$/.test(path))
    .toSorted()
    .map((path) => parseFile(path, readFileSync(`${root}/${path}`, 'utf8')));
}

export function parseFile(path: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text, { sourceType: 'module' });
  if (errors[0]) throw new SyntaxError(`${path}: ${errors[0].message}`);

  const imports: Import[] = [];
  const add = (specifier: unknown, typeOnly: boolean, start: number): void => {
    // Only a literal names a module; anything else a reader could not follow either.
    const name = typeof specifier === 'string' ? specifier : '(computed)';
    imports.push({ specifier: name, typeOnly, line: text.slice(0, start).split('\n').length });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, node.importKind === 'type', node.start),
    ExportAllDeclaration: (node) => add(node.source.value, node.exportKind === 'type', node.start),
    ExportNamedDeclaration: (node) => {
      if (node.source) add(node.source.value, node.exportKind === 'type', node.start);
    },
    ImportExpression: (node) => add(node.source.type === 'Literal' && node.source.value, false, node.start),
    TSImportType: (node) => add(node.source.value, true, node.start),
    TSExternalModuleReference: (node) => add(node.expression.value, false, node.start),
  }).visit(program);

  let code = text;
  for (const { start, end } of comments) {
    code = code.slice(0, start) + code.slice(start, end).replaceAll(/[^\n]/g, ' ') + code.slice(end);
  }
  return { path, imports, code };
}

/** Where a relative specifier leads, from the root; `undefined` for a package. */
export function resolveImport(from: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : undefined;
}

/** `rxjs/ajax` is of `rxjs`, `@scope/name/part` of `@scope/name`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Every circle that a walk meets, as the files along it; the first comes again at the end. */
export function findCircles(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const circles: (readonly string[])[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) {
      circles.push([...trail.slice(at), path]);
      return;
    }
    if (done.has(path)) return;
    for (const { specifier } of byPath.get(path)?.imports ?? []) {
      const target = resolveImport(path, specifier);
      if (target !== undefined) walk(target, [...trail, path]);
    }
    done.add(path);
  };
  for (const { path } of files) walk(path, []);
  return circles;
}
