import { isEnded, type Message, type Part, toolParts, type ToolPart } from '../../core/model/index.ts';

/** One row of a thread: a message, or the steps that led to an answer. */
export type Row =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'steps'; readonly steps: Steps };

/** Replies that consist of reasoning and finished calls only. */
export interface Steps {
  readonly messages: readonly Message[];
  readonly calls: number;
  readonly failed: number;
  /** ms that the model and the tools worked, without the time that a decision took. */
  readonly durationMs: number;
  /** Names of the tools, each once. */
  readonly tools: readonly string[];
}

/** Calls from which on the steps of an answer are one row. */
const minCalls = 3;

/**
 * Returns the rows of messages. The last reply of an answer is always a row of its own.
 *
 * @param keepInView whether an ended call is not folded into the steps
 */
export function toRows(messages: readonly Message[], keepInView?: KeepInView): readonly Row[] {
  const rows: Row[] = [];
  let group: Message[] = [];
  const flush = (): void => {
    const calls = group.flatMap((message) => toolParts(message));
    if (calls.length >= minCalls) rows.push({ kind: 'steps', steps: toSteps(group, calls) });
    else rows.push(...group.map((message): Row => ({ kind: 'message', message })));
    group = [];
  };
  messages.forEach((message, index) => {
    if (isStep(message, keepInView) && messages[index + 1]?.role === 'assistant') {
      group.push(message);
      return;
    }
    flush();
    rows.push({ kind: 'message', message });
  });
  return rows;
}

function toSteps(group: readonly Message[], calls: readonly ToolPart[]): Steps {
  const parts = group.flatMap(({ content }) => content);
  const times = parts.map((part) => ('durationMs' in part ? (part.durationMs ?? 0) : 0));
  return {
    messages: group,
    calls: calls.length,
    failed: calls.filter(({ isError }) => isError === true).length,
    durationMs: times.reduce((sum, ms) => sum + ms, 0),
    tools: [...new Set(calls.map(({ name }) => name))],
  };
}

function isStep({ role, status, content }: Message, keepInView: KeepInView): boolean {
  if (role !== 'assistant' || status !== 'complete' || content.length === 0) return false;
  return content.every((part) => isQuiet(part) && !(part.type === 'tool' && keepInView?.(part)));
}

type KeepInView = ((call: ToolPart) => boolean) | undefined;

/** A part that need not be seen. A picture, and a call whose result is not known, stay in view. */
function isQuiet(part: Part): boolean {
  switch (part.type) {
    case 'reasoning':
      return true;
    case 'tool':
      return isEnded(part.status) && part.status !== 'uncertain' && part.details?.type !== 'image';
    case 'text':
      return part.text.trim() === '';
    default:
      return false;
  }
}
