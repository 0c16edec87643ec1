import { extractTextContent, type SessionEvent } from '../../core/model/index.ts';
import { type ReviewTexts, wordFor } from './reviewTexts.ts';

/** Returns the content of an event in a few words, for a list; empty where the type says all. */
export function eventSummary(event: SessionEvent, words: ReviewTexts): string {
  return summaryOf(event, words).replaceAll(/\s+/gu, ' ').slice(0, 160);
}

function summaryOf(event: SessionEvent, words: ReviewTexts): string {
  const { statuses, outcomes, deciders, logged } = words;
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
      return event.attempt > 1 ? logged.attempt(event.attempt) : '';
    case 'call.ended':
      return `${wordFor(statuses, event.outcome)}${event.output === undefined ? '' : `: ${textOf(event.output)}`}`;
    case 'approval.decided':
      return [
        wordFor(statuses, event.verdict),
        logged.by(event.userName ?? wordFor(deciders, event.decidedBy)),
        event.input && logged.edited,
        event.reason,
      ]
        .filter((word) => word !== undefined)
        .join(', ');
    case 'reply.started':
      return event.request?.model ?? '';
    case 'reply.ended':
      return event.usage
        ? `${event.finish}, ${words.facts.tokenCounts(String(event.usage.input), String(event.usage.output))}`
        : event.finish;
    case 'reply.refused':
    case 'context.compaction-failed':
      return event.error.message;
    case 'run.ended':
      return event.error
        ? `${wordFor(outcomes, event.outcome)}: ${event.error.message}`
        : wordFor(outcomes, event.outcome);
    case 'context.compacted':
      return logged.shortened(event.tokens.before, event.tokens.after);
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
