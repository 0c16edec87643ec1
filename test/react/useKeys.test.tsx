import 'fake-indexeddb/auto';
import { act, renderHook } from '@testing-library/react';
import { createVault } from 'brooklet/keys';
import { useKeys } from 'brooklet/react';
import { StrictMode } from 'react';
import { expect, test } from 'vitest';
import { until } from '../support/until.ts';

const baseURL = 'https://api.example.com/v1';

test('returns the keys of a vault and where they are, and never a key', async () => {
  const vault = createVault({ name: `keys-${crypto.randomUUID()}` });
  const { result, unmount } = renderHook(() => useKeys(vault), { wrapper: StrictMode });
  expect(result.current.status).toBe('opening');
  await until(() => expect(result.current.status).toBe('memory'));
  await act(() => vault.add('some', 'sk-a-very-secret-key-1234', { baseURL }));
  expect(result.current.keys).toMatchObject([{ id: 'some', origin: 'https://api.example.com', lastFour: '1234' }]);
  expect(JSON.stringify(result.current)).not.toContain('very-secret');
  await act(() => vault.remove('some'));
  expect(result.current).toEqual({ status: 'memory', keys: [], locks: [] });
  unmount();
  await vault.dispose();
});
