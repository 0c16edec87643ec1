// Fails where an entry of dist/ imports a peer dependency that is not its own, by any path: a page without that package could not be built.
//
//   node scripts/check-peers.mjs        requires a build

import * as esbuild from 'esbuild';
import { entries, manifest, peers, root } from './manifest.mjs';

/** @type {Readonly<Record<string, readonly string[]>>} by the path in `exports` */
const own = {
  react: ['react'],
  'react/lists': ['react', '@tanstack/react-query'],
  ui: ['react'],
  'agui/agent': ['@ag-ui/client'],
  nats: ['@nats-io/nats-core'],
};

for (const { name, module } of entries) {
  const { metafile } = await esbuild.build({
    entryPoints: [`${root}dist/${module}.js`],
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    external: peers.flatMap((peer) => [peer, `${peer}/*`]),
    outdir: 'out',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  const allowed = own[name.slice(manifest.name.length + 1)] ?? [];
  const foreign = imported
    .map(({ path }) => path)
    .filter((path) => !allowed.some((peer) => path === peer || path.startsWith(`${peer}/`)));
  if (foreign.length === 0) continue;
  console.error(`${name} imports ${[...new Set(foreign)].join(', ')}, a peer of another entry.`);
  process.exitCode = 1;
}
