import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { describe, expect, it } from 'vitest';
import { peers } from '../../scripts/manifest.mjs';

/** Returns the files of `src` whose code a page gets that imports these names of `brooklet/ui`. */
async function filesOf(...names: readonly string[]): Promise<readonly string[]> {
  const { metafile } = await esbuild.build({
    stdin: {
      contents: `import { ${names.join(', ')} } from './src/ui/index.ts'; globalThis.used = [${names.join(', ')}];`,
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
    },
    absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
    bundle: true,
    minify: true,
    format: 'esm',
    outdir: 'out',
    write: false,
    metafile: true,
    external: peers.flatMap((name) => [name, `${name}/*`]),
    logLevel: 'silent',
  });
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
}

/** What belongs to the parts beside a chat. */
const beside =
  /^src\/(?:ui\/(?:sessions|model|key|context)\/|ui\/base\/(?:Glyph|Menu|SearchField|usePopover|useToday)|ui\/labels\/(?:all|lists|sessions|model|key|context)|llm\/providers\/|keys\/)/;

describe('a page', () => {
  it('that uses Chat loads nothing of the parts beside it', async () => {
    const files = await filesOf('Chat');
    expect(files).toContain('src/ui/Chat.tsx');
    expect(files.filter((path) => beside.test(path))).toEqual([]);
  });

  it.each([
    [
      'SessionList',
      /^src\/(?:ui\/(?:model|key|context|thread|composer|call|markdown)\/|ui\/labels\/english|llm\/|keys\/)/,
    ],
    [
      'ContextMeter',
      /^src\/(?:ui\/(?:model|key|sessions|thread|composer|call|markdown)\/|ui\/labels\/english|llm\/|keys\/)/,
    ],
    [
      'ModelPicker',
      /^src\/(?:ui\/(?:sessions|key|context|thread|composer|call|markdown)\/|ui\/labels\/english|llm\/wires|keys\/)/,
    ],
    [
      'KeyField',
      /^src\/(?:ui\/(?:sessions|model|context|thread|composer|call|markdown)\/|ui\/labels\/english|llm\/wires|keys\/)/,
    ],
  ])('that uses %s loads no other part, no wire, no provider and no vault', async (name, others) => {
    const files = await filesOf(name);
    expect(files.some((path) => path.endsWith(`/${name}.tsx`))).toBe(true);
    expect(files.filter((path) => others.test(path))).toEqual([]);
    expect(files).not.toContain('src/llm/providers/openai.ts');
  });
});
