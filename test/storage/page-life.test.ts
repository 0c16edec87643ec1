import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPageLife, type PageLife } from '../../src/storage/page-life.ts';

let page: EventTarget;
let life: PageLife;
let returns: number;

beforeEach(() => {
  page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  life = createPageLife();
  returns = 0;
  life.onReturn(() => returns++);
});

afterEach(() => {
  life.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const fire = (type: 'pagehide' | 'pageshow', persisted: boolean): void =>
  void page.dispatchEvent(Object.assign(new Event(type), { persisted }));

test('a page that is left is aside until it is shown again', async () => {
  fire('pagehide', true);
  expect([life.isAside(), returns]).toEqual([true, 0]);
  fire('pageshow', true);
  await life.runs();
  expect([life.isAside(), returns]).toEqual([false, 1]);
});

test('the first pageshow of a page is no return', () => {
  fire('pageshow', false);
  expect(returns).toBe(0);
});

test('a page that was frozen when it was put aside returns without its pagehide', () => {
  fire('pageshow', true);
  expect([life.isAside(), returns]).toEqual([false, 1]);
});

test('a page whose timers run has not been left, although no pageshow follows', () => {
  vi.useFakeTimers();
  fire('pagehide', false);
  vi.advanceTimersByTime(500);
  expect([life.isAside(), returns]).toEqual([false, 1]);
});
