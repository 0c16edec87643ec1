import { AgentError, fail, messageOf } from '../../../core/error.ts';
import { toCount, toObject } from '../../../core/model/read-json.ts';
import type { BuiltInAvailability } from '../built-in/client.ts';
import { type AISDKModel, type ModelInPage, toModelInPage } from './model.ts';

/**
 * Returns whether a model can answer: always `available` for a model of a service. Never rejects.
 */
export async function availabilityOf(model: AISDKModel): Promise<BuiltInAvailability> {
  const inPage = toModelInPage(model);
  return inPage === undefined ? 'available' : queryAvailability(inPage);
}

async function queryAvailability(model: ModelInPage): Promise<BuiltInAvailability> {
  try {
    const state = await model.availability();
    return states.find((known) => known === state) ?? 'unavailable';
  } catch {
    return 'unavailable';
  }
}

const states = ['missing', 'unavailable', 'downloadable', 'downloading', 'available'] as const;

/**
 * Loads a model that runs in the page, unless it is loaded. Nothing to do for a model of a service.
 *
 * @param onProgress called with the progress, from 0 to 1. Without it the model calls back what its own settings name.
 * @throws AgentError `MODEL_NOT_FOUND` where the device or the browser cannot run the model, `MODEL_NOT_READY` where the download or the
 * start fails
 */
export async function load(model: AISDKModel, onProgress?: (progress: number) => void): Promise<void> {
  const inPage = toModelInPage(model);
  if (inPage === undefined) return;
  const state = await queryAvailability(inPage);
  if (state === 'unavailable' || state === 'missing')
    fail(
      'MODEL_NOT_FOUND',
      `The model ${model.modelId} (${model.provider}) cannot run here: the browser or the device does not support it. Use another model.`,
    );
  try {
    await inPage.createSessionWithProgress(onProgress && ((report) => onProgress(toFraction(report))));
  } catch (cause) {
    throw new AgentError(
      `The model ${model.modelId} (${model.provider}) could not be loaded: ${messageOf(cause)} Try again.`,
      { code: 'MODEL_NOT_READY', cause },
    );
  }
}

/** Reads a report of progress: a number, or an object with it (the engine of web-llm). */
function toFraction(report: unknown): number {
  return Math.min(1, toCount(report, toObject(report).progress) ?? 0);
}
