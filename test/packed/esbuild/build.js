import { mkdirSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

await build({
  entryPoints: ['main.ts'],
  bundle: true,
  minify: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  outdir: 'public',
});
mkdirSync('public', { recursive: true });
writeFileSync(
  'public/index.html',
  '<!doctype html><html lang="en"><link rel="stylesheet" href="main.css"><body><script type="module" src="main.js"></script></body></html>',
);
