import type { LLMClient, LLMRequest } from 'brooklet';
import { createScriptedClient, reply, type Script } from 'brooklet/testing';
import { Observable } from 'rxjs';
import type { Device } from '../device.ts';
import type { Sent } from '../provider.ts';
import type { Random } from '../random.ts';

/** The levels of a tree, that of the root first. */
const levels = ['root', 'middle', 'leaf'] as const;
export type Level = (typeof levels)[number];

/** What the model of each level may call: agents of the next level, and tools of test/simulation/tools.ts. */
export const callable: Readonly<Record<Level, readonly string[]>> = {
  root: ['middle', 'middle', 'middle', 'gated', 'slow'],
  middle: ['leaf', 'leaf', 'gated', 'quick'],
  leaf: ['gated', 'gated', 'gatedSlow', 'slow', 'again', 'againGated'],
};

/** How the models of one play behave. */
export interface Manner {
  /** Percent of the answers that fail or are cut. */
  readonly failures: number;
  /** Percent of the later answers of a run that are calls again. */
  readonly again: number;
  /** Calls of a first answer, at most. */
  readonly width: number;
  /** ms before each answer. */
  readonly pace: number;
}

export const mannerOf = (random: Random): Manner => ({
  failures: random.oneOf([0, 0, 5, 15]),
  again: random.oneOf([5, 20]),
  width: random.oneOf([1, 2, 3]),
  pace: random.oneOf([1, 60, 800]),
});

/** The limit of each answer, and so its highest cost. */
export const mostOutput = 10;

function answerOf(level: Level, { messages, sessionId }: LLMRequest, random: Random, manner: Manner): Script {
  const before = reply.wait(random.between(0, manner.pace));
  const usage = reply.usage(1, random.between(1, mostOutput));
  const isFirst = messages.at(-1)?.role === 'user';
  const text = reply.text(`${level} ${sessionId} is done`);
  if (random.chance(manner.failures / 100))
    return random.chance(0.5) ? [before, text, reply.cut()] : [before, reply.fail('LLM_API_ERROR')];
  if (!random.chance(isFirst ? 0.9 : manner.again / 100)) return [before, text, usage];
  const calls = Array.from({ length: random.between(1, manner.width) }, () =>
    reply.call(random.oneOf(callable[level]), '{"task":"Go."}'),
  );
  return [before, ...calls, usage];
}

/** Creates the client of one level in a tab. @param observe is called with each request before it is answered */
export function createModel(
  level: Level,
  device: Device,
  random: Random,
  manner: Manner,
  observe: (request: LLMRequest) => Sent,
): LLMClient {
  const client = createScriptedClient((request) => answerOf(level, request, random, manner), {
    delay: device.ports.delay,
  });
  return {
    sendRequest: (request) =>
      new Observable((subscriber) => {
        const sent = observe(request);
        subscriber.add(client.sendRequest(request).subscribe(subscriber));
        subscriber.add(() => (sent.isOpen = false));
      }),
  };
}
