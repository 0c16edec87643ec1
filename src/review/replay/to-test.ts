import { named } from '../../core/model/shapes/named.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { extractTextContent } from '../../core/model/message.ts';
import { foldLog } from '../../core/model/fold.ts';
import type { SessionState } from '../../core/model/state.ts';
import { checkLog } from './check-log.ts';

/** Options of `toTest`, all optional. */
export interface TestSourceOptions {
  /** What the test is called. Default: the title of the session. */
  readonly name?: string;
  /**
   * Address of a file with the log, relative to the test: the export of the session, as `exportSession` writes it. Default: the log is a part
   * of the source.
   */
  readonly file?: string;
}

/**
 * Returns the source of a vitest file that replays a log, and that passes as it is. The source contains the texts that the person saw: change
 * them to what should have been, and the test fails until the cause is fixed.
 *
 *     await writeFile('test/refund.test.ts', toTest(stored.events, { name: 'refunds an order once' }));
 *
 * @param log all events of one session, in the order of `seq`. The source contains the log unchanged: mask what must not leave the page.
 * @throws ReplayError `unreplayable` for a log that cannot be replayed
 */
export function toTest(log: readonly SessionEvent[], options: TestSourceOptions = {}): string {
  const { name, file } = named(options, { name: true, file: true }, 'toTest');
  const state = foldLog('', checkLog(log));
  const imports = [
    `import { extractTextContent${file === undefined ? ', type SessionEvent' : ''} } from 'brooklet';`,
    ...(file === undefined ? [] : [`import { readExport } from 'brooklet/storage';`]),
    `import { replay } from 'brooklet/testing';`,
    ...(file === undefined ? [] : [`import { readFile } from 'node:fs/promises';`]),
    `import { expect, test } from 'vitest';`,
  ];
  return `${imports.join('\n')}

test(${toSource(name ?? nameOf(state))}, async () => {
  // To test your agent, pass its options: replay(log, { instructions, tools, toolResults: 'recorded' }).
  const { state } = await replay(log);
  expect(state.messages.map((message) => extractTextContent(message))).toEqual(${listOf(
    state.messages.map((message) => extractTextContent(message)),
    '  ',
  )});
});

${file === undefined ? inlined(log) : read(file, state.id)}
`;
}

function nameOf({ title, id }: SessionState): string {
  return title || `session ${id}`;
}

function inlined(log: readonly SessionEvent[]): string {
  return `const log: readonly SessionEvent[] = ${listOf(log, '')};`;
}

function read(file: string, sessionId: string): string {
  return `const { sessions } = await readExport(await readFile(new URL(${toSource(file)}, import.meta.url), 'utf8'));
const log = sessions.find(({ id }) => id === ${toSource(sessionId)})?.events ?? [];`;
}

/** Returns a list as source, with one item a line. */
function listOf(items: readonly unknown[], indent: string): string {
  return items.length === 0 ? '[]' : `[\n${items.map((item) => `${indent}  ${toSource(item)},\n`).join('')}${indent}]`;
}

/** Returns JSON as source. In a literal the key `__proto__` sets the prototype; a computed key does not. */
function toSource(value: unknown): string {
  return JSON.stringify(value).replace(/([{,])"__proto__":/g, '$1["__proto__"]:');
}
