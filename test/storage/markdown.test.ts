import type { Message, Part } from 'brooklet';
import { toMarkdown } from 'brooklet/storage';
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
});
