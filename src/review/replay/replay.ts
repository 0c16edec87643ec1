import { named, type OptionNames } from '../../core/model/shapes/named.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { checkLog } from './check-log.ts';
import type { Replayed, ReplayOptions } from './options.ts';
import { createReplay } from './create-replay.ts';
import { moveLater } from './late-messages.ts';

const replayNames: OptionNames<ReplayOptions> = {
  instructions: true,
  presets: true,
  tools: true,
  model: true,
  temperature: true,
  maxTokens: true,
  providerParams: true,
  maxMessages: true,
  maxSteps: true,
  budget: true,
  stopWhen: true,
  contextWindow: true,
  autoCompress: true,
  context: true,
  needsApproval: true,
  present: true,
  formatRejection: true,
  client: true,
  toolResults: true,
};

/**
 * Runs the agent again as a log says that it ran: with the recorded answers of the model, the recorded messages, decisions and cancels at their
 * places in the log, and the recorded times. No request is sent and no time passes. Without `tools`, stand-ins return the recorded results.
 *
 *     await replay(stored.events, { instructions, tools, toolResults: 'recorded' });
 *
 * @param log all events of one session, in the order of `seq`
 * @returns what was repeated: the log and the replay are the same
 *
 * Rejects with `ReplayError` at the first request that is not the same byte for byte, the first call and the first message that differ, and at
 * the first event that cannot be replayed.
 */
export async function replay(log: readonly SessionEvent[], options: ReplayOptions = {}): Promise<Replayed> {
  named(options, replayNames, 'replay');
  let events = checkLog(log);
  for (;;) {
    const attempt = createReplay(events, options);
    try {
      return await attempt.play();
    } catch (error) {
      const early = attempt.getEarly();
      const moved = early && moveLater(events, early);
      if (moved === undefined) throw error;
      events = moved;
    }
  }
}
