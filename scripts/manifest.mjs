import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the package, with a slash at its end. */
export const root = join(import.meta.dirname, '../');

/** @type {{ name: string, exports: Record<string, string | { types: string, default: string }>, dependencies: object, peerDependencies: object, scripts?: Readonly<Record<string, string>> }} */
export const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** The entries of the package: the name that a page imports, the path of the module in src/ and in dist/ without its ending, and its types. */
export const entries = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === 'string'
    ? []
    : {
        name: `${manifest.name}${path.slice(1)}`,
        module: target.default.replace(/^\.\/dist\/|\.js$/g, ''),
        types: `${root}${target.types.slice(2)}`,
      },
);

/** What a bundler leaves to the page: the peer dependencies, and what belongs to React. */
export const peers = ['react', 'react-dom', ...Object.keys(manifest.peerDependencies)];
