import { describe, expect, test, vi } from 'vitest';
import { createFramePacer, type FramePacer } from '../../../src/core/log/frame-pacer.ts';
import { createManualPorts, type ManualPorts } from '../../support/ports.ts';

function start(pace?: number): ManualPorts & FramePacer & { readonly tell: () => void } {
  const ports = createManualPorts();
  const tell = vi.fn<() => void>();
  return { ...ports, ...createFramePacer(ports, tell, pace), tell };
}

describe('a pace', () => {
  test('tells once a frame, however often it is wanted', () => {
    const { want, drawFrame, tell } = start();
    for (let n = 0; n < 10; n++) want(1);
    expect(tell).not.toHaveBeenCalled();
    drawFrame();
    expect(tell).toHaveBeenCalledOnce();
    drawFrame();
    expect(tell).toHaveBeenCalledOnce();
  });

  test('goes on with the next frame where drawing is cheap', () => {
    const { want, drawFrame, awaited, tell } = start();
    for (let n = 1; n <= 5; n++) {
      want(1);
      drawFrame(3);
      expect(tell).toHaveBeenCalledTimes(n);
    }
    expect(awaited()).toBe(0);
  });

  test('leaves out a frame where text comes faster than anybody reads, until it does not', () => {
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

  test('goes by characters, and not by the pieces that bring them', () => {
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
  ])('rests the longer the faster text comes: of %i characters a frame, %i ms', (length, ms) => {
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

  test('takes what came in a rest for no faster than it was', () => {
    const { want, drawFrame, pass, awaited, tell } = start();
    // 625 characters a frame, for as long as it goes.
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

  test('draws at once what comes after all has been told by other means', () => {
    const { want, done, drawFrame, awaited, tell } = start();
    want(5_000);
    done();
    drawFrame();
    expect(awaited()).toBe(0);
    want(1);
    drawFrame();
    expect(tell).toHaveBeenCalledOnce();
  });

  test('leaves four times as long as a dear picture took', () => {
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

  test('leaves a quarter of a second at most', () => {
    const { want, drawFrame, pass, tell } = start();
    want(1);
    drawFrame(5_000);
    want(1);
    pass(250);
    drawFrame();
    expect(tell).toHaveBeenCalledTimes(2);
  });

  test('waits for nothing after a rest in which nothing came', () => {
    const { want, drawFrame, pass, awaited, tell } = start();
    want(1);
    drawFrame(10);
    pass(40);
    expect(awaited()).toBe(0);
    want(1);
    drawFrame();
    expect(tell).toHaveBeenCalledTimes(2);
  });

  test('rests also when more came while the picture was drawn', () => {
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

  test('does not tell what has been told by other means', () => {
    const { want, done, drawFrame, tell } = start();
    want(1);
    done();
    drawFrame();
    expect(tell).not.toHaveBeenCalled();
  });

  test('keeps to the ms it is given, whatever a picture takes', () => {
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

  test('tells in every frame when it is given 0', () => {
    const { want, drawFrame, tell } = start(0);
    for (let n = 1; n <= 3; n++) {
      for (let piece = 0; piece < 10; piece++) want(1);
      drawFrame(1_000);
      expect(tell).toHaveBeenCalledTimes(n);
    }
  });
});
