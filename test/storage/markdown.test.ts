import type { Message, Part } from 'brooklet';
import { type MarkdownOptions, toMarkdown } from 'brooklet/storage';
import fc from 'fast-check';
import { lexer } from 'marked';
import { describe, expect, test } from 'vitest';

const message = (role: Message['role'], ...content: readonly Part[]): Message => ({
  id: 'm',
  role,
  content,
  timestamp: 0,
});

describe('a conversation as Markdown', () => {
  test('has a section per message, with reasoning, calls, media and sources', () => {
    const messages: readonly Message[] = [
      message(
        'user',
        { type: 'text', text: 'What time is it?' },
        { type: 'image', mediaType: 'image/png', data: 'AAAA', name: 'clock_1.png' },
      ),
      {
        ...message(
          'assistant',
          { type: 'reasoning', text: 'A clock\nis needed.' },
          {
            type: 'tool',
            callId: 'c',
            name: 'get_time',
            status: 'succeeded',
            inputText: '{"zone":"UTC"}',
            input: { zone: 'UTC' },
            output: '12:00',
            summary: 'noon',
          },
          { type: 'text', text: 'It is **noon**.\n' },
          { type: 'source', url: 'https://time.is/', title: 'Time' },
        ),
        model: 'clever-1',
        status: 'interrupted',
      },
    ];
    expect(toMarkdown({ title: 'Time\n# of day', messages })).toBe(`# Time \\# of day

## User

*1970-01-01 00:00 UTC*

What time is it?

*clock\\_1.png (image/png)*

## Assistant

*1970-01-01 00:00 UTC · clever-1 · interrupted*

> *Reasoning*
> 
> A clock
> is needed.

**get\\_time** — succeeded — noon

\`\`\`json
{
  "zone": "UTC"
}
\`\`\`

\`\`\`
12:00
\`\`\`

It is **noon**.

[Time](<https://time.is/>)
`);
  });

  test('closes a code block at the end of its text, whatever the text contains', () => {
    const output = '```\nnot the end\n````';
    const text = toMarkdown({
      title: '',
      messages: [
        message('assistant', { type: 'tool', callId: 'c', name: 't', status: 'succeeded', inputText: '', output }),
      ],
    });
    expect(text).toContain('`````\n```\nnot the end\n````\n`````\n');
  });

  test('keeps names, titles and addresses within their line', () => {
    const text = toMarkdown({
      title: '',
      messages: [message('user', { type: 'source', url: 'javascript:alert(1)>\n# x', title: '](http://evil)\n# y' })],
    });
    expect(text).toContain(String.raw`[\](http://evil) \# y](<javascript:alert(1)%3E%0A#%20x>)`);
    expect(text.split('\n').filter((line) => line.startsWith('#'))).toEqual(['# Conversation', '## User']);
  });

  test('leaves out what is blank, and names a source without a title by its address', () => {
    const text = toMarkdown({
      title: 'Odd',
      messages: [
        message(
          'assistant',
          { type: 'text', text: ' \n' },
          { type: 'reasoning', text: '' },
          { type: 'source', url: 'https://a.test' },
        ),
      ],
    });
    expect(text).toContain('[https://a.test](<https://a.test>)');
    expect(text).not.toContain('Reasoning');
  });

  const answer = (...content: readonly Part[]): Message => message('assistant', ...content);
  const text = (said: string): Part => ({ type: 'text', text: said });
  const call: Part = {
    type: 'tool',
    callId: 'c',
    name: 'add_note',
    status: 'rejected',
    inputText: '{"text":"secret"}',
    approval: { reason: 'not *now*' },
    output: 'The user declined.',
  };

  test('writes calls in a line or leaves them out, and the reasoning, too', () => {
    const messages = [answer({ type: 'reasoning', text: 'Hm.' }, call, text('Done.'))];
    const line = toMarkdown({ title: 'T', messages }, { calls: 'line', reasoning: false });
    expect(line).toBe(
      '# T\n\n## Assistant\n\n*1970-01-01 00:00 UTC*\n\n**add\\_note** — rejected: not \\*now\\*\n\nDone.\n',
    );
    expect(toMarkdown({ title: 'T', messages }, { calls: 'none', reasoning: false })).toBe(
      '# T\n\n## Assistant\n\n*1970-01-01 00:00 UTC*\n\nDone.\n',
    );
  });

  test('takes its words from the page', () => {
    const words: MarkdownOptions['words'] = {
      untitled: '对话',
      user: '你',
      assistant: '助手',
      interrupted: '已中断',
      tool: () => '添加便签',
      status: () => '已拒绝',
    };
    const messages: readonly Message[] = [message('user', text('好')), { ...answer(call), status: 'interrupted' }];
    expect(toMarkdown({ title: '', messages }, { calls: 'line', words })).toBe(
      '# 对话\n\n## 你\n\n*1970-01-01 00:00 UTC*\n\n好\n\n## 助手\n\n*1970-01-01 00:00 UTC · 已中断*\n\n**添加便签** — 已拒绝: not \\*now\\*\n',
    );
  });

  test('puts the replies of one answer together, and both halves of a text that was cut off', () => {
    const messages: readonly Message[] = [
      { ...answer(text('One two thr')), status: 'interrupted', model: 'a' },
      { ...answer(text('ee.'), call), model: 'b' },
      { ...answer(text('Then four.')), model: 'b' },
    ];
    expect(toMarkdown({ title: 'T', messages }, { calls: 'none' })).toBe(
      '# T\n\n## Assistant\n\n*1970-01-01 00:00 UTC · a · b*\n\nOne two three.\n\nThen four.\n',
    );
  });

  test('refuses an unknown option and an unknown form of calls', () => {
    const options: object = { call: 'line' };
    expect(() => toMarkdown({ title: '', messages: [] }, options)).toThrow('Did you mean "calls"?');
    const form: object = { calls: 'short' };
    expect(() => toMarkdown({ title: '', messages: [] }, form)).toThrow('not "short"');
  });

  /** What opens, continues, closes or interrupts a block. Fences within lists are below: the parser of this test continues a list where CommonMark does not. A seed, for the same reason. */
  const common = [
    '```',
    '````',
    '``` js',
    '~~~',
    '~~~~',
    '<!--',
    '-->',
    '<!-- a -->',
    '<?php',
    '?>',
    '<![CDATA[',
    ']]>',
    '<!DOCTYPE',
    '<pre>',
    '</pre>',
    '<script>',
    '> quote',
    '> ```',
    '',
    '',
    'words',
    '    code',
    '<div>',
    '| a |',
    '---',
  ];
  const line = (...more: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...common, ...more);
  const anyText = fc
    .oneof(
      fc.array(line('   ```', '    ```', '```a`b', '\t```', '  ```'), { maxLength: 12 }),
      fc.array(line('- item', '-', '  deeper', '\t- x'), { maxLength: 12 }),
    )
    .map((lines) => lines.join('\n'));

  test('lets no text of a message hide the section of another', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 4 }), (texts) => {
        const messages = texts.flatMap((said) => [message('user', text(said)), answer(text(said), text(said))]);
        const found = lexer(toMarkdown({ title: 'T', messages })).flatMap((token): readonly string[] => {
          const said = token.type === 'heading' && token.depth === 2 ? String(token.text) : '';
          return /^(?:User|Assistant)$/u.test(said) ? [said] : [];
        });
        expect(found).toEqual(texts.flatMap(() => ['User', 'Assistant']));
      }),
      { numRuns: 2_000, seed: 17 },
    );
  });

  test.each([
    ['```js\nlet a;', '```'],
    ['````\n```', '````'],
    ['~~~\n```\n~~~~\n~~~', '~~~'],
    ['<!-- to do', '-->'],
    ['<pre>\n\nword', '</pre>'],
    ['- item\n\nwords\n```', '```'],
  ])('closes what %j leaves open', (said, closer) => {
    const written = toMarkdown({ title: 'T', messages: [answer(text(said))] });
    expect(written.endsWith(`\n${said}\n${closer}\n`)).toBe(true);
  });

  test.each([
    '```\na\n```',
    '- ```\n  a',
    '> ```\n> a',
    '    ```',
    '1. a\n   ~~~',
    '<!-- a -->',
    '<div>\n```\n\nwords',
    '`` ` ``',
  ])('adds nothing to %j', (said) => {
    const written = toMarkdown({ title: 'T', messages: [answer(text(said))] });
    expect(written.endsWith(`\n${said.trim()}\n`)).toBe(true);
  });

  test('knows that a block of code in a quote is closed', () => {
    const written = toMarkdown({ title: 'T', messages: [answer(text('> ```\n> ```\n</pre>\n```\n\n```'))] });
    expect(written.endsWith('</pre>\n```\n\n```\n```\n')).toBe(true);
  });

  test('changes nothing of a text but its end', () => {
    fc.assert(
      fc.property(anyText, (said) => {
        const written = toMarkdown({ title: 'T', messages: [answer(text(said))] });
        const [, body = ''] = written.split('UTC*\n\n');
        const kept = said.trim();
        expect(body.startsWith(kept)).toBe(true);
        expect(body.slice(kept.length).trim().length).toBeLessThanOrEqual('</textarea>'.length);
      }),
    );
  });
});
