import type { Agent } from '../core/agent/agent.ts';
import { fail, toErrorInfo } from '../core/error.ts';
import { defined } from '../core/json.ts';
import { when } from '../core/log/current.ts';
import { brought } from '../core/model/origin.ts';
import { isUnderWay } from '../core/model/status.ts';
import type { Ports } from '../core/ports.ts';
import type { AgentSession, RunResult } from '../core/session/session.ts';
import type { DecisionVerb, HostVerbs, Place, RunAnswer, RunVerb } from './protocol.ts';
import { reached } from './reached.ts';

/**
 * Returns the verbs by which pages begin and continue runs in this worker.
 *
 * @param open returns a session of the worker's agent
 */
export function createHostVerbs(
  openSession: (place: Place) => ReturnType<Agent['openSession']>,
  ports: Pick<Ports, 'delay'>,
): Pick<HostVerbs, 'run' | 'decide' | 'cancel' | 'watch'> {
  /** The session, which has read what the page has stored. */
  async function open(place: Place): Promise<AgentSession> {
    const session = await openSession(place);
    if (session.getState().seq < place.seq) await reached(session, place.seq, ports);
    return session;
  }

  function begin(session: AgentSession, request: RunVerb, signal: AbortSignal): Promise<RunResult> {
    switch (request.verb) {
      case 'send': {
        const { input, origin, options } = request;
        return isKnown(session, input.id)
          ? resultOf(session)
          : session.send(brought(input, origin), { ...options, signal });
      }
      case 'resume': {
        const { run } = session.getState();
        if (request.runId !== undefined && run?.id !== request.runId && !isUnderWay(session.getStatus()))
          fail('NOTHING_TO_RESUME', 'Another page has resumed the run already.');
        return session.resume({ ...request.options, signal });
      }
      case 'regenerate':
        return session.regenerate(request.messageId, { ...request.options, signal });
      case 'edit': {
        const { messageId, input, origin, options } = request;
        return isKnown(session, input.id)
          ? resultOf(session)
          : session.edit(messageId, brought(input, origin), { ...options, signal });
      }
      case 'compact':
        return session.compact();
    }
  }

  async function answer(session: AgentSession, { error, ...result }: RunResult): Promise<RunAnswer> {
    // What cannot be stored is in `getStorage()`, here and in the error of the run.
    await session.flushed().catch(() => {});
    return { ...result, ...defined({ error: error && toErrorInfo(error) }), seq: session.getState().seq };
  }

  async function decide(session: AgentSession, request: DecisionVerb): Promise<void> {
    const { callId } = request;
    if (request.verb === 'approve') await session.approve(callId, request.options);
    else if (request.verb === 'reject') await session.reject(callId, request.options);
    else await session.answer(callId, request.answer, request.options);
  }

  return {
    async run(request, { signal }) {
      const session = await open(request);
      return answer(session, await begin(session, request, signal));
    },
    async decide(request) {
      const session = await open(request);
      await decide(session, request);
      return { seq: session.getState().seq };
    },
    async cancel(place) {
      (await open(place)).cancel();
      return null;
    },
    async watch(place) {
      await open(place);
      return null;
    },
  };
}

/** Whether the session has the message, or its queue has: the page asks again because it has missed the answer. */
function isKnown({ getState }: AgentSession, messageId: string): boolean {
  const { messages, queue } = getState();
  return messages.some(({ id }) => id === messageId) || queue.some(({ message }) => message.id === messageId);
}

/** The result of a run that has begun before. */
async function resultOf({ status$, getState }: AgentSession): Promise<RunResult> {
  await when(status$, (status) => !isUnderWay(status));
  const { run, messages } = getState();
  const message = messages.findLast(({ role }) => role === 'assistant');
  return { outcome: run?.outcome ?? 'interrupted', ...defined({ message }) };
}
