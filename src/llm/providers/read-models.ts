import { defined } from '../../core/json.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { toCount, toList, toObject, toText } from '../../core/model/read-json.ts';
import { findModel, type Model, type ModelTable, type Price } from './model.ts';

/** Types of models without conversations, where a list contains types (Together, LM Studio). */
const others = new Set(['image', 'video', 'audio', 'embedding', 'embeddings', 'rerank', 'moderation', 'transcribe']);

/**
 * Reads a list of models in any known shape: `{data: […]}`, `{models: […]}` or a bare list. Entries without an id, and entries that are
 * marked as not for conversations, are left out.
 */
export function readModels(json: Json, known?: ModelTable): readonly Model[] {
  const { data, models } = toObject(json);
  const found = new Map<string, Model>();
  for (const entry of [json, data, models].flatMap(toList).map(toObject)) {
    // Google's ids are paths.
    const id = toText(entry.id).replace(/^models\//, '');
    const chats = toObject(entry.capabilities).completion_chat !== false && !others.has(toText(entry.type));
    if (id !== '' && chats) found.set(id, { ...findModel(known, id), ...readModel(entry), id });
  }
  return [...found.values()];
}

function readModel(entry: JsonObject): Omit<Model, 'id'> {
  const top = toObject(entry.top_provider);
  return defined({
    name: toText(entry.display_name) || (entry.id !== entry.name && toText(entry.name)) || undefined,
    contextWindow: toCount(
      entry.context_length, // OpenRouter, Together, Moonshot
      entry.context_window, // Groq
      entry.max_context_length, // Mistral, LM Studio
      entry.max_model_len, // vLLM
      entry.max_input_tokens, // Anthropic
      toObject(entry.meta).n_ctx, // llama.cpp
      toObject(entry.meta).n_ctx_train,
    ),
    maxOutput: toCount(
      entry.max_completion_tokens,
      entry.max_output_tokens,
      entry.max_tokens,
      top.max_completion_tokens,
    ),
    price: readPrice(toObject(entry.pricing)),
  });
}

/** OpenRouter lists dollars per token, as text; Together dollars per million tokens, as numbers. */
function readPrice({
  prompt,
  completion,
  input_cache_read,
  input,
  output,
  cached_input,
}: JsonObject): Price | undefined {
  const perToken = [prompt, completion, input_cache_read].map(toPerMillion);
  const [first, second, third] = perToken[0] === undefined ? [input, output, cached_input] : perToken;
  const [inputRate, outputRate, cached] = [toCount(first), toCount(second), toCount(third)];
  if (inputRate === undefined || outputRate === undefined) return undefined;
  return { input: inputRate, output: outputRate, ...defined({ cached }) };
}

function toPerMillion(price: Json | undefined): number | undefined {
  // Less than a hundredth of a cent per million is rounding noise of binary fractions.
  return typeof price === 'string' && price !== '' ? toCount(Math.round(Number(price) * 1e10) / 1e4) : undefined;
}
