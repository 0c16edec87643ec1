import { createPresenter } from 'brooklet/tools';
import { textIn } from '../base/json.ts';
import { serverNameOf } from '../mcp/serverNameOf.ts';

const presentOwn = createPresenter();

/**
 * Presents the results of tools that have no `present` of their own, and previews an edit before its approval. The result of a server is
 * summed up by its first line, whatever the server calls its tool.
 */
export const present: typeof presentOwn = (name, input, output, isError) => {
  const presentation = presentOwn(name, input, output, isError);
  return serverNameOf(name) === undefined ? presentation : { ...presentation, summary: firstLineOf(output) };
};

function firstLineOf(output: unknown): string {
  const text = typeof output === 'string' ? output : textOf(output);
  return (text.trim().split('\n', 1)[0] ?? '').slice(0, 120);
}

function textOf(output: unknown): string {
  const parts: readonly unknown[] = Array.isArray(output) ? output : [];
  return parts.map((part) => textIn(part, 'text')).find((text) => text !== '') ?? JSON.stringify(output) ?? '';
}
