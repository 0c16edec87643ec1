// What `npm run mutate` changes, and which tests must notice it.

/** @typedef {{ readonly code: readonly string[], readonly tests: readonly string[] }} Part */

/** @type {Readonly<Record<string, Part>>} */
const parts = {
  model: { code: ['src/core/model/*.ts'], tests: ['test/core/model/**/*.test.ts'] },
  shapes: {
    code: ['src/core/model/shapes/*.ts'],
    tests: ['test/behaviour/{door,tool-door,verbs}.test.ts', 'test/storage/{files,forged-imports,mask}.test.ts'],
  },
  log: { code: ['src/core/log/*.ts'], tests: ['test/core/log/*.test.ts', 'test/behaviour/*.test.ts'] },
  run: {
    code: ['src/core/session/{run*,decisions,perform}.ts'],
    tests: ['test/core/session/*.test.ts', 'test/behaviour/*.test.ts'],
  },
  storage: {
    code: ['src/storage/indexeddb/{commit,gapless,lost-events,pack*,removal,rows,to-rows,transaction-done,unpack}.ts'],
    tests: ['test/storage/**/*.test.ts'],
  },
};

/** The part that the variable PART names. */
export function chosenPart() {
  const name = process.env.PART ?? 'model';
  const part = parts[name];
  if (part === undefined) throw new Error(`PART is one of ${Object.keys(parts).join(', ')}, and not ${name}.`);
  return { name, ...part };
}
