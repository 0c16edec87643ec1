// Compiles a page as a user writes it with the versions of TypeScript that the package supports, for bundlers and for Node.

import { createProject } from './project.mjs';

const versions = ['5.5', '5.9', '7.0'];
const modules = [
  ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
];

/** @type {import('./consumers.mjs').Consumer['run']} */
export async function compileAll(folder, stage) {
  const compilers = Object.fromEntries(
    versions.map((version) => [`typescript-${version}`, `npm:typescript@${version}`]),
  );
  const dependencies = {
    ...compilers,
    '@tanstack/react-query': '^5.0.0',
    '@types/react': '^19.0.0',
    openai: '^6.0.0',
    react: '^19.0.0',
    zod: '^4.0.0',
  };
  const files = { 'chat.tsx': 'test/consumer/chat.tsx', 'tsconfig.json': 'test/consumer/tsconfig.json' };
  const project = await createProject({ folder, template: 'node', files, dependencies }, stage);
  for (const version of versions)
    for (const flags of modules)
      for (const skip of ['true', 'false'])
        await project.node(`node_modules/typescript-${version}/bin/tsc`, ...flags, '--skipLibCheck', skip);
}
