import { extractTextContent, type Message, type SessionEvent, type SessionStatus } from 'brooklet';
import { evolve, initialState, type SessionWrite } from 'brooklet/core';
import { isDelta } from '../../src/core/model/event.ts';
import { openRun } from '../../src/core/model/state.ts';

const twice = (list: readonly string[]): readonly string[] => list.filter((one, index) => list.indexOf(one) !== index);

/**
 * Returns the violations in a log, one sentence each.
 *
 * @param cuts how often a run may have been cut off: once for each tab that has gone away during the log
 */
export function problemsOfLog(events: readonly SessionEvent[], cuts: number): readonly string[] {
  const problems: string[] = [];
  let state = initialState('s');
  for (const event of events) {
    if (event.type === 'run.started' && openRun(state))
      problems.push(`run ${event.runId} began in the middle of another`);
    state = evolve(state, event);
  }
  const ended = events.filter((event) => event.type === 'run.ended');
  const cut = ended.filter(({ outcome }) => outcome === 'interrupted');
  if (cut.length > cuts) problems.push(`${cut.length} runs were interrupted, and there was cause for ${cuts}`);
  problems.push(...twice(ended.map(({ runId }) => runId)).map((runId) => `run ${runId} ended twice`));
  return problems;
}

/** The state that an idle tab shows. */
export interface Shown {
  readonly messages: readonly Message[];
  /** Queued messages. */
  readonly queue: readonly Message[];
  readonly status: SessionStatus;
  readonly storage: string;
}

/** Returns the violations in idle tabs that show one session, one sentence each. */
export function problemsOfTabs(tabs: readonly Shown[]): readonly string[] {
  const problems: string[] = [];
  const messages = tabs[0]?.messages ?? [];
  for (const tab of tabs) {
    if (JSON.stringify(tab.messages) !== JSON.stringify(messages)) problems.push('two tabs do not show the same');
    if (tab.status === 'running') problems.push('a tab shows a run that nobody runs');
    if (tab.storage !== 'saved') problems.push(`a tab's storage is ${tab.storage}`);
  }
  problems.push(
    ...twice(messages.map((message) => message.id)).map((messageId) => `message ${messageId} is there twice`),
  );
  return problems;
}

/**
 * Returns the violations in sent messages and executed calls, one sentence each.
 *
 * @param said the messages sent in tabs that are still open, once each
 * @param ran the calls whose tools have acted, once for each time
 */
export function problemsOfDeeds(
  messages: readonly Message[],
  said: readonly string[],
  ran: readonly string[],
): readonly string[] {
  const words = messages.filter(({ role }) => role === 'user').map((message) => extractTextContent(message));
  return [
    ...twice(words).map((one) => `"${one}" was said twice`),
    ...said.filter((one) => !words.includes(one)).map((one) => `"${one}" was said, and is gone`),
    ...twice(ran).map((callId) => `call ${callId} ran twice`),
  ];
}

/**
 * Returns the acknowledged events that are missing from the log, one sentence each. Other tabs may have written in
 * between.
 */
export function problemsOfWrites(writes: readonly SessionWrite[], log: readonly SessionEvent[]): readonly string[] {
  const grounds = writes.map(({ expectedSeq }) => String(expectedSeq));
  const problems = twice(grounds).map((expects) => `two writes upon ${expects} were acknowledged`);
  for (const event of writes.flatMap(({ events }) => events)) {
    // The deltas of a part may have been joined since.
    const isKept = isDelta(event)
      ? log.some(
          (other) =>
            other.type === event.type &&
            (other.since ?? other.seq) <= event.seq &&
            event.seq <= other.seq &&
            other.text.includes(event.text),
        )
      : log.some((other) => JSON.stringify(other) === JSON.stringify(event));
    if (!isKept) problems.push(`acknowledged and lost: ${JSON.stringify(event)}`);
  }
  return problems;
}
