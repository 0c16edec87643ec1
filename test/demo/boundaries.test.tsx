import { fireEvent, render, screen } from '@testing-library/react';
import { createAgent } from 'brooklet';
import { useChat } from 'brooklet/react';
import { createScriptedClient } from 'brooklet/testing';
import { ErrorBoundary, Thread } from 'brooklet/ui';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Markdown } from '../../demo/src/markdown/Markdown.tsx';
import { BrokenPage } from '../../demo/src/ui/BrokenPage.tsx';
import { around } from '../react/stage.tsx';

/** A parser that fails, as one that is given a text it cannot parse. */
vi.mock(import('../../src/ui/markdown/lex.ts'), async (importOriginal) => {
  const { lex, ...original } = await importOriginal();
  return {
    ...original,
    lex: (markdown) => {
      if (markdown.includes('unparsable')) throw new Error('The parser failed.');
      return lex(markdown);
    },
  };
});

/** A part of a message that fails. */
vi.mock('../../src/ui/thread/Media.tsx', () => ({
  Media: () => {
    throw new Error('The picture failed.');
  },
}));

// React logs every error that a boundary contains.
beforeEach(() => vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => vi.restoreAllMocks());

function Failing({ fails }: { readonly fails: boolean }): ReactElement {
  if (fails) throw new Error('It failed.');
  return <p>It works.</p>;
}

describe('ErrorBoundary', () => {
  const around = (fails: boolean, shows: string): ReactElement => (
    <ErrorBoundary
      shows={shows}
      renderFallback={(message, retry) => (
        <button type="button" onClick={retry}>
          {message}
        </button>
      )}
    >
      <Failing fails={fails} />
    </ErrorBoundary>
  );

  it('shows the fallback, and the children again when they show something else', () => {
    const { rerender } = render(around(true, 'a'));
    screen.getByRole('button', { name: 'It failed.' });
    rerender(around(false, 'a'));
    screen.getByRole('button', { name: 'It failed.' });
    rerender(around(false, 'b'));
    screen.getByText('It works.');
  });

  it('renders the children again on request', () => {
    const { rerender } = render(around(true, 'a'));
    rerender(around(false, 'a'));
    fireEvent.click(screen.getByRole('button'));
    screen.getByText('It works.');
  });
});

describe('Markdown', () => {
  it('shows a block that cannot be rendered as plain text, and the other blocks as Markdown', () => {
    const { container } = render(<Markdown text={'One *easy*.\n\nOne *unparsable*.\n\nOne *more*.'} />);
    expect([...container.querySelectorAll('em')].map((em) => em.textContent)).toEqual(['easy', 'more']);
    screen.getByText('One *unparsable*.');
  });

  it('renders the block again when it has grown', () => {
    const { container, rerender } = render(<Markdown text="*unparsable" />);
    rerender(<Markdown text="*unparsed*" />);
    expect(container.querySelector('em')?.textContent).toBe('unparsed');
  });

  it('shows the blocks above the limit as plain text', () => {
    const { container } = render(<Markdown text={`*a*\n\n${'b\n\n'.repeat(3_000)}*c*`} />);
    expect(container.querySelectorAll('em')).toHaveLength(1);
    expect(container.querySelector('.bk-plain .bk-source-text')?.textContent).toMatch(/^b\n\n.*\*c\*$/su);
  });
});

describe('Thread', () => {
  it('shows the other parts of a message when one cannot be rendered', async () => {
    const agent = createAgent({ client: createScriptedClient([]) });
    const session = await agent.openSession(agent.createSession());
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
    const messages = [
      { id: 'bad', role: 'assistant', content: [{ type: 'text', text: 'Look:' }, image] },
      { id: 'good', role: 'assistant', content: [{ type: 'text', text: 'Seen?' }] },
    ] as const;
    for (const message of messages) session.addMessage(message);
    const Rows = (): ReactElement => <Thread chat={useChat({ sessionId: session.id })} />;
    render(<Rows />, { wrapper: around(agent) });
    const [bad, good] = screen.getAllByRole('article');
    expect(bad?.textContent).toContain('This part could not be shown.');
    expect(bad?.textContent).toContain('Look:');
    expect(good?.textContent).toContain('Seen?');
  });
});

describe('BrokenPage', () => {
  it('offers a new chat, and renders the page again', () => {
    location.hash = '#/s/broken';
    const onRetry = vi.fn<() => void>();
    render(<BrokenPage message="It failed." onRetry={onRetry} />);
    fireEvent.click(screen.getByRole('button', { name: 'New chat' }));
    expect(location.hash).toBe('#/');
    expect(onRetry).toHaveBeenCalledOnce();
  });

  it.each([
    ['Chromium', 'Failed to fetch dynamically imported module: https://site.example/assets/ReviewPage.js'],
    ['Firefox', 'error loading dynamically imported module: https://site.example/assets/ReviewPage.js'],
    ['Safari', 'Importing a module script failed.'],
  ])('says what helps where code cannot be loaded, in %s', (_browser, message) => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const { unmount } = render(<BrokenPage message={message} onRetry={() => {}} />);
    expect(screen.getByRole('alert').textContent).toContain('You are offline');
    expect(screen.queryByRole('button', { name: 'Reload' })).toBeNull();
    unmount();
    onLine.mockReturnValue(true);
    render(<BrokenPage message={message} onRetry={() => {}} />);
    expect(screen.getByRole('alert').textContent).toContain('may have been updated');
    screen.getByRole('button', { name: 'Reload' });
  });
});
