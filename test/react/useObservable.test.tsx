import { act, render, renderHook, screen } from '@testing-library/react';
import { useObservable } from 'brooklet/react';
import { BehaviorSubject, Observable } from 'rxjs';
import { type ReactElement, startTransition, StrictMode, useLayoutEffect, useRef } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';

function Value({ of }: { readonly of: BehaviorSubject<string> }) {
  return <p>{useObservable(of, () => of.value)}</p>;
}

test('shows the current value and each that follows', () => {
  const source = new BehaviorSubject('one');
  render(<Value of={source} />);
  expect(screen.getByText('one')).toBeTruthy();
  act(() => source.next('two'));
  expect(screen.getByText('two')).toBeTruthy();
});

test('shows a value that was emitted between render and subscription', () => {
  const source = new BehaviorSubject('one');
  function Early() {
    const value = useObservable(source, () => source.value);
    // A render must be pure. This simulates a chunk that arrives after the render.
    if (value === 'one') queueMicrotask(() => source.next('two'));
    return <p>{value}</p>;
  }
  render(<Early />);
  return expect(screen.findByText('two')).resolves.toBeTruthy();
});

test('renders once for one value, also if the source replays the value to each subscriber', () => {
  const source = new BehaviorSubject('one');
  let renders = 0;
  const { rerender } = renderHook(() => {
    renders += 1;
    return useObservable(source, () => source.value);
  });
  expect(renders).toBe(1);
  act(() => source.next('one'));
  expect(renders).toBe(1);
  rerender();
  expect(renders).toBe(2);
});

test('has one subscription under StrictMode, and none after unmounting', () => {
  const source = new BehaviorSubject('one');
  let subscriptions = 0;
  const counted = new Observable((subscriber) => {
    subscriptions += 1;
    subscriber.add(() => (subscriptions -= 1));
    return source.subscribe(subscriber);
  });
  const { rerender, unmount } = renderHook(() => useObservable(counted, () => source.value), { wrapper: StrictMode });
  expect(subscriptions).toBe(1);
  rerender();
  expect(subscriptions).toBe(1);
  unmount();
  expect(subscriptions).toBe(0);
});

test('switches to another source', () => {
  const [a, b] = [new BehaviorSubject('a'), new BehaviorSubject('b')];
  const { rerender } = render(<Value of={a} />);
  rerender(<Value of={b} />);
  expect(screen.getByText('b')).toBeTruthy();
  expect(a.observed).toBe(false);
  act(() => a.next('not shown'));
  expect(screen.getByText('b')).toBeTruthy();
});

test('reads the snapshot again when the source completes or fails', () => {
  const source = new BehaviorSubject('open');
  let now = 'open';
  const { result } = renderHook(() => useObservable(source, () => now));
  now = 'gone';
  act(() => source.complete());
  expect(result.current).toBe('gone');
});

test('works without a source', () => {
  const nothing: Observable<string> | undefined = undefined;
  const { result } = renderHook(() => useObservable(nothing, () => 'none'));
  expect(result.current).toBe('none');
});

test('returns the current value on a server', () => {
  expect(renderToString(<Value of={new BehaviorSubject('on the server')} />)).toContain('on the server');
});

test('shows one value in every component that a transition mounts, also if the value changes meanwhile', () => {
  const source = new BehaviorSubject(0);
  let rendered = 0;
  function Reader(): ReactElement {
    const value = useObservable(source, () => source.value);
    // The value changes after half of the components have read it.
    if (++rendered === 5) source.next(1);
    return <i>{value}</i>;
  }
  const committed: string[] = [];
  function Readers({ isShown }: { readonly isShown: boolean }): ReactElement {
    const list = useRef<HTMLParagraphElement>(null);
    useLayoutEffect(() => void committed.push(list.current?.textContent ?? ''));
    return <p ref={list}>{isShown && Array.from({ length: 10 }, (_, at) => <Reader key={at} />)}</p>;
  }
  const { rerender } = render(<Readers isShown={false} />);
  startTransition(() => rerender(<Readers isShown />));
  expect(committed).toEqual(['', '1111111111']);
});
