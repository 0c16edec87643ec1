import { isJsonObject, type JsonObject } from '../../core/json.ts';

// The fields that the reducer and every view read without a check. A row in which one of them has another type would throw
// somewhere on the page, long after it was read.

const isText = (value: unknown): boolean => typeof value === 'string';

/** By the kind of a part: its texts. */
const partTexts: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['text', ['text']],
  ['reasoning', ['text']],
  ['image', ['mediaType']],
  ['audio', ['mediaType']],
  ['file', ['mediaType']],
  ['source', ['url']],
  ['provider', ['name']],
  ['tool', ['callId', 'name', 'status', 'inputText']],
]);

function isPart(part: unknown): boolean {
  // Kinds of a newer version pass.
  return isJsonObject(part) && isText(part.type) && (partTexts.get(part.type) ?? []).every((key) => isText(part[key]));
}

function isMessage(message: unknown): boolean {
  return (
    isJsonObject(message) &&
    isText(message.id) &&
    isText(message.role) &&
    (message.model === undefined || isText(message.model)) &&
    Array.isArray(message.content) &&
    message.content.every(isPart)
  );
}

/** Whether an event has the fields of its type that are read without a check. */
export function fits(event: JsonObject): boolean {
  const { type, title, text, cadence, usage, model, part, message, messages } = event;
  switch (type) {
    case 'session.started':
      return isText(event.sessionId) && (title === undefined || isText(title));
    case 'session.renamed':
      return isText(title);
    case 'message.added':
    case 'message.updated':
    case 'message.queued':
      return isMessage(message);
    case 'text.delta':
    case 'reasoning.delta':
    case 'call.delta':
      return isText(text) && (cadence === undefined || Array.isArray(cadence));
    case 'call.requested':
      return isText(event.callId) && isText(event.name) && isText(event.inputText);
    case 'reply.ended':
    case 'context.compacted':
    case 'context.compaction-failed':
      return (usage === undefined || isJsonObject(usage)) && (model === undefined || isText(model));
    case 'part.added':
      return isPart(part);
    case 'instructions.changed':
      return Array.isArray(messages) && messages.every(isMessage);
    default:
      return true;
  }
}
