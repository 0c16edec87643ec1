import { act as acted, fireEvent, render } from '@testing-library/react';
import { createAgent } from 'brooklet';
import { AgentProvider } from 'brooklet/react';
import { createReview } from 'brooklet/review';
import { createScriptedClient } from 'brooklet/testing';
import { ReviewView, SchemaForm } from 'brooklet/ui';
import type { ReactElement } from 'react';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Palette } from '../../demo/src/palette/Palette.tsx';
import { isPressed, keys } from '../../demo/src/base/shortcuts.ts';
import { applyLanguage } from '../../demo/src/texts/language.ts';
import { english } from '../../src/ui/labels/all.ts';
import { SearchField } from '../../src/ui/base/SearchField.tsx';
import { TitleField } from '../../src/ui/sessions/TitleField.tsx';
import { MessageEditor } from '../../src/ui/thread/MessageEditor.tsx';

interface Step {
  readonly type: 'keydown' | 'keyup' | 'compositionend';
  readonly key?: KeyboardEventInit;
}

/** The key belongs to an input method. */
const ofInputMethod = { keyCode: 229 } as const;

/**
 * How each engine reports a key that ends a composition. Safari ends the composition first: the key then has `isComposing: false`, and only
 * its code 229 tells that it belonged to the input method (https://bugs.webkit.org/show_bug.cgi?id=165004).
 */
const engines: Readonly<Record<string, (key: string) => readonly Step[]>> = {
  Chromium: (key) => [
    { type: 'keydown', key: { key, ...ofInputMethod, isComposing: true } },
    { type: 'compositionend' },
    { type: 'keyup', key: { key } },
  ],
  Firefox: (key) => [
    { type: 'keydown', key: { key: 'Process', ...ofInputMethod, isComposing: true } },
    { type: 'compositionend' },
    { type: 'keyup', key: { key } },
  ],
  Safari: (key) => [
    { type: 'compositionend' },
    { type: 'keydown', key: { key, ...ofInputMethod, isComposing: false } },
    { type: 'keyup', key: { key } },
  ],
};

const composed = '新对话';

/** Composes a text in a field, and ends the composition with a key. Returns whether the page has prevented what the key does. */
function compose(field: HTMLElement, steps: readonly Step[]): boolean {
  fireEvent.compositionStart(field);
  fireEvent.compositionUpdate(field, { data: 'ni hao' });
  fireEvent.input(field, { target: { value: composed } });
  const events = steps.map(({ type, key }) =>
    key
      ? new KeyboardEvent(type, { bubbles: true, cancelable: true, ...key })
      : new CompositionEvent(type, { bubbles: true, data: composed }),
  );
  for (const event of events) fireEvent(field, event);
  return events.some((event) => event.defaultPrevented);
}

const agent = createAgent({ client: createScriptedClient([]) });
const ignore = (): void => {};

/** A log in which a search finds what is composed. */
const review = createReview([
  { type: 'session.started', sessionId: 's', seq: 1, at: 0, v: 2 },
  {
    type: 'message.added',
    message: { id: 'm', role: 'user', content: [{ type: 'text', text: composed }], timestamp: 0 },
    seq: 2,
    at: 0,
    v: 2,
  },
]);

/** Every place of Studio where Enter or Escape acts on a text that is being typed, but for the message field, which a browser test shows. */
const places: readonly (readonly [where: string, key: string, show: (act: () => void) => ReactElement])[] = [
  [
    'the editor of a message',
    'Enter',
    (act) => <MessageEditor text="Hi" labels={english.message} onSend={act} onCancel={ignore} />,
  ],
  [
    'the editor of a message',
    'Escape',
    (act) => <MessageEditor text="Hi" labels={english.message} onSend={ignore} onCancel={act} />,
  ],
  ['the title of a conversation', 'Enter', (act) => <TitleField title="Hi" label="Title" onDone={act} />],
  ['the title of a conversation', 'Escape', (act) => <TitleField title="Hi" label="Title" onDone={act} />],
  [
    'the search for conversations',
    'Escape',
    (act) => (
      <SearchField label="Search" clearLabel="Clear" value={composed} onChange={(value) => value === '' && act()} />
    ),
  ],
  [
    'the palette',
    'Enter',
    (act) => (
      <AgentProvider agent={agent}>
        <Palette
          sessionId={undefined}
          onNewChat={ignore}
          onSearch={ignore}
          onSidebar={ignore}
          onAnswerAgain={ignore}
          onClose={act}
        />
      </AgentProvider>
    ),
  ],
  ['the answer to a question', 'Enter', (act) => <SchemaForm schema={{ type: 'string' }} onSubmit={act} />],
  [
    'the search of a review',
    'Enter',
    (act) => (
      <ReviewView
        log={{
          ...review,
          goTo: (place) => {
            act();
            return review.goTo(place);
          },
        }}
      />
    ),
  ],
];

beforeEach(() => {
  // jsdom has no modal dialogs, and scrolls nothing.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = ignore;
  Element.prototype.scrollIntoView = ignore;
});

describe.each(Object.entries(engines))('a key that ends a composition, in the order of %s', (_engine, stepsOf) => {
  beforeAll(() => applyLanguage('zh'));
  afterAll(() => applyLanguage('en'));

  it.each(places)('does nothing else in %s (%s)', async (_where, key, show) => {
    const act = vi.fn<() => void>();
    const { container } = render(show(act));
    const field = container.querySelector<HTMLElement>('input, textarea') ?? expect.unreachable('a field');
    field.focus();
    compose(field, stepsOf(key));
    expect(act).not.toHaveBeenCalled();
    // The next press of the same key is for the page.
    await acted(async () => void fireEvent.keyDown(field, { key }));
    expect(act).toHaveBeenCalled();
  });

  it('is no key of the page', () => {
    const [pressed] = stepsOf('/').filter(({ type }) => type === 'keydown');
    expect(isPressed(new KeyboardEvent('keydown', pressed?.key), keys.search)).toBe(false);
    expect(isPressed(new KeyboardEvent('keydown', { key: '/' }), keys.search)).toBe(true);
  });
});
