import { describe, expect, test, vi } from 'vitest';
import { createPace, type Pace } from '../../../src/core/log/pace.ts';
import { createManualPorts, type ManualPorts } from '../../support/ports.ts';

function start(pace?: number): ManualPorts & Pace & { readonly tell: () => void } {
  const ports = createManualPorts();
  const tell = vi.fn<() => void>();
  return { ...ports, ...createPace(ports, tell, pace), tell };
}

describe('a pace', () => {
  test('tells once a frame, however often it is wanted', () => {
    const { want, drawFrame, tell } = start();
    for (let n = 0; n < 10; n++) want();
    expect(tell).not.toHaveBeenCalled();
    drawFrame();
    expect(tell).toHaveBeenCalledOnce();
    drawFrame();
    expect(tell).toHaveBeenCalledOnce();
  });

  test('goes on with the next frame where drawing is cheap', () => {
    const { want, drawFrame, awaited, tell } = start();
    for (let n = 1; n <= 5; n++) {
      want();
      drawFrame(3);
      expect(tell).toHaveBeenCalledTimes(n);
    }
    expect(awaited()).toBe(0);
  });

  test('leaves out a frame where text comes faster than anybody reads, until it does not', () => {
    const { want, drawFrame, pass, awaited, tell } = start();
    for (let n = 0; n < 3; n++) want();
    drawFrame(1);
    want();
    drawFrame(1);
    expect(tell).toHaveBeenCalledOnce();
    pass(16);
    drawFrame(1);
    expect(tell).toHaveBeenCalledTimes(2);
    expect(awaited()).toBe(0);
    want();
    drawFrame(1);
    expect(tell).toHaveBeenCalledTimes(3);
  });

  test('leaves four times as long as a dear picture took', () => {
    const { want, drawFrame, pass, tell } = start();
    want();
    drawFrame(10);
    want();
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
    want();
    drawFrame(5_000);
    want();
    pass(250);
    drawFrame();
    expect(tell).toHaveBeenCalledTimes(2);
  });

  test('waits for nothing after a rest in which nothing came', () => {
    const { want, drawFrame, pass, awaited, tell } = start();
    want();
    drawFrame(10);
    pass(40);
    expect(awaited()).toBe(0);
    want();
    drawFrame();
    expect(tell).toHaveBeenCalledTimes(2);
  });

  test('rests also when more came while the picture was drawn', () => {
    const ports = createManualPorts();
    let told = 0;
    const pace = createPace(ports, () => {
      told += 1;
      if (told === 1) pace.want();
    });
    pace.want();
    ports.drawFrame(10);
    ports.drawFrame();
    expect(told).toBe(1);
    ports.pass(40);
    ports.drawFrame();
    expect(told).toBe(2);
  });

  test('does not tell what has been told by other means', () => {
    const { want, done, drawFrame, tell } = start();
    want();
    done();
    drawFrame();
    expect(tell).not.toHaveBeenCalled();
  });

  test('keeps to the ms it is given, whatever a picture takes', () => {
    const { want, drawFrame, pass, tell } = start(50);
    want();
    drawFrame(1_000);
    want();
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
      for (let piece = 0; piece < 10; piece++) want();
      drawFrame(1_000);
      expect(tell).toHaveBeenCalledTimes(n);
    }
  });
});
