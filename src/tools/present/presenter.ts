import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { ToolDetails } from '../../core/model/message.ts';
import type { Present, PresentableOutput, Presentation, Presenter } from '../../core/tools/tool-types.ts';
import { toCommandOutput, toDetails, toFileList } from './details.ts';
import { toEditDiff, toFileDiff } from './diff.ts';
import { normalizeName, pathKeys, textAt } from './fields.ts';
import { kindOf } from './kinds.ts';

/** Characters. */
const maxSummaryLength = 200;

/**
 * Creates a presenter: a function that makes summary and details of a tool's result. `registry` maps tool names to
 * functions of the application; what these leave out is filled in by defaults for tools that edit, write, read, list,
 * search and run commands, under the names that common agents give them (seed 002 §4.4). The registry is searched for the
 * exact name first, then for the normalized name: `Edit`, `edit` and `mcp__files__edit` are the same normalized name.
 *
 *     createPresenter({ pay: (input, output) => ({ summary: `Paid ${input.amount}` }) })('pay', { amount: 3 }, 'ok', false)
 */
export function createPresenter(registry: Readonly<Record<string, Present>> = {}): Presenter {
  const exact = new Map(Object.entries(registry));
  const normalized = new Map(Object.entries(registry).map(([name, present]) => [normalizeName(name), present]));

  return (name, input, output, isError) => {
    const present = exact.get(name) ?? normalized.get(normalizeName(name));
    const custom = attempt(() => present?.(input, output, isError));
    const fallback = attempt(() => presentByKind(name, input, output, isError));
    const details = custom.details ?? fallback.details;
    const summary = toLine(custom.summary) || toLine(fallback.summary) || 'Completed';
    return { summary, ...(details !== undefined && { details }) };
  };
}

function presentByKind(name: string, input: JsonObject, output: PresentableOutput, isError: boolean): Presentation {
  const kind = kindOf(name, input);
  if (isError) {
    return withDetails(`${name} failed`, kind === 'command' ? toCommandOutput(output, isError) : toDetails(output));
  }
  const path = textAt(input, pathKeys);
  switch (kind) {
    case 'edit':
      return withDetails(`Updated ${path ?? 'file'}`, toEditDiff(input, path) ?? toDetails(output));
    case 'write':
      return withDetails(`Created ${path ?? 'file'}`, toFileDiff(input, output, path) ?? toDetails(output));
    case 'read':
      return withDetails(`Read ${path ?? 'file'}`, toDetails(output));
    case 'change': {
      const files = changedFiles(input);
      return withDetails(`Updated ${files.join(', ') || 'files'}`, { type: 'fileList', files });
    }
    case 'command':
      return withDetails(`${name} completed`, toCommandOutput(output, isError));
    case 'list':
      return withDetails(`${name} completed`, toFileList(output, false) ?? toDetails(output));
    case 'search':
      return withDetails(`${name} completed`, toFileList(output, true) ?? toDetails(output));
    case 'editor':
    case undefined:
      return withDetails(`${name} completed`, toDetails(output));
  }
}

/** Returns all files of a patch: Codex reports one call for the whole patch. */
function changedFiles(input: JsonObject): readonly string[] {
  const changes: readonly unknown[] = Array.isArray(input.changes) ? input.changes : [];
  return changes.filter(isJsonObject).flatMap((change) => textAt(change, pathKeys) ?? []);
}

const withDetails = (summary: string, details: ToolDetails | undefined): Presentation => ({
  summary,
  ...(details && { details }),
});

/** Returns a text as one line of at most `maxSummaryLength` characters. */
function toLine(text: unknown): string {
  if (typeof text !== 'string') return '';
  const line = text
    .slice(0, 4 * maxSummaryLength)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length > maxSummaryLength ? `${line.slice(0, maxSummaryLength - 1)}…` : line;
}

/** A presenter never throws: a function that throws counts as one without a result. */
function attempt(present: () => Presentation | undefined): Presentation {
  try {
    return present() ?? {};
  } catch {
    return {};
  }
}
