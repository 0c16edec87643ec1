import { AgentError } from 'brooklet';
import { describe, expect, test, vi } from 'vitest';
import { lazy } from '../../src/core/lazy.ts';

describe('a part that is loaded on first use', () => {
  test('is loaded once for all callers, and not before the first use', async () => {
    const load = vi.fn<() => Promise<object>>(async () => ({}));
    const part = lazy(load);
    expect(load).not.toHaveBeenCalled();
    const [one, other] = await Promise.all([part(), part()]);
    expect(one).toBe(other);
    expect(await part()).toBe(one);
    expect(load).toHaveBeenCalledOnce();
  });

  test('that cannot be loaded rejects with an error of its own code, whose cause is the failure', async () => {
    const cause = new TypeError('Failed to fetch dynamically imported module');
    const part = lazy(() => Promise.reject(cause));
    const error = await part().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AgentError);
    expect(error).toMatchObject({ code: 'MODULE_UNAVAILABLE', retryable: false, cause });
    expect(error).toHaveProperty('message', expect.stringContaining('Reload the page'));
  });

  test('that is loaded but refuses its options rejects with that error', async () => {
    const refusal = new AgentError('no', { code: 'INVALID_CONFIG' });
    await expect(lazy(() => Promise.reject(refusal))()).rejects.toBe(refusal);
  });

  test('is loaded again for the next caller after a failure; concurrent callers fail together', async () => {
    const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new TypeError('gone')).mockResolvedValue('here');
    const part = lazy(load);
    const together = await Promise.allSettled([part(), part()]);
    expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(load).toHaveBeenCalledOnce();
    expect(await part()).toBe('here');
    expect(await part()).toBe('here');
    expect(load).toHaveBeenCalledTimes(2);
  });
});
