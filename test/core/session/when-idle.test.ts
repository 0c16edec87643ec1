import { expect, test } from 'vitest';
import { createLog } from '../../../src/core/log/log.ts';
import { initialState } from '../../../src/core/model/state.ts';
import { doWhenIdle } from '../../../src/core/session/when-idle.ts';
import { settled } from '../../support/manual-client.ts';
import { createManualPorts } from '../../support/ports.ts';

/** A log with a run, and how often its status has been watched: more than a few times is a loop that would not end. */
function running() {
  const log = createLog(initialState('s'), createManualPorts(), () => {});
  log.append({ type: 'run.started', runId: 'r' });
  let views = 0;
  const watched: typeof log = {
    ...log,
    view(select) {
      if (++views > 9) throw new Error('The status is watched again and again.');
      return log.view(select);
    },
  };
  return { log, watched };
}

test('work waits for the end of the run, and of the run that began in the same turn', async () => {
  const { log, watched } = running();
  let done = 0;
  const worked = doWhenIdle(watched, () => ++done);
  await settled();
  log.append({ type: 'run.ended', runId: 'r', outcome: 'completed' });
  log.append({ type: 'run.started', runId: 's' });
  await settled();
  expect(done).toBe(0);
  log.append({ type: 'run.ended', runId: 's', outcome: 'completed' });
  expect(await worked).toBe(1);
});

test('work that waits in a log that is closed is done once, and nothing waits any more', async () => {
  const { log, watched } = running();
  const worked = doWhenIdle(watched, () => 'done');
  log.close();
  expect(await worked).toBe('done');
});
