import type { Json } from '../../core/json.ts';
import type { LLMChunk } from '../../core/model/llm.ts';
import { toObject, toText } from '../../core/model/read-json.ts';

/** Emits the source of a citation or an annotation, if it has a URL. */
export function emitCitation(emit: (chunk: LLMChunk) => void, citation: Json | undefined): void {
  const { url, title } = toObject(citation);
  if (toText(url) !== '')
    emit({ type: 'part', part: { type: 'source', url: toText(url), ...(typeof title === 'string' && { title }) } });
}
