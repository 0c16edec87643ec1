import { render, screen, within } from '@testing-library/react';
import type { Message } from 'brooklet';
import { beforeAll, expect, test } from 'vitest';
import { LatestMessages } from '../../demo/src/conversation/LatestMessages.tsx';

// A page loads it in the background; the first test that needs it would wait for its compilation.
beforeAll(() => import('../../demo/src/markdown/renderMarkdown.tsx'), 60_000);

const message = (id: string, role: Message['role'], text: string): Message => ({
  id,
  role,
  content: [{ type: 'text', text }],
  timestamp: 0,
});

test('shows the end of a conversation that is being read, as text, without verbs', async () => {
  render(
    <LatestMessages
      messages={[
        message('q', 'user', 'Who are *Tom &amp; Jerry*?'),
        message('a', 'assistant', 'A **cat** &amp; a mouse.'),
      ]}
    />,
  );
  const log = screen.getByRole('log', { busy: true });
  expect(within(log).getByRole('article', { name: 'You' }).textContent).toBe('Who are *Tom &amp; Jerry*?');
  expect((await within(log).findByText('cat')).tagName).toBe('STRONG');
  expect(within(log).getByRole('article', { name: 'Agent' }).textContent).toContain('A cat & a mouse.');
  expect(within(log).queryAllByRole('button')).toEqual([]);
});
