import { type Message, type Part, toolParts } from 'brooklet';
import { isEnded } from 'brooklet/core';

/**
 * Returns the problems for which the strictest wire would refuse a conversation, one sentence each. Written from the wires' documentation,
 * not from the package's code: no empty turns, no empty text, every call with one result, calls only in complete replies, no assistant
 * message that answers another.
 */
export function problemsOnTheWire(messages: readonly Message[]): readonly string[] {
  const problems: string[] = [];
  const callIds = new Set<string>();

  for (const [index, message] of messages.entries()) {
    const { id, role, content, status } = message;
    const report = (problem: string): void => void problems.push(`message ${index} (${role} ${id}) ${problem}`);
    const calls = toolParts(message);

    if (!content.some(hasContent)) report('is empty');
    if (content.some((part) => part.type === 'text' && part.text === '')) report('has an empty text');
    if (status === 'streaming') report('is not complete');
    if (role !== 'assistant' && content.some((part) => part.type === 'tool' || part.type === 'reasoning')) {
      report('has parts that only a reply may have');
    }
    if (status === 'interrupted' && content.some((part) => part.type !== 'text'))
      report('was interrupted, and has more than its text');
    for (const { callId, status: call } of calls) {
      if (callId === '' || callIds.has(callId)) report(`has a call without an id of its own: "${callId}"`);
      if (!isEnded(call)) report(`has a call without a result: it is ${call}`);
      callIds.add(callId);
    }
    const next = messages[index + 1];
    if (role === 'assistant' && calls.length === 0 && next?.role === 'assistant')
      report('is answered by the model itself');
  }

  const last = messages.at(-1);
  if (last === undefined) problems.push('there is nothing to answer');
  else if (last.role === 'system') problems.push('the instructions come last');
  else if (last.role === 'assistant' && toolParts(last).length === 0)
    problems.push('the model has the last word already');
  return problems;
}

function hasContent(part: Part): boolean {
  return part.type === 'text' ? part.text !== '' : part.type !== 'reasoning';
}
