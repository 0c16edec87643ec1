import { render } from '@testing-library/react';
import type { ToolPart } from 'brooklet';
import { act } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { CallServer } from '../../demo/src/mcp/CallServer.tsx';
import { addServer, changeServer, servers } from '../../demo/src/mcp/servers.ts';
import { setState } from '../../demo/src/mcp/states.ts';

beforeEach(() => servers.change(() => []));

const show = (name: string): HTMLElement => {
  const call: ToolPart = { type: 'tool', callId: '1', name, inputText: '{}', status: 'awaiting-approval' };
  return render(<CallServer call={call} />).container;
};

test('a server that the user has switched off is switched off, also before any server was connected', () => {
  const name = addServer('https://mcp.example.com/mcp');
  changeServer(name, { isOn: false });
  expect(show(`${name}__add`).textContent).toContain('mcp.example.com is switched off.');
});

test('a server that is switched on is being connected until its state is known', () => {
  const name = addServer('https://mcp.example.com/mcp');
  const card = show(`${name}__add`);
  expect(card.textContent).toContain('Connecting…');
  act(() => setState(name, { is: 'connecting' }));
  expect(card.textContent).toContain('Connecting…');
});

test('a server that was removed is unknown', () => {
  expect(show('example_com__add').textContent).toContain('which is not in your list.');
});
