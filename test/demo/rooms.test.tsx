import { afterEach, expect, it, vi } from 'vitest';
import { preloadRooms } from '../../demo/src/base/room.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'connection');
});

it.each([
  ['no connection that is known', undefined, 1],
  ['a connection without a limit', { saveData: false }, 1],
  ['a person who saves data', { saveData: true }, 0],
])('loads the rooms in idle time: %s', (_what, connection, times) => {
  const idle = vi.fn();
  vi.stubGlobal('requestIdleCallback', idle);
  if (connection) Object.defineProperty(navigator, 'connection', { value: connection, configurable: true });
  preloadRooms();
  expect(idle).toHaveBeenCalledTimes(times);
});
