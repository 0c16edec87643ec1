import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { SessionEvent } from 'brooklet';
import { exportHTML, type HTMLOptions } from 'brooklet/review/html';
import { createMemoryStore, exportSession, importSessions, readExport } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { toEvents } from '../storage/arbitrary-log.ts';
import { untyped } from '../support/untyped.ts';
import { record } from './recorded.ts';

const hostile = '</script><script>alert(1)</script><!--<script>\u2028\u2029]]>&amp;<img src=x onerror=alert(1)>';

function logOf(text: string, title?: string): readonly SessionEvent[] {
  const message = { id: 'm', role: 'user', content: [{ type: 'text', text }], timestamp: 1 };
  const named = title === undefined ? [] : [{ type: 'session.renamed', title }];
  return toEvents([{ type: 'message.added', message }, ...named], 's');
}

/** Returns the parts of a file as a parser of HTML separates them: the elements with raw text end at their first end tag. */
async function partsOf(file: Blob) {
  const text = await file.text();
  const raw = (open: string, close: string): string => text.split(open)[1]?.split(close, 1)[0] ?? '';
  return {
    text,
    policy: raw('Content-Security-Policy" content="', '"'),
    style: raw('<style>', '</style'),
    script: raw('<script type="module">', '</script'),
    log: raw('<script type="application/json" id="log">\n', '</script'),
  };
}

const titleOf = (text: string): string | undefined => /<title>(.*?)<\/title>/s.exec(text)?.[1];
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('a session as one HTML file', () => {
  test('contains the log unchanged, and a viewer whose hashes its policy names', async () => {
    const { stored } = await record();
    const store = createMemoryStore();
    await importSessions(store, exportSession(stored));
    const { id } = stored.summary;
    const file = await exportHTML({ store, sessionId: id });
    const { policy, script, style, log, text } = await partsOf(file);
    expect(file.type).toBe('text/html;charset=utf-8');
    const read = await store.read(id);
    expect((await readExport(log)).sessions).toEqual([{ id, events: read?.events }]);
    expect(policy).toContain(`default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)};`);
    // The viewer is built for production wherever it is built.
    expect(/jsxDEV|fileName:|\/src\/review\/viewer\//.test(script)).toBe(false);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(titleOf(text)).toBe(stored.summary.title);
  });

  test('cannot be left by any text of the log or the title', async () => {
    const file = await exportHTML(logOf(hostile, hostile));
    const { text, log } = await partsOf(file);
    expect(text.match(/<script/gi)).toHaveLength(2);
    expect(text.match(/<\/script/gi)).toHaveLength(2);
    // The code of the viewer may have such texts: it is the same in every file.
    const { script } = await import('virtual:brooklet-viewer');
    expect(text).toContain(script);
    expect([/<img|<!--/.test(text.replace(script, () => '')), /[\u2028\u2029]/.test(log)]).toEqual([false, false]);
    const [session] = (await readExport(log)).sessions;
    expect(session?.events[1]).toMatchObject({ message: { content: [{ text: hostile }] } });
    const titled = await partsOf(await exportHTML(logOf('a'), { title: '"><b>' }));
    expect(titleOf(titled.text)).toBe('&#34;&#62;&#60;b&#62;');
  });

  test('contains the notes of reviewers, but not beside a mask', async () => {
    const { stored } = await record();
    const store = createMemoryStore();
    const notes = [{ id: 'n', seq: 2, text: 'Why?', at: 1 }];
    await importSessions(store, exportSession(stored, { annotations: notes }));
    const source = { store, sessionId: stored.summary.id };
    const annotationsIn = async (file: Blob) => (await readExport((await partsOf(file)).log)).sessions[0]?.annotations;
    expect(await annotationsIn(await exportHTML(source))).toEqual(notes);
    expect(await annotationsIn(await exportHTML(stored.events, { annotations: notes }))).toEqual(notes);
    expect(await annotationsIn(await exportHTML(source, { mask: { attachments: true } }))).toBeUndefined();
  });

  test('contains nothing of what its mask leaves out', async () => {
    const file = await exportHTML(logOf('My number is 4711.'), { mask: { patterns: [/4711/] } });
    const { text, log } = await partsOf(file);
    expect(text.includes('4711')).toBe(false);
    expect(titleOf(text)).toBe('My number is [masked].');
    expect((await readExport(log)).sessions[0]?.masked?.patterns).toBe(1);
  });

  test('is at most 120 kB without its log, compressed', async () => {
    expect(gzipSync(await (await exportHTML(logOf('Hello'))).text()).length).toBeLessThan(120_000);
  });

  test('names the language of its viewer, in the canonical form of its tag', async () => {
    const viewerOf = async (options?: HTMLOptions): Promise<string | undefined> =>
      /<main id="viewer".*?>/.exec(await (await exportHTML(logOf('Hello'), options)).text())?.[0];
    expect(await viewerOf()).toBe('<main id="viewer">');
    expect(await viewerOf({ language: 'ZH-cn' })).toBe('<main id="viewer" data-language="zh-CN">');
    for (const language of ['', '中文', '"><script>', untyped(7)])
      await expect(exportHTML(logOf('Hello'), { language })).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  });

  test('of a session that does not exist is refused', async () => {
    await expect(exportHTML({ store: createMemoryStore(), sessionId: 'gone' })).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    });
  });

  test.each([
    null,
    undefined,
    's',
    {},
    [null],
    { sessions: null },
    { sessions: [null] },
    { store: null, sessionId: 's' },
    { store: {}, sessionId: 's' },
  ])('of what is no source is refused: %j', async (source) => {
    await expect(exportHTML(untyped(source))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
