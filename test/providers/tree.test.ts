import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { describe, expect, it } from 'vitest';
import { all } from './all.ts';

const entry = fileURLToPath(new URL('../../src/llm/providers/index.ts', import.meta.url));

/** The code of a page that imports these names, without rxjs. */
async function bundle(...names: readonly string[]): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? id : undefined),
        load: (id) => (id === 'page' ? `export { ${names.join(', ')} } from '${entry}';` : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input: 'page', external: ['rxjs'], preserveEntrySignatures: 'strict' },
    },
  });
  const [output] = [result].flat();
  const chunks = output && 'output' in output ? output.output.filter((one) => one.type === 'chunk') : [];
  const page = chunks.find(({ isEntry }) => isEntry);
  if (page === undefined) throw new Error('Vite has built nothing.');
  return chunks.flatMap(({ fileName, code }) => (page.imports.includes(fileName) ? code : [])).join('') + page.code;
}

/** The providers in a page’s code, by their addresses. */
function ownersOf(code: string): readonly string[] {
  return all.flatMap(([name, { baseURL }]) =>
    code.includes(`${baseURL}\``) || code.includes(`${baseURL}"`) ? [name] : [],
  );
}

const wires = ['/chat/completions', '/responses', '/messages'];

describe('a page that imports one provider', () => {
  it.each([
    ['deepseek', ['deepseek'], ['/chat/completions']],
    ['ollama', ['ollama'], ['/chat/completions']],
    // Two providers with one address; the page contains neither the other one nor its wire.
    ['openai', ['openai', 'openaiChat'], ['/responses']],
    ['anthropic', ['anthropic'], ['/messages']],
  ])('%s contains no other provider, and one wire', async (name, owners, paths) => {
    const code = await bundle(name, 'createProviderClient');
    expect(ownersOf(code)).toEqual(owners);
    expect(wires.filter((path) => code.includes(path))).toEqual(paths);
    expect(code).not.toContain('its list of models');
  });

  it('contains listModels only where it is imported', async () => {
    const code = await bundle('deepseek', 'listModels');
    expect(code).toContain('its list of models');
    expect(ownersOf(code)).toEqual(['deepseek']);
  });
});
