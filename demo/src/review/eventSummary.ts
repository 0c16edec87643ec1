import { extractTextContent, type SessionEvent } from 'brooklet';

/** Returns the content of an event in a few words, for a list; empty where the type says all. */
export function eventSummary(event: SessionEvent): string {
  return summaryOf(event).replaceAll(/\s+/gu, ' ').slice(0, 160);
}

function summaryOf(event: SessionEvent): string {
  switch (event.type) {
    case 'message.added':
    case 'message.updated':
    case 'message.queued':
      return `${event.message.role}: ${extractTextContent(event.message)}`;
    case 'text.delta':
    case 'reasoning.delta':
    case 'call.delta':
      return event.text;
    case 'call.requested':
      return `${event.name} ${event.inputText}`;
    case 'call.started':
      return event.attempt > 1 ? `attempt ${event.attempt}` : '';
    case 'call.ended':
      return `${event.outcome}${event.output === undefined ? '' : `: ${textOf(event.output)}`}`;
    case 'approval.decided':
      return [event.verdict, `by ${event.userName ?? event.decidedBy}`, event.input && 'edited', event.reason]
        .filter((word) => word !== undefined)
        .join(', ');
    case 'reply.started':
      return event.request?.model ?? '';
    case 'reply.ended':
      return event.usage ? `${event.finish}, ${event.usage.input} in, ${event.usage.output} out` : event.finish;
    case 'reply.refused':
    case 'context.compaction-failed':
      return event.error.message;
    case 'run.ended':
      return event.error ? `${event.outcome}: ${event.error.message}` : event.outcome;
    case 'context.compacted':
      return `${event.tokens.before} to ${event.tokens.after} tokens`;
    case 'tools.changed':
      return event.tools.map(({ name }) => name).join(', ');
    case 'instructions.changed':
      return event.messages.map(extractTextContent).join(' ');
    case 'session.renamed':
      return event.title;
    default:
      return '';
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
