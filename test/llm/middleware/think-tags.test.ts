import { lastValueFrom, toArray } from 'rxjs';
import { expect, test } from 'vitest';
import { createScriptedClient, reply, type Script } from '../../../src/testing/scripted.ts';
import { type ThinkTagOptions, withThinkTags } from '../../../src/llm/middleware/think-tags.ts';
import { createListener } from '../../support/llm-answer.ts';

async function hear(...script: Script): Promise<object> {
  return hearWith(undefined, ...script);
}

async function hearWith(options: ThinkTagOptions | undefined, ...script: Script): Promise<object> {
  const { heard, emit } = createListener();
  const client = withThinkTags(createScriptedClient(script), options);
  for (const chunk of await lastValueFrom(client.sendRequest({ sessionId: 's', messages: [] }).pipe(toArray())))
    emit(chunk);
  return heard;
}

test('18: turns <think> in the content into reasoning, however the text is cut', async () => {
  const text = 'a<think>b</thi c</think>d < e';
  for (let size = 1; size <= text.length; size += 1) {
    expect(await hear(reply.text(text, { size }))).toMatchObject({ text: 'ad < e', reasoning: 'b</thi c' });
  }
});

test('18: emits half a tag at the end as text', async () => {
  expect(await hear(reply.text('a<thi'))).toMatchObject({ text: 'a<thi' });
  expect(await hear(reply.text('a<'), reply.call('f'), reply.text('think>b'))).toMatchObject({
    text: 'a<think>b',
    reasoning: '',
  });
});

test.each<[string, string, object]>([
  [
    'an answer that begins inside',
    'They greet me.</think>\n\nHello',
    { reasoning: 'They greet me.', text: '\n\nHello' },
  ],
  ['blank text before the tag', '\n<think>a</think>b', { reasoning: 'a', text: '\nb' }],
  [
    'a tag in code later',
    '<think>Hm</think>Write `<think>` first.',
    { reasoning: 'Hm', text: 'Write `<think>` first.' },
  ],
  ['a tag within code', 'Write `x <think> y` first.', { reasoning: '', text: 'Write `x <think> y` first.' }],
  [
    'a tag in a fence',
    'So:\n```xml\n<think>a</think>\n```\nDone.',
    { reasoning: '', text: 'So:\n```xml\n<think>a</think>\n```\nDone.' },
  ],
  ['a tag in quotes', 'The tag "<think>" opens.', { reasoning: '', text: 'The tag "<think>" opens.' }],
  ['a tag that nothing closes', 'Use <think> to begin.', { reasoning: '', text: 'Use <think> to begin.' }],
  ['a closing tag in quotes', '<think>Not `</think>` yet</think>a', { reasoning: 'Not `</think>` yet', text: 'a' }],
  ['reasoning that ends with a quote', '<think>"hi"</think>a', { reasoning: '"hi"', text: 'a' }],
  ['a tag after code that ends', 'Use `x`. <think>a</think>b', { reasoning: 'a', text: 'Use `x`. b' }],
  ['a tag after a line with one backtick', 'It`s\n<think>a</think>b', { reasoning: 'a', text: 'It`s\nb' }],
  ['a tag in code with two backticks', 'So ``a <think> b`` then.', { reasoning: '', text: 'So ``a <think> b`` then.' }],
  [
    'a tag after three backticks in a line',
    'So ``` then <think>a</think>b',
    { reasoning: '', text: 'So ``` then <think>a</think>b' },
  ],
  [
    'a tag in a fence that is indented, and one after it',
    'So:\n  ```\n<think>x</think>\n  ```\n<think>a</think>b',
    { reasoning: 'a', text: 'So:\n  ```\n<think>x</think>\n  ```\nb' },
  ],
  [
    'a tag after a fence with a backtick in it',
    'So:\n```\na ` b\n```\n<think>a</think>b',
    { reasoning: 'a', text: 'So:\n```\na ` b\n```\nb' },
  ],
  [
    'a tag right after a backtick',
    'So `<think>` and `</think>`.',
    { reasoning: '', text: 'So `<think>` and `</think>`.' },
  ],
  [
    'a closing tag in typographic quotes',
    '<think>Not “</think>” yet</think>a',
    { reasoning: 'Not “</think>” yet', text: 'a' },
  ],
  [
    'a closing tag in single typographic quotes',
    '<think>No ‘</think>’ yet</think>a',
    { reasoning: 'No ‘</think>’ yet', text: 'a' },
  ],
  ['a closing tag after another quote', '<think>He said "so"</think>\'a\'', { reasoning: 'He said "so"', text: "'a'" }],
  ['an opening tag within the reasoning', '<think>a <think> b</think>c', { reasoning: 'a <think> b', text: 'c' }],
  ['what only begins like a tag', 'a < b and c [THIN', { reasoning: '', text: 'a < b and c [THIN' }],
  ['blank text and nothing else', ' \n ', { reasoning: '', text: ' \n ' }],
  ['two blocks', '<think>a</think>b<think>c</think>d', { reasoning: 'ac', text: 'bd' }],
  ['other names', '<thinking>a</thinking>b', { reasoning: 'a', text: 'b' }],
  ['brackets (Magistral)', '[THINK]a[/THINK]b [1]', { reasoning: 'a', text: 'b [1]' }],
  ['no tag', 'a < b', { reasoning: '', text: 'a < b' }],
  ['reasoning that was cut', '<think>a', { reasoning: 'a', text: '' }],
])('reads %s, however the text is cut', async (_, text, expected) => {
  for (let size = 1; size <= text.length; size += 1)
    expect(await hear(reply.text(text, { size }))).toMatchObject(expected);
});

test('streams as told where the beginning is known', async () => {
  expect(await hearWith({ startsInside: true }, reply.text('a</think>b'))).toMatchObject({ reasoning: 'a', text: 'b' });
  expect(await hearWith({ startsInside: true }, reply.text('a'))).toMatchObject({ reasoning: 'a', text: '' });
  expect(await hearWith({ startsInside: false }, reply.text('a<think>b</think>c'))).toMatchObject({
    reasoning: 'b',
    text: 'ac',
  });
});

test('streams the text of a model at once, after an answer of it has begun with the tag', async () => {
  const scripts = [[reply.text('<think>a</think>b')], [reply.text('one two', { size: 4 })]];
  const client = withThinkTags(createScriptedClient(scripts));
  const texts: string[] = [];
  for (let n = 0; n < 2; n += 1)
    for (const chunk of await lastValueFrom(client.sendRequest({ sessionId: 's', messages: [] }).pipe(toArray())))
      if (chunk.type === 'text') texts.push(chunk.text);
  expect(texts).toEqual(['b', 'one ', 'two']);
});
