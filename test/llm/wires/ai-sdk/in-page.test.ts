import { describe, expect, test } from 'vitest';
import type { AgentError } from '../../../../src/core/error.ts';
import { createAISDKClient } from '../../../../src/llm/wires/ai-sdk/client.ts';
import { collect, createFakeModel, finish, textOf } from '../../../support/ai-sdk.ts';

// Models that run in the page have two functions beside the interface: `availability` and `createSessionWithProgress`
// (@browser-ai/web-llm, @browser-ai/transformers-js and @browser-ai/core, version 3, types of the packages). The test in the browser uses
// the package and the engine of web-llm.

/** A model that has to be loaded: in two steps, each when the test lets it. */
function createModelInPage(state: unknown = 'downloadable') {
  const log: string[] = [];
  let loaded = false;
  const gates: (() => void)[] = [];
  const gate = (): Promise<void> => new Promise((resolve) => void gates.push(resolve));
  const model = createFakeModel([[...textOf('t', 'Hello'), finish()]], {
    version: 'v4',
    provider: 'web-llm',
    availability: () => Promise.resolve(loaded ? 'available' : state),
    async createSessionWithProgress(onProgress?: (progress: unknown) => void) {
      if (loaded) return;
      log.push('load');
      await gate();
      onProgress?.(0.5);
      await gate();
      onProgress?.({ progress: 1, text: 'Finish loading' });
      loaded = true;
      log.push('loaded');
    },
  });
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    model,
    log,
    settle,
    /** Lets one step of the loading happen. */
    async step() {
      await settle();
      gates.shift()?.();
      await settle();
    },
  };
}

describe('a request', () => {
  test('loads the model first, and the progress is told', async () => {
    const { model, log, step } = createModelInPage();
    const progress: number[] = [];
    const client = createAISDKClient(model, { onLoad: (loaded) => progress.push(loaded) });
    const answer = collect(client);
    await step();
    expect(progress).toEqual([0.5]);
    expect(model.calls).toHaveLength(0);
    await step();
    expect((await answer).chunks[0]).toEqual({ type: 'text', text: 'Hello' });
    expect(progress).toEqual([0.5, 1]);
    await collect(client);
    expect(log).toEqual(['load', 'loaded']);
    expect(progress).toHaveLength(2);
  });

  test('that is cancelled while the model loads generates nothing, and is told nothing more', async () => {
    const { model, step } = createModelInPage();
    const progress: number[] = [];
    const client = createAISDKClient(model, { onLoad: (loaded) => progress.push(loaded) });
    const told: string[] = [];
    const subscription = client
      .sendRequest({ sessionId: 's', messages: [] })
      .subscribe({ next: ({ type }) => told.push(type), error: () => told.push('error') });
    await step();
    subscription.unsubscribe();
    await step();
    await step();
    expect(model.calls).toHaveLength(0);
    expect(told).toEqual([]);
    expect(progress).toEqual([0.5]);
  });

  test('errors where the device cannot run the model, without loading', async () => {
    for (const state of ['unavailable', 'missing', 7]) {
      const { model, log } = createModelInPage(state);
      const { error } = await collect(createAISDKClient(model));
      expect(error).toMatchObject({ code: 'MODEL_NOT_FOUND', message: expect.stringContaining('web-llm') });
      expect(log).toEqual([]);
    }
  });

  test('errors where the download fails, and is not repeated by itself', async () => {
    let loads = 0;
    const model = createFakeModel([], {
      availability: () => Promise.resolve('downloadable'),
      createSessionWithProgress() {
        loads += 1;
        return Promise.reject(new Error('No space left.'));
      },
    });
    const { error } = await collect(createAISDKClient(model));
    expect(error).toMatchObject({ code: 'MODEL_NOT_READY', message: expect.stringContaining('No space left.') });
    expect(loads).toBe(1);
  });
});

describe('download', () => {
  test('emits the progress, and completes when the model can answer', async () => {
    const { model, step } = createModelInPage();
    const client = createAISDKClient(model);
    const told: (number | string)[] = [];
    client.download().subscribe({ next: (loaded) => told.push(loaded), complete: () => told.push('done') });
    expect(await client.availability()).toBe('downloadable');
    await step();
    await step();
    expect(told).toEqual([0.5, 1, 'done']);
    expect(await client.availability()).toBe('available');
  });

  test('errors as a request does', async () => {
    const { model } = createModelInPage('unavailable');
    const error = await new Promise<AgentError>((resolve) =>
      createAISDKClient(model).download().subscribe({ error: resolve }),
    );
    expect(error).toMatchObject({ code: 'MODEL_NOT_FOUND' });
  });
});

test('availability is `unavailable` where asking fails', async () => {
  const model = createFakeModel([], {
    availability: () => Promise.reject(new Error('no')),
    createSessionWithProgress: () => Promise.resolve(),
  });
  expect(await createAISDKClient(model).availability()).toBe('unavailable');
});
