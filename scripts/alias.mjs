// What the names of the package mean in this repository.

import { fileURLToPath } from 'node:url';
import { root } from './manifest.mjs';

/** The demo and the tests import the package by its own name; here that is its sources, so nothing needs a build. */
const entries = {
  brooklet: 'src/index.ts',
  'brooklet/core': 'src/core/model/index.ts',
  'brooklet/llm': 'src/llm/index.ts',
  'brooklet/context': 'src/core/context/index.ts',
  'brooklet/react': 'src/react/index.ts',
  'brooklet/react/lists': 'src/react/lists/index.ts',
  'brooklet/ui': 'src/ui/index.ts',
  'brooklet/ui/style.css': 'src/ui/style.css',
  'brooklet/ui/review.css': 'src/ui/review.css',
  'brooklet/element': 'src/element/index.ts',
  'brooklet/storage': 'src/storage/index.ts',
  'brooklet/agents': 'src/agents/index.ts',
  'brooklet/review': 'src/review/index.ts',
  'brooklet/review/html': 'src/review/html/index.ts',
  'brooklet/devtools': 'src/devtools/index.ts',
  'brooklet/telemetry': 'src/review/telemetry/index.ts',
  'brooklet/mcp': 'src/mcp/index.ts',
  'brooklet/mcp/apps': 'src/mcp/apps/index.ts',
  'brooklet/openai': 'src/llm/wires/openai-sdk/index.ts',
  'brooklet/anthropic': 'src/llm/wires/anthropic/index.ts',
  'brooklet/ai-sdk': 'src/llm/wires/ai-sdk/index.ts',
  'brooklet/keys': 'src/keys/index.ts',
  'brooklet/notify': 'src/notify/index.ts',
  'brooklet/encryption': 'src/encryption/index.ts',
  'brooklet/bridges': 'src/bridges/index.ts',
  'brooklet/agui/agent': 'src/agui/agent/index.ts',
  'brooklet/agui': 'src/agui/index.ts',
  'brooklet/providers': 'src/llm/providers/index.ts',
  'brooklet/skills': 'src/tools/skills/index.ts',
  'brooklet/workspace': 'src/tools/workspace/index.ts',
  'brooklet/webmcp': 'src/tools/webmcp/index.ts',
  'brooklet/sync': 'src/sync/index.ts',
  'brooklet/nats': 'src/sync/nats/index.ts',
  'brooklet/tools': 'src/tools/index.ts',
  'brooklet/worker': 'src/worker/index.ts',
  'brooklet/testing': 'src/testing/index.ts',
  'brooklet/package.json': 'package.json',
};

/** The build for browsers decodes `&amp;` by `innerHTML`, which Trusted Types refuse; the other build has a table. */
const entities = fileURLToPath(import.meta.resolve('decode-named-character-reference'));

/** Aliases of Vite. In a file of its own: the configuration of the tests takes a second to load, and tests need the names alone. */
export const alias = [
  // Also with a query of Vite, as in `brooklet/ui/style.css?inline`.
  ...Object.entries(entries).map(([name, path]) => ({
    find: new RegExp(`^${name}(?=$|\\?)`),
    replacement: `${root}${path}`,
  })),
  { find: /^decode-named-character-reference$/u, replacement: entities },
];
