// Takes the place of `@testing-library/react` where the tests of `brooklet/ui` run with Preact: the runtime of the element.

import {
  configure,
  fireEvent as fireNative,
  getQueriesForElement,
  type EventType,
  type queries,
  type BoundFunctions,
} from '@testing-library/dom';
import { type ComponentChild, type ComponentType, h, options, render as draw } from 'preact';
import { act as actNow } from 'preact/test-utils';

export * from '@testing-library/dom';

// Effects run soon, as those of React do in a test. jsdom shows no frames.
options.requestAnimationFrame = (callback) => void setTimeout(callback);

const containers = new Set<HTMLElement>();

/** Removes what tests have rendered. */
export function cleanup(): void {
  for (const container of containers) {
    void actNow(() => draw(null, container));
    container.remove();
  }
  containers.clear();
}

export const act = (work: () => void | Promise<void>): Promise<void> => actNow(work);

configure({
  eventWrapper: (dispatch) => {
    let result: unknown;
    void actNow(() => void (result = dispatch()));
    // Whether the default action follows: user-event asks.
    return result;
  },
  asyncWrapper: async (wait) => {
    const result: unknown = await wait();
    await new Promise((resolve) => setTimeout(resolve));
    return result;
  },
});

/** The events that React hears in the place of those of the same name. */
export const fireEvent = Object.assign(
  (element: Element, event: Event): boolean => fireNative(element, event),
  fireNative,
  {
    focus: fireNative.focusIn,
    blur: fireNative.focusOut,
    change: (element: Element, init?: object) => fireNative[changeOf(element)](element, init),
  },
);

const changeOf = (element: Element): EventType =>
  element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && element.type !== 'file')
    ? 'input'
    : 'change';

interface Rendered extends BoundFunctions<typeof queries> {
  readonly container: HTMLElement;
  readonly rerender: (next: ComponentChild) => void;
  readonly unmount: () => void;
}

interface RenderOptions {
  readonly wrapper?: ComponentType;
}

export function render(shown: ComponentChild, { wrapper }: RenderOptions = {}): Rendered {
  const container = document.body.appendChild(document.createElement('div'));
  containers.add(container);
  const show = (one: ComponentChild): void =>
    void actNow(() => draw(wrapper && one !== null ? h(wrapper, null, one) : one, container));
  show(shown);
  return { container, rerender: show, unmount: () => show(null), ...getQueriesForElement(document.body) };
}
