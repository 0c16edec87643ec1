import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { CodeBeside } from '../../demo/src/pane/CodeBeside.tsx';
import { toSource } from '../../demo/src/pane/Diagram.tsx';
import { fileNameFor, kindOf } from '../../demo/src/pane/kinds.ts';
import { closePane, getPane, openPane } from '../../demo/src/pane/pane.ts';
import { mountSandbox } from '../../demo/src/pane/sandbox.ts';
import { readFork } from '../../demo/src/conversation/forkNote.ts';

afterEach(closePane);

test.each([
  ['mermaid', 'diagram', 'code.mmd'],
  ['HTML', 'page', 'code.html'],
  ['svg', 'page', 'code.svg'],
  ['typescript', 'code', 'code.ts'],
  ['', 'code', 'code.txt'],
  ['../../etc', 'code', 'code.txt'],
  ['constructor', 'code', 'code.txt'],
])('a block in %j is shown as %s and saved as %s', (language, kind, name) => {
  const beside = { is: 'code', language, text: 'x' } as const;
  expect(kindOf(beside)).toBe(kind);
  expect(fileNameFor(beside)).toBe(name);
});

test('a block opens at the side, and the focus returns when the pane closes', () => {
  render(<CodeBeside language="ts" text="let a;" />);
  const button = screen.getByRole('button', { name: 'Open at the side' });
  button.focus();
  fireEvent.click(button);
  expect(getPane()).toEqual({ is: 'code', language: 'ts', text: 'let a;' });
  openPane({ is: 'answer', text: 'Another' });
  button.blur();
  closePane();
  expect(getPane()).toBeUndefined();
  expect(document.activeElement).toBe(button);
});

test('a drawing has its own size, and is an address that runs nothing', () => {
  const source = toSource('<svg id="a" width="100%" viewBox="0 0 120.5 40"><text>#%</text></svg>');
  expect(decodeURIComponent(source)).toContain('width="120.5"');
  expect(source).toMatch(/^data:image\/svg\+xml;charset=utf-8,[^<>#"]*$/u);
});

test('a sandbox gives its page only to its own frame, and only once', () => {
  const container = document.createElement('div');
  document.body.append(container);
  const heard: unknown[] = [];
  let left = 0;
  const { remove } = mountSandbox(container, {
    html: '<p>',
    title: 'Page',
    onMessage: (data) => heard.push(data),
    onLeft: () => (left += 1),
  });
  const frame = container.querySelector('iframe')!;
  expect(frame.getAttribute('sandbox')).toBe('allow-scripts allow-forms');
  const posted: unknown[] = [];
  const source = frame.contentWindow!;
  source.postMessage = (message: unknown) => void posted.push(message);
  const say = (data: unknown, from: Window = source): void =>
    void dispatchEvent(new MessageEvent('message', { data, source: from }));
  say({ method: 'ui/notifications/sandbox-proxy-ready' }, window);
  expect(posted).toEqual([]);
  say({ method: 'ui/notifications/sandbox-proxy-ready' });
  say({ hello: 1 });
  say({ method: 'ui/notifications/sandbox-left' });
  say({ hello: 2 }, window);
  expect(posted).toEqual([
    { jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params: { html: '<p>' } },
  ]);
  expect(heard).toEqual([{ hello: 1 }]);
  expect(left).toBe(1);
  remove();
  expect(container.childElementCount).toBe(0);
});

test.each([
  [
    { forkedFrom: 'A', forkedFromId: 'a' },
    { id: 'a', title: 'A' },
  ],
  [{ forkedFrom: 'A' }, undefined],
  [{ forkedFrom: 1, forkedFromId: 'a' }, undefined],
  [undefined, undefined],
])('reads from %j where a conversation comes from', (metadata, fork) => {
  expect(readFork(metadata)).toEqual(fork);
});
