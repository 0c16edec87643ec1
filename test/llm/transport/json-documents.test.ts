import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBracketScanner, splitDocuments } from '../../../src/llm/transport/json-documents.ts';

const document = fc.object({
  maxDepth: 3,
  values: [fc.string({ unit: 'binary' }), fc.constantFrom('\\', '"', '{"', '}]', '\\"')],
});

test('finds the end of each document, however the text is cut', () => {
  fc.assert(
    fc.property(fc.array(document, { minLength: 1, maxLength: 4 }), fc.array(fc.nat()), (documents, cuts) => {
      const texts = documents.map((one) => JSON.stringify(one));
      const whole = texts.join('\n');
      expect(splitDocuments(whole, 'host')).toEqual(texts);

      const places = [...new Set(cuts.map((cut) => cut % whole.length))].toSorted((one, other) => one - other);
      const scanner = createBracketScanner('host');
      const ends = [0, ...places].flatMap((from, index) =>
        scanner.push(whole.slice(from, places[index])).map((end) => from + end),
      );
      expect(ends.map((end, index) => whole.slice(ends[index - 1] ?? 0, end).trim())).toEqual(texts);
      expect(scanner.depth).toBe(0);
    }),
  );
});

test('ignores an empty piece after half an escape', () => {
  const scanner = createBracketScanner('host');
  const ends = ['{"a":"\\', '', '"}', '"}'].map((piece) => scanner.push(piece));
  expect(ends).toEqual([[], [], [], [2]]);
});
