import { readFileSync } from 'node:fs';

/** @param {readonly import('./sides.mjs').Side[]} sides @returns {Record<string, string>} */
export function versionsOf(sides) {
  const names = [...sides.flatMap(({ packages }) => packages), 'react', '@tanstack/react-query'];
  return Object.fromEntries(
    names.map((name) => {
      const file = new URL(`node_modules/${name}/package.json`, import.meta.url);
      /** @type {{ version: string }} */
      const { version } = JSON.parse(readFileSync(file, 'utf8'));
      return [name, version];
    }),
  );
}
