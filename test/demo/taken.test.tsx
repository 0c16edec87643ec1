import { createAgent, type Message } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import { lastValueFrom } from 'rxjs';
import { expect, test } from 'vitest';
import { toPaper } from '../../demo/src/takeout/paper.tsx';
import { toPage } from '../../demo/src/takeout/savePage.ts';
import { takeAnswer, takeChat, toText } from '../../demo/src/takeout/taken.ts';
import { en } from '../../demo/src/texts/en/en.ts';
import { zh } from '../../demo/src/texts/zh/zh.ts';

const said = (id: string, role: Message['role'], ...content: Message['content']): Message => ({
  id,
  role,
  content,
  timestamp: 0,
});
const call = {
  type: 'tool',
  callId: 'c',
  name: 'list_notes',
  status: 'succeeded',
  inputText: '{}',
  input: {},
  output: { notes: [], total: 3 },
  summary: '3 notes',
} as const;
const messages: readonly Message[] = [
  said(
    'q',
    'user',
    { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=', name: 'a.png' },
    { type: 'text', text: 'Hi **you**' },
  ),
  said('a', 'assistant', { type: 'reasoning', text: 'Secret thoughts.' }, call),
  said('b', 'assistant', {
    type: 'text',
    text: `It is **bold**, $x$.\n\n\`\`\`ts\nconst a = 1;\n\`\`\`\n\n[run](javascript:alert(1)) <img src=x onerror=alert(1)>`,
  }),
  said('q2', 'user', { type: 'text', text: 'Thanks' }),
  said('a2', 'assistant', { type: 'text', text: 'Welcome.' }),
];
const taken = { title: 'On <b>notes</b>', messages };

test('a conversation is taken as the person sees it, and an answer with all its replies', async () => {
  const agent = createAgent({
    client: createScriptedClient(({ messages: asked }) => [reply.text(asked.length > 1 ? 'Two.' : 'One.')]),
  });
  const session = await agent.openSession(agent.createSession());
  await lastValueFrom(agent.chat(session.id, 'First'));
  session.addMessage({ role: 'system', content: 'Not shown.' });
  await lastValueFrom(agent.chat(session.id, 'Second'));
  const texts = (list: readonly Message[]) =>
    list.map(({ content: [part] }) => (part?.type === 'text' ? part.text : ''));
  expect(texts(takeChat(session).messages)).toEqual(['First', 'One.', 'Second', 'Two.']);
  const last = session.getMessages().at(-1)?.id ?? '';
  expect(texts(takeAnswer(session, last).messages)).toEqual(['Two.']);
});

test('a text has a line for each call in the language of the page, and no reasoning', () => {
  const text = toText(taken, en);
  expect(text).toContain('## You\n');
  expect(text).toContain('**Read your notes** — Done — 3 notes\n');
  expect(text).not.toContain('Secret');
  const chinese = toText(taken, zh);
  expect(chinese).toContain('## 你\n');
  expect(chinese).toContain('**读取便签** — 完成 — 3 条便签\n');
});

test('a paper has the formatted messages, and nothing that can be pressed', async () => {
  const paper = await toPaper(taken, en);
  expect(paper.querySelector('h1')?.textContent).toBe('On <b>notes</b>');
  expect(paper.querySelector('strong')?.textContent).toBe('bold');
  expect(paper.querySelector('math')).toBeTruthy();
  expect(paper.querySelector('.hljs-keyword')?.textContent).toBe('const');
  expect(paper.querySelector('img')?.getAttribute('src')).toBe('data:image/png;base64,iVBORw0KGgo=');
  expect(paper.textContent).toContain('Read your notes · 3 notes');
  expect(paper.textContent).not.toContain('Secret');
  expect(
    paper.querySelectorAll('button, input, textarea, details, script, [onerror], a[href^=javascript]'),
  ).toHaveLength(0);
  expect(paper.textContent).toContain('<img src=x onerror=alert(1)>');
});

test('a page is one file that runs and loads nothing', async () => {
  const html = await (await toPage(taken, zh)).text();
  const page = new DOMParser().parseFromString(html, 'text/html');
  expect(page.documentElement.lang).toBe('zh-CN');
  expect(page.title).toBe('On <b>notes</b>');
  expect(page.querySelector('meta[http-equiv]')?.getAttribute('content')).toContain("default-src 'none'");
  expect(page.querySelectorAll('script, link, [onerror], img:not([src^="data:"])')).toHaveLength(0);
  expect(page.querySelector('main strong')?.textContent).toBe('bold');
});
