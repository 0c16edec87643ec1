import { cleanup, render } from '@testing-library/react';
import { useStickToEnd } from 'brooklet/ui';
import type { ReactElement } from 'react';
import { afterEach, expect, test } from 'vitest';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
afterEach(cleanup);

const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
/** Lets the answer grow before the page is told that it was scrolled: a chunk arrived between the layout and the event. */
const growBeforeScrollEvent = (height: number, options: { readonly once?: boolean } = {}): (() => void) => {
  const onScroll = (): void => grow('answer', (height += 30));
  addEventListener('scroll', onScroll, { capture: true, ...options });
  return () => removeEventListener('scroll', onScroll, { capture: true });
};
const frames = async (count: number): Promise<void> => {
  for (let at = 0; at < count; at += 1) await nextFrame();
};

function Page(): ReactElement {
  const { scroller, content, isAtEnd } = useStickToEnd('session');
  return (
    <>
      <output>{isAtEnd ? 'at the end' : 'away'}</output>
      <section ref={scroller} style={{ height: 300, overflow: 'auto', overflowAnchor: 'none' }}>
        <div ref={content}>
          <div id="before" style={{ height: 1_000 }} />
          <div id="thinking" style={{ height: 400 }} />
          <div id="answer" style={{ height: 20 }} />
        </div>
      </section>
    </>
  );
}

const byId = (id: string): HTMLElement => document.getElementById(id) ?? expect.unreachable(id);
const grow = (id: string, height: number): void => void (byId(id).style.height = `${height}px`);

async function show(): Promise<{
  readonly frame: HTMLElement;
  readonly rest: () => number;
  readonly says: () => string;
}> {
  const { container } = render(<Page />);
  const frame = container.querySelector('section') ?? expect.unreachable('the frame');
  const rest = (): number => frame.scrollHeight - frame.clientHeight - frame.scrollTop;
  grow('answer', 60);
  await expect.poll(() => frame.scrollTop > 0 && rest() <= 1).toBe(true);
  await frames(3);
  return { frame, rest, says: () => container.querySelector('output')?.textContent ?? '' };
}

test('stays at the end when a part collapses, and the answer has grown when the page is told that it was scrolled', async () => {
  const { rest, says } = await show();
  growBeforeScrollEvent(60, { once: true });
  grow('thinking', 20);
  await frames(4);
  grow('answer', 300);
  await frames(3);
  expect(rest()).toBeLessThanOrEqual(1);
  expect(says()).toBe('at the end');
});

test('stays at the end when a part collapses while the answer grows with each frame', async () => {
  const { rest, says } = await show();
  const stop = growBeforeScrollEvent(60);
  grow('thinking', 20);
  await frames(8);
  stop();
  grow('answer', 600);
  await frames(3);
  expect(rest()).toBeLessThanOrEqual(1);
  expect(says()).toBe('at the end');
});

test('stays where the user has scrolled while the answer grows, and follows again from the end on', async () => {
  const { frame, rest, says } = await show();
  frame.dispatchEvent(new WheelEvent('wheel', { deltaY: -200, bubbles: true }));
  frame.scrollTop -= 200;
  await frames(2);
  const top = frame.scrollTop;
  grow('answer', 500);
  await frames(3);
  expect(frame.scrollTop).toBe(top);
  expect(says()).toBe('away');
  frame.scrollTop = frame.scrollHeight;
  await frames(2);
  grow('answer', 700);
  await frames(3);
  expect(rest()).toBeLessThanOrEqual(1);
});

test('stays where the browser has scrolled by itself, for example to a match of find-in-page', async () => {
  const { frame, says } = await show();
  frame.scrollTop = 100;
  await frames(2);
  grow('answer', 500);
  await frames(3);
  expect(frame.scrollTop).toBe(100);
  expect(says()).toBe('away');
});
