import { describe, expect, test, vi } from 'vitest';
import { createFramePacer, type FramePacer } from '../../../src/core/log/frame-pacer.ts';
import { createManualPorts, type ManualPorts } from '../../support/ports.ts';

function start(pace?: number): ManualPorts & FramePacer & { readonly tell: () => void } {
  const ports = createManualPorts();
  const tell = vi.fn<() => void>();
  return { ...ports, ...createFramePacer(ports, tell, pace), tell };
}

describe('a frame pacer', () => {
  test('notifies once a frame, for any number of requests', () => {
    const { want, drawFrame, tell } = start();
    for (let n = 0; n < 10; n++) want(1);
    expect(tell).not.toHaveBeenCalled();
    drawFrame();
    expect(tell).toHaveBeenCalledOnce();
    drawFrame();
    expect(tell).toHaveBeenCalledOnce();
  });

  test('notifies in the next frame again if drawing is cheap', () => {
    const { want, drawFrame, awaited, tell } = start();
    for (let n = 1; n <= 5; n++) {
      want(1);
      drawFrame(3);
      expect(tell).toHaveBeenCalledTimes(n);
    }
    expect(awaited()).toBe(0);
  });

  test('skips a frame while text arrives faster than people read', () => {
    const { want, drawFrame, pass, awaited, tell } = start();
    want(16);
    drawFrame(1);
    want(15);
    drawFrame(1);
    expect(tell).toHaveBeenCalledOnce();
    pass(16);
    drawFrame(1);
    expect(tell).toHaveBeenCalledTimes(2);
    expect(awaited()).toBe(0);
    want(1);
    drawFrame(1);
    expect(tell).toHaveBeenCalledTimes(3);
  });

  test('counts characters, not chunks', () => {
    const { want, drawFrame, awaited } = start();
    for (let piece = 0; piece < 15; piece++) want(1);
    drawFrame(1);
    expect(awaited()).toBe(0);
    for (let piece = 0; piece < 16; piece++) want(1);
    drawFrame(1);
    expect(awaited()).toBe(1);
  });

  test.each([
    [64, 32],
    [625, 100],
    [5_000, 250],
  ])('waits longer for faster text: for %i characters a frame, %i ms', (length, ms) => {
    const { want, drawFrame, pass, tell } = start();
    want(length);
    drawFrame(1);
    want(1);
    pass(ms - 1);
    drawFrame();
    expect(tell).toHaveBeenCalledOnce();
    pass(1);
    drawFrame();
    expect(tell).toHaveBeenCalledTimes(2);
  });

  test('does not count text that arrived during a wait as faster text', () => {
    const { want, drawFrame, pass, awaited, tell } = start();
    // 625 characters a frame, throughout.
    want(625);
    drawFrame(1);
    for (let picture = 2; picture <= 5; picture++) {
      want(625 * (1 + 100 / 16));
      pass(100);
      drawFrame(1);
      expect(tell).toHaveBeenCalledTimes(picture);
      pass(99);
      expect(awaited()).toBe(1);
      pass(1);
      expect(awaited()).toBe(0);
    }
  });

  test('draws new text at once after all changes were notified otherwise', () => {
    const { want, done, drawFrame, awaited, tell } = start();
    want(5_000);
    done();
    drawFrame();
    expect(awaited()).toBe(0);
    want(1);
    drawFrame();
    expect(tell).toHaveBeenCalledOnce();
  });

  test('waits four times as long as an expensive frame took', () => {
    const { want, drawFrame, pass, tell } = start();
    want(1);
    drawFrame(10);
    want(1);
    drawFrame();
    pass(39);
    drawFrame();
    expect(tell).toHaveBeenCalledOnce();
    pass(1);
    drawFrame();
    expect(tell).toHaveBeenCalledTimes(2);
  });

  test('waits at most a quarter of a second', () => {
    const { want, drawFrame, pass, tell } = start();
    want(1);
    drawFrame(5_000);
    want(1);
    pass(250);
    drawFrame();
    expect(tell).toHaveBeenCalledTimes(2);
  });

  test('does not wait after a pause without text', () => {
    const { want, drawFrame, pass, awaited, tell } = start();
    want(1);
    drawFrame(10);
    pass(40);
    expect(awaited()).toBe(0);
    want(1);
    drawFrame();
    expect(tell).toHaveBeenCalledTimes(2);
  });

  test('waits also when text arrived while a frame was drawn', () => {
    const ports = createManualPorts();
    let told = 0;
    const pace = createFramePacer(ports, () => {
      told += 1;
      if (told === 1) pace.want(1);
    });
    pace.want(1);
    ports.drawFrame(10);
    ports.drawFrame();
    expect(told).toBe(1);
    ports.pass(40);
    ports.drawFrame();
    expect(told).toBe(2);
  });

  test('does not notify changes that were notified otherwise', () => {
    const { want, done, drawFrame, tell } = start();
    want(1);
    done();
    drawFrame();
    expect(tell).not.toHaveBeenCalled();
  });

  test('waits the given ms, however long a frame takes', () => {
    const { want, drawFrame, pass, tell } = start(50);
    want(1);
    drawFrame(1_000);
    want(1);
    pass(49);
    drawFrame();
    expect(tell).toHaveBeenCalledOnce();
    pass(1);
    drawFrame();
    expect(tell).toHaveBeenCalledTimes(2);
  });

  test('notifies in every frame when it is given 0', () => {
    const { want, drawFrame, tell } = start(0);
    for (let n = 1; n <= 3; n++) {
      for (let piece = 0; piece < 10; piece++) want(1);
      drawFrame(1_000);
      expect(tell).toHaveBeenCalledTimes(n);
    }
  });
});
