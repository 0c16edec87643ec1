import { afterEach, describe, expect, it, vi } from 'vitest';
import { browserPorts, whenOnline } from '../../src/core/ports.ts';

/** Changes whether the page is visible, as the browser does. */
function setVisible(isVisible: boolean): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(isVisible ? 'visible' : 'hidden');
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}

afterEach(() => vi.restoreAllMocks());

describe('the ports of the browser', () => {
  it('report that the page is shown, restored or focused, and nothing else', () => {
    const onShow = vi.fn<() => void>();
    const stop = browserPorts.onShow(onShow);
    setVisible(false);
    expect(onShow).toHaveBeenCalledTimes(0);
    setVisible(true);
    expect(onShow).toHaveBeenCalledTimes(1);
    dispatchEvent(new Event('pageshow'));
    dispatchEvent(new Event('focus'));
    expect(onShow).toHaveBeenCalledTimes(3);
    stop();
    dispatchEvent(new Event('focus'));
    expect(onShow).toHaveBeenCalledTimes(3);
  });

  it('report that the page is hidden or left, and nothing else', () => {
    const onHide = vi.fn<(leaving: boolean) => void>();
    const stop = browserPorts.onHide(onHide);
    setVisible(false);
    dispatchEvent(new Event('pagehide'));
    setVisible(true);
    dispatchEvent(new Event('focus'));
    expect(onHide.mock.calls).toEqual([[false], [true]]);
    stop();
    setVisible(false);
    expect(onHide).toHaveBeenCalledTimes(2);
  });

  it('report a network once, at once where there is one, else as soon as it is back', () => {
    const callback = vi.fn<() => void>();
    const wait = whenOnline() ?? expect.unreachable('The page reports no network.');
    wait(callback)();
    expect(callback).toHaveBeenCalledTimes(1);
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    wait(callback);
    const cancelled = vi.fn<() => void>();
    wait(cancelled)();
    expect(callback).toHaveBeenCalledTimes(1);
    dispatchEvent(new Event('online'));
    dispatchEvent(new Event('online'));
    expect([callback.mock.calls.length, cancelled.mock.calls.length]).toEqual([2, 0]);
  });

  it('replace the frame of a hidden page by a timer, and call once', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const requestFrame = vi.spyOn(globalThis, 'requestAnimationFrame').mockReturnValue(7);
    const cancelFrame = vi.spyOn(globalThis, 'cancelAnimationFrame');
    const callback = vi.fn<() => void>();

    setVisible(false);
    browserPorts.frame(callback);
    expect(requestFrame).not.toHaveBeenCalled();
    vi.advanceTimersByTime(16);
    expect(callback).toHaveBeenCalledTimes(1);
    vi.useRealTimers();
    expect(cancelFrame).not.toHaveBeenCalled();
  });

  it('replace a frame that never comes, because the page was hidden before it, by a timer', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(globalThis, 'requestAnimationFrame').mockReturnValue(7);
    const cancelFrame = vi.spyOn(globalThis, 'cancelAnimationFrame');
    const callback = vi.fn<() => void>();

    setVisible(true);
    browserPorts.frame(callback);
    setVisible(false);
    vi.advanceTimersByTime(249);
    expect(callback).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(callback).toHaveBeenCalledTimes(1);
    expect(cancelFrame).toHaveBeenCalledWith(7);
    vi.useRealTimers();
  });
});
