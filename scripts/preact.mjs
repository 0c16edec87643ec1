// Preact in the place of React: the runtime of the element (decision 320), and of the tests that run the parts of a chat with it.

import { fileURLToPath } from 'node:url';

/** The modules of React that the sources import. @type {Readonly<Record<string, string>>} */
const modules = {
  react: 'preact/compat',
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react/jsx-dev-runtime': 'preact/jsx-runtime',
  'react-dom': 'preact/compat',
  'react-dom/client': 'preact/compat/client',
};

/** Aliases of Vite. */
export const preactAlias = Object.entries(modules).map(([name, target]) => ({
  find: new RegExp(`^${name}$`),
  replacement: fileURLToPath(import.meta.resolve(target)),
}));
