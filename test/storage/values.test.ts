import fc from 'fast-check';
import { expect, test } from 'vitest';
import { valuesOf } from '../../src/storage/files/history/values.ts';
import { defaultLimits } from '../../src/storage/files/limits.ts';
import { createPauses } from '../../src/storage/files/pause.ts';
import type { TextSource } from '../../src/storage/files/text-chunks.ts';
import { seeded } from '../support/seeded.ts';

/** A text that is cut into pieces of these lengths. */
function cut(text: string, lengths: readonly number[]): TextSource {
  return {
    size: text.length,
    unit: 'characters',
    async *chunks() {
      let read = 0;
      for (let turn = 0; read < text.length; turn++) {
        const end = Math.min(text.length, read + (lengths[turn % lengths.length] ?? 1));
        yield { text: text.slice(read, end), read: end };
        read = end;
      }
    },
  };
}

async function read(source: TextSource): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  const options = { limits: defaultLimits, pauses: createPauses(), expected: 'JSON' };
  for await (const { value } of valuesOf(source, options)) values.push(value);
  return values;
}

const lengths = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });
/** Without `-0`, which JSON does not have. */
const json = fc.jsonValue({ maxDepth: 3 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
const values = fc.array(json, { maxLength: 6 });
const notList = fc.array(
  json.filter((value) => !Array.isArray(value)),
  { maxLength: 6 },
);
const spacing = fc.constantFrom(undefined, 1, '\t');

test('a list is read element by element, wherever it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(values, spacing, lengths, async (list, space, pieces) => {
      expect(await read(cut(JSON.stringify(list, undefined, space), pieces))).toEqual(list);
    }),
    seeded(2_000),
  );
});

test('lines are read one by one, wherever they are cut', async () => {
  await fc.assert(
    fc.asyncProperty(notList, fc.constantFrom('\n', '\r\n', '\n\n'), lengths, async (list, end, pieces) => {
      const text = list.map((value) => JSON.stringify(value)).join(end);
      expect(await read(cut(text, pieces))).toEqual(list);
    }),
    seeded(2_000),
  );
});

test('a text that is cut off is refused, unless it ends between two values', async () => {
  await fc.assert(
    fc.asyncProperty(values, fc.nat(), lengths, async (list, end, pieces) => {
      const text = JSON.stringify(list);
      const cutOff = text.slice(0, 1 + (end % Math.max(1, text.length - 1)));
      if (cutOff === text) return;
      await expect(read(cut(cutOff, pieces))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }),
    seeded(1_000),
  );
});
