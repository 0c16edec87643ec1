import { totalInput, type Usage } from '../../core/model/message.ts';

/** US dollars per million tokens. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  /** Input that was read from the service's cache. Default: the rate of `input`. */
  readonly cached?: number;
  /** Input that was written to the cache, where the service counts it separately. Default: 1.25 times the rate of `input`. */
  readonly written?: number;
}

/** Price of a model, which may be higher for long requests. */
export interface Price extends Rates {
  /** The rates of a whole request with more than `over` tokens of input. */
  readonly long?: Rates & { readonly over: number };
}

/** The known facts of a model. */
export interface Model {
  readonly id: string;
  /** For display. */
  readonly name?: string;
  /** Tokens, input and output together. */
  readonly contextWindow?: number;
  /** The most tokens of one answer. */
  readonly maxOutput?: number;
  readonly price?: Price;
}

/** Models by id. An id without a date applies to its dated versions too. */
export type ModelTable = Readonly<Record<string, Omit<Model, 'id'>>>;

/** Returns the entry of a model: by its id, or by the id without `-latest` or a date (`-2025-08-07`, `-20251001`). */
export function findModel(models: ModelTable | undefined, id: string): Model | undefined {
  for (const known of [id, id.replace(/[-@](\d{4}[\d-]*|latest)$/, '')])
    if (models && Object.hasOwn(models, known)) return { ...models[known], id };
  return undefined;
}

/** Returns the cost of one answer in US dollars: its `usage`, as the service counted it, at a model's price. */
export function costOf(usage: Usage, price: Price): number {
  const { input, output, cached = 0, cacheRead = 0, cacheWritten = 0 } = usage;
  const rates = price.long && totalInput(usage) > price.long.over ? price.long : price;
  const among = Math.min(cached, input);
  const sum =
    (input - among) * rates.input +
    (among + cacheRead) * (rates.cached ?? rates.input) +
    cacheWritten * (rates.written ?? rates.input * 1.25) +
    output * rates.output;
  return sum / 1_000_000;
}
