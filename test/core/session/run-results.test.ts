import { type EventBody, initialState } from 'brooklet/core';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../../src/core/log/log.ts';
import { createRunResults } from '../../../src/core/session/run-results.ts';
import type { RunResult } from '../../../src/core/session/session.ts';
import { stamp, userMessage } from '../../support/events.ts';
import { settled } from '../../support/manual-client.ts';
import { createManualPorts } from '../../support/ports.ts';

const nothing = 'nothing yet';
const now = (result: Promise<RunResult>): Promise<unknown> => Promise.race([result, settled().then(() => nothing)]);

/** The results of a session whose log receives these events, one by one or, from another tab, together. */
function stage({ isDriving = false } = {}) {
  const log = createLog(initialState('s'), createManualPorts(), () => {});
  const results = createRunResults(log, () => isDriving);
  return {
    log,
    results,
    together: (...bodies: readonly EventBody[]) => log.accept(stamp(bodies, log.getState().seq)),
  };
}

const added = (id: string): EventBody => ({ type: 'message.added', message: userMessage(id) });
const queued = (id: string): EventBody => ({ type: 'message.queued', message: userMessage(id), mode: 'steer' });
const started = (runId: string): EventBody => ({ type: 'run.started', runId });
const ended = (runId: string, outcome: 'completed' | 'cancelled' = 'completed'): EventBody => ({
  type: 'run.ended',
  runId,
  outcome,
});
const reply = (messageId: string): readonly EventBody[] => [
  { type: 'reply.started', messageId },
  { type: 'text.delta', text: messageId },
  { type: 'reply.ended', finish: 'stop' },
];
const lost = { outcome: 'failed' } as const;

describe('the result of a run', () => {
  test('has the reply of the run, also where a later run has begun a reply by the time that the events arrive', async () => {
    const { results, together } = stage();
    const [first, second] = [results.ofRun('r1'), results.ofRun('r2')];
    together(added('q'), started('r1'), ...reply('a1'), ended('r1'), started('r2'), ...reply('a2'));
    expect(await now(first)).toMatchObject({ outcome: 'completed', finish: 'stop', message: { id: 'a1' } });
    expect(await now(second)).toBe(nothing);
  });

  test('has the last reply where it began before the tab opened the session', async () => {
    const log = createLog(initialState('s'), createManualPorts(), () => {});
    log.accept(stamp([added('q'), started('r1'), ...reply('a1')]));
    const result = createRunResults(log, () => false).ofRun('r1');
    log.append(ended('r1'));
    expect(await result).toMatchObject({ message: { id: 'a1' }, finish: 'stop' });
  });

  test('has no reason of its reply unless the run has completed', async () => {
    const { results, together } = stage();
    const result = results.ofRun('r1');
    together(added('q'), started('r1'), ...reply('a1'), ended('r1', 'cancelled'));
    expect(await result).toEqual({ outcome: 'cancelled', message: expect.objectContaining({ id: 'a1' }) });
  });

  test('resolves every promise of the run', async () => {
    const { results, together } = stage();
    const both = [results.ofRun('r1'), results.ofRun('r1')];
    together(started('r1'), ended('r1'));
    expect(await Promise.all(both)).toEqual([{ outcome: 'completed' }, { outcome: 'completed' }]);
  });
});

describe('the result of a queued message', () => {
  test('is that of the run that begins next, whatever lies between', async () => {
    const { results, together } = stage();
    const result = results.ofMessage('m');
    together(queued('m'), added('m'), { type: 'session.renamed', title: 'Otters' });
    expect(await now(result)).toBe(nothing);
    together(started('r1'), ...reply('a1'), ended('r1'));
    expect(await result).toMatchObject({ outcome: 'completed', message: { id: 'a1' } });
  });

  test('is that of the run that ends next, where another tab has added the message to its run', async () => {
    const { results, together } = stage();
    together(started('r1'), queued('m'));
    const result = results.ofMessage('m');
    together(added('m'), ...reply('a1'), ended('r1'), started('r2'));
    expect(await now(result)).toMatchObject({ outcome: 'completed', message: { id: 'a1' } });
  });

  test('is lost with the run of another tab that has answered it', async () => {
    const { results, together } = stage();
    const result = results.ofMessage('m');
    together(queued('m'), added('m'), started('r1'));
    together(started('r2'));
    results.resolveLost(lost);
    expect(await now(result)).toEqual(lost);
  });

  test('is lost with the run of this tab that has taken it', async () => {
    const { log, results, together } = stage({ isDriving: true });
    const result = results.ofMessage('m');
    for (const event of [started('r1'), queued('m'), added('m')]) log.append(event);
    together(started('r2'));
    results.resolveLost(lost);
    expect(await now(result)).toEqual(lost);
  });

  test('is that of the next run where this tab drives none that is open', async () => {
    const { log, results } = stage({ isDriving: true });
    const result = results.ofMessage('m');
    for (const event of [started('r0'), ended('r0'), queued('m'), added('m'), started('r1'), ended('r1', 'cancelled')])
      log.append(event);
    expect(await now(result)).toEqual({ outcome: 'cancelled' });
  });

  test('is cancelled when the message is removed from the queue, and then stays so', async () => {
    const { log, results } = stage();
    const [result, other] = [results.ofMessage('m'), results.ofMessage('n')];
    for (const event of [queued('m'), queued('n')]) log.append(event);
    log.append({ type: 'message.unqueued', messageId: 'm' });
    expect([await now(result), await now(other)]).toEqual([{ outcome: 'cancelled' }, nothing]);
  });

  test('is cancelled when the session is cleared, and later runs have results of their own', async () => {
    const { log, results, together } = stage();
    const waiting = results.ofMessage('n');
    const admitted = results.ofMessage('m');
    log.append(queued('m'));
    log.append(added('m'));
    log.append({ type: 'session.cleared' });
    expect([await now(waiting), await now(admitted)]).toEqual([{ outcome: 'cancelled' }, { outcome: 'cancelled' }]);
    together(added('n'), started('r1'));
    const later = results.ofRun('r1');
    log.append(ended('r1'));
    expect(await now(later)).toMatchObject({ outcome: 'completed' });
  });
});

describe('the result of a message that is sent again', () => {
  test('is that of its new run; the run that was refused has none', async () => {
    const { results, together } = stage();
    const result = results.ofRun('r1');
    results.waitForMessage('r1', 'm');
    results.resolveLost(lost);
    expect(await now(result)).toBe(nothing);
    together(added('m'), started('r2'), ...reply('a2'), ended('r2'));
    expect(await now(result)).toMatchObject({ outcome: 'completed', message: { id: 'a2' } });
  });

  test('is that of its last run where it is sent again twice', async () => {
    const { results, together } = stage();
    const result = results.ofRun('r1');
    results.waitForMessage('r1', 'm');
    results.waitForMessage('r1', 'm');
    together(added('m'), started('r2'), ended('r2', 'cancelled'));
    expect(await now(result)).toEqual({ outcome: 'cancelled' });
  });
});

describe('lost runs', () => {
  test('are resolved, except the last run of the session', async () => {
    const { results, together } = stage();
    const [first, second] = [results.ofRun('r1'), results.ofRun('r2')];
    together(started('r2'));
    results.resolveLost(lost);
    expect([await now(first), await now(second)]).toEqual([lost, nothing]);
  });

  test('are resolved in a session without a run', async () => {
    const { results } = stage();
    const result = results.ofRun('r1');
    results.resolveLost(lost);
    expect(await now(result)).toEqual(lost);
  });
});

test('the end of the session cancels whatever waits', async () => {
  const { log, results } = stage();
  const promises = [results.ofRun('r1'), results.ofMessage('m'), results.ofMessage('n')];
  log.append(added('n'));
  results.close();
  for (const promise of promises) expect(await now(promise)).toEqual({ outcome: 'cancelled' });
});
