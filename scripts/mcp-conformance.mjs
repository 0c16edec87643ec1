// Runs the official conformance suite for MCP clients against brooklet/mcp.
//
//   node scripts/mcp-conformance.mjs              all scenarios
//   node scripts/mcp-conformance.mjs sse-retry    one of them

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { root } from './manifest.mjs';

const scenarios = [
  'initialize tools_call elicitation-sep1034-client-defaults sse-retry',
  'auth/metadata-default auth/metadata-var1 auth/metadata-var2 auth/metadata-var3 auth/basic-cimd auth/pre-registration',
  'auth/scope-from-www-authenticate auth/scope-from-scopes-supported auth/scope-omitted-when-undefined auth/scope-step-up auth/scope-retry-limit',
  'auth/token-endpoint-auth-basic auth/token-endpoint-auth-post auth/token-endpoint-auth-none auth/resource-mismatch',
  'auth/2025-03-26-oauth-metadata-backcompat auth/2025-03-26-oauth-endpoint-fallback auth/offline-access-scope auth/offline-access-not-supported',
].flatMap((line) => line.split(' '));

const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));

/** The suite imports a function of Node 22 that the tests of clients do not use: under Node 20 a copy does without. */
function copySuite() {
  const home = join(root, 'node_modules/@modelcontextprotocol/conformance');
  const copy = join(folder, 'suite');
  const suite = join(copy, 'dist/index.js');
  mkdirSync(join(copy, 'dist'), { recursive: true });
  writeFileSync(suite, readFileSync(join(home, 'dist/index.js'), 'utf8').replace('globSync as ', 'readdirSync as '));
  writeFileSync(join(copy, 'package.json'), readFileSync(join(home, 'package.json')));
  symlinkSync(join(home, 'node_modules'), join(copy, 'node_modules'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return suite;
}

/** @param {string} scenario @param {string} suite @param {string} client */
function run(scenario, suite, client) {
  return new Promise((resolve) => {
    const args = [suite, 'client', '--command', `node ${client}`, '--scenario', scenario, '--timeout', '20000'];
    const child = spawn(process.execPath, args, { cwd: folder });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (text += String(piece)));
    child.on('close', (code) => resolve({ passed: code === 0, counts: /Passed: .*/.exec(text)?.[0] ?? '' }));
  });
}

try {
  const client = join(folder, 'client.mjs');
  await esbuild.build({
    entryPoints: [join(root, 'test/mcp/support/conformance-client.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: client,
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'warning',
  });
  const suite = copySuite();
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : scenarios;
  let count = 0;
  for (const scenario of wanted) {
    const { passed, counts } = await run(scenario, suite, client);
    if (passed) count += 1;
    console.log(`${passed ? 'ok  ' : 'FAIL'} ${scenario}  ${counts}`);
  }
  console.log(`${count} of ${wanted.length} scenarios pass`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
