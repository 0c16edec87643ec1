import { fireEvent, render, screen } from '@testing-library/react';
import { createAgent } from 'brooklet';
import { useChat } from 'brooklet/react';
import { createScriptedClient } from 'brooklet/testing';
import type { ReactElement } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MessageRow } from '../../demo/src/conversation/MessageRow.tsx';
import { Markdown, renderer } from '../../demo/src/markdown/Markdown.tsx';
import { BrokenPage } from '../../demo/src/ui/BrokenPage.tsx';
import { ErrorBoundary } from '../../demo/src/ui/ErrorBoundary.tsx';
import { around } from '../react/stage.tsx';

/** A plugin of the parser that fails, like a parser that is given a text it cannot parse. */
vi.mock('remark-gfm', () => ({
  default: () => (_tree: unknown, file: unknown) => {
    if (String(file).includes('unparsable')) throw new Error('The parser failed.');
  },
}));

/** A part of a message that fails. */
vi.mock('../../demo/src/conversation/Media.tsx', () => ({
  Media: () => {
    throw new Error('The picture failed.');
  },
}));

beforeAll(renderer.load);
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
    const { container } = render(<Markdown text={`*a*\n\n${'b'.repeat(300_000)}\n\n*c*`} />);
    expect(container.querySelectorAll('em')).toHaveLength(1);
    expect(container.querySelector('.plain .source-text')?.textContent).toMatch(/^b+\n\n\*c\*$/u);
  });
});

describe('MessageRow', () => {
  it('shows the other parts of a message when one cannot be rendered', async () => {
    const agent = createAgent({ client: createScriptedClient([]) });
    const session = await agent.openSession(agent.createSession());
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
    const messages = [
      { id: 'bad', role: 'assistant', content: [{ type: 'text', text: 'Look:' }, image] },
      { id: 'good', role: 'assistant', content: [{ type: 'text', text: 'Seen?' }] },
    ] as const;
    for (const message of messages) session.addMessage(message);
    const Rows = (): ReactElement => {
      const actions = useChat({ sessionId: session.id });
      return (
        <>
          {messages.map(({ id }) => (
            <MessageRow
              key={id}
              isLast={false}
              isPinned={false}
              isBusy={false}
              session={session}
              messageId={id}
              lead=""
              isContinued={false}
              endsTurn={false}
              actions={actions}
            />
          ))}
        </>
      );
    };
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
