import { createStored } from '../base/stored.ts';
import { parseObject } from '../base/json.ts';

/** By address: the models that were chosen last, the latest first. */
type Recent = Readonly<Record<string, readonly string[]>>;

/** Models that are kept for an address. */
const most = 5;

export const recentModels = createStored<Recent>('brooklet-studio:recent-models', { read, write: JSON.stringify });

/** Notes that a model was chosen. */
export function noteModel(baseURL: string, model: string): void {
  if (model === '') return;
  recentModels.change((before) => ({
    ...before,
    [baseURL]: [model, ...(before[baseURL] ?? []).filter((other) => other !== model)].slice(0, most),
  }));
}

function read(text: string | null): Recent {
  return Object.fromEntries(
    Object.entries(parseObject(text ?? '') ?? {}).map(([baseURL, models]) => [
      baseURL,
      Array.isArray(models) ? models.filter((model) => typeof model === 'string').slice(0, most) : [],
    ]),
  );
}
