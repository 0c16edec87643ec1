import { totalInput, type Usage } from '../core/model/message.ts';

/** US dollars for a million tokens. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  /** Input that the service had in its cache. Default: as `input`. */
  readonly cached?: number;
  /** Input that it put into its cache, where it counts that apart. Default: a quarter more than `input`. */
  readonly written?: number;
}

/** Price of a model, which may be higher for long requests. */
export interface Price extends Rates {
  /** What a request costs, all of it, that has more than `over` tokens of input. */
  readonly long?: Rates & { readonly over: number };
}

/** What is known of a model. */
export interface Model {
  readonly id: string;
  /** As people know it. */
  readonly name?: string;
  /** Tokens, question and answer together. */
  readonly contextWindow?: number;
  /** Tokens that an answer may have at most. */
  readonly maxOutput?: number;
  readonly price?: Price;
}

/** Models by id. An id without a date stands for its dated versions too. */
export type ModelTable = Readonly<Record<string, Omit<Model, 'id'>>>;

/** What a table says of a model: of its id, or of the id without `-latest` or a date (`-2025-08-07`, `-20251001`). */
export function findModel(models: ModelTable | undefined, id: string): Model | undefined {
  for (const known of [id, id.replace(/[-@](\d{4}[\d-]*|latest)$/, '')])
    if (models && Object.hasOwn(models, known)) return { ...models[known], id };
  return undefined;
}

/** What one answer cost, in US dollars: its `usage`, as the service counted it, at a model's price. */
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
