import { AgentError, type LLMClient, type LLMRequest } from 'brooklet';
import { createScriptedClient, reply, type Script, type ScriptStep } from 'brooklet/testing';
import { Observable } from 'rxjs';
import type { Device } from './device.ts';
import type { Random } from './random.ts';
import { toolNames } from './tools.ts';

/** A request that a tab has sent. */
export interface Sent {
  readonly device: Device;
  readonly request: LLMRequest;
  /** Id of the reply that the request begins; `undefined` for a summary. */
  readonly messageId: string | undefined;
  isOpen: boolean;
}

const words = 'the quick brown fox jumps over the lazy dog and runs away from there'.split(' ');

/** How the model of one play behaves. */
export interface Manner {
  /** Tools that it knows. */
  readonly tools: readonly string[];
  /** Percent of its answers that are calls, and that fail. */
  readonly calls: number;
  readonly failures: number;
  /** Whether it refuses requests as too long: an agent that knows the window compacts the conversation then. */
  readonly hasWindow: boolean;
}

export const mannerOf = (random: Random, hasWindow = false): Manner => ({
  hasWindow,
  tools: [
    ...Array.from({ length: random.between(1, 4) }, () => random.oneOf(toolNames)),
    random.oneOf(['unknown', 'gated', 'slow']),
  ],
  calls: random.oneOf([20, 50, 80]),
  failures: random.oneOf([0, 8, 25]),
});

/** Returns a random answer of the model: text, calls, errors, a cut stream, silence. */
function answerOf(random: Random, manner: Manner): Script {
  const pace = { ms: random.oneOf([0, 1, 15, 60, 250]) };
  const text = (): ScriptStep =>
    random.chance(0.15)
      ? reply.text('x'.repeat(2_100), pace)
      : reply.text(Array.from({ length: random.between(1, 8) }, () => random.oneOf(words)).join(' '), pace);
  const calls = (): Script =>
    Array.from({ length: random.between(1, 3) }, () =>
      reply.call(
        random.oneOf(manner.tools),
        random.oneOf(['{"n":1}', '{"n":2}', '{}', '{}', '{"n":3}', '{"n":4}', '{"n":', '{"n":"x"}']),
      ),
    );
  const rare = random.below(7);
  if (!random.chance(manner.failures / 100)) {
    if (random.chance(manner.calls / 100)) return [...(random.chance(0.4) ? [text()] : []), ...calls()];
    return random.chance(0.7) ? [text()] : [reply.reasoning('Hm, let me see.', pace), text(), reply.usage(10, 20)];
  }
  if (rare === 0) return [reply.fail(manner.hasWindow ? 'CONTEXT_OVERFLOW' : 'OVERLOADED')];
  if (rare === 1) return [text(), reply.cut()];
  if (rare === 2) return [text(), ...calls(), reply.cut()];
  if (rare === 3) return [];
  if (rare === 4) return [reply.wait(random.between(3_000, 20_000)), text()];
  if (rare === 5) return [text(), reply.finish('length')];
  return [text(), reply.fail('LLM_API_ERROR')];
}

/** Creates the client of a tab. @param observe is called with each request before it is answered */
export function createProvider(
  device: Device,
  random: Random,
  manner: Manner,
  observe: (request: LLMRequest) => Sent,
): LLMClient {
  const client = createScriptedClient(() => answerOf(random, manner), { delay: device.ports.delay });
  return {
    sendRequest: (request) =>
      new Observable((subscriber) => {
        const sent = observe(request);
        subscriber.add(client.sendRequest(request).subscribe(subscriber));
        subscriber.add(() => (sent.isOpen = false));
        // A page in the page cache keeps no connection.
        const lost = new AgentError('The connection was closed.', { code: 'NETWORK_ERROR' });
        subscriber.add(device.listen('pageshow', () => subscriber.error(lost)));
      }),
  };
}
