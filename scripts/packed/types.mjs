// Compiles a page as a user writes it with the versions of TypeScript that the package supports, for bundlers and for Node.

import { join } from 'node:path';
import { createProject } from './project.mjs';

const versions = ['5.5', '5.9', '7.0'];
/** The types of React that the package supports, the newest last. */
const reacts = ['18', '19'];
const modules = [
  ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
];

/** @type {import('./consumers.mjs').Consumer['run']} */
export async function compileAll(folder, stage) {
  for (const react of reacts) {
    // The older React differs by its types alone: one compiler is enough for it.
    const used = react === reacts.at(-1) ? versions : versions.slice(-1);
    const dependencies = {
      ...Object.fromEntries(used.map((version) => [`typescript-${version}`, `npm:typescript@${version}`])),
      '@tanstack/react-query': '^5.0.0',
      '@types/react': `^${react}.0.0`,
      openai: '^6.0.0',
      react: `^${react}.0.0`,
      zod: '^4.0.0',
    };
    const files = { 'chat.tsx': 'test/consumer/chat.tsx', 'tsconfig.json': 'test/consumer/tsconfig.json' };
    const project = await createProject(
      { folder: join(folder, `react-${react}`), template: 'node', files, dependencies },
      stage,
    );
    // With the declarations of all packages checked: what compiles so compiles without that check.
    for (const version of used)
      for (const flags of modules)
        await project.node(
          `node_modules/typescript-${version}/bin/tsc`,
          ...flags,
          '--skipLibCheck',
          'false',
          '--skipDefaultLibCheck',
          'true',
        );
  }
}
