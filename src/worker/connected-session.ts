import { fail, fromErrorInfo, toAgentError } from '../core/error.ts';
import { defined } from '../core/json.ts';
import { promptToAnswer } from '../core/model/commands.ts';
import { findCall } from '../core/model/find-call.ts';
import { brought, broughtAs, broughtBy } from '../core/model/origin.ts';
import { isUnderWay } from '../core/model/status.ts';
import type { Ports } from '../core/ports.ts';
import { readAnswer, readChatInput, readDecision, readId, readSendOptions } from '../core/session/read-arguments.ts';
import { readRunOptions } from '../core/session/run-settings.ts';
import type { AgentSession, ChatInput, RunOptions, RunResult, SendOptions } from '../core/session/session.ts';
import { toEdited } from '../core/session/to-edited.ts';
import type { Connection } from './connection.ts';
import type { DecisionVerb, Place, PlainOptions, RunVerb } from './protocol.ts';
import { reached } from './reached.ts';

/** A session of a page whose runs a worker drives. Reading is that of every tab; the verbs of runs go to the worker. */
export interface ConnectedSession extends AgentSession {
  /** As `send`, with copies that were checked already. */
  sendCopy(input: ChatInput, options: SendOptions): Promise<RunResult>;
  /** Resumes this run, once among all pages, after its worker has ended. */
  resumeCut(runId: string): void;
  /**
   * Stores the messages that are on their way to a worker which may end with this page, with an interrupted run: to be called when the page is
   * left, before the session itself is. Where the worker has stored such a message meanwhile, the store refuses this one.
   */
  keepUnsent(): void;
}

interface SessionLink {
  readonly connection: Connection;
  readonly ports: Pick<Ports, 'id' | 'delay'>;
  readonly instructions: string | undefined;
}

/** A message on its way to the worker. */
interface Delivery {
  readonly id: string;
  readonly request: RunVerb;
  /** Answers the message, where this page drives. */
  readonly here: () => Promise<RunResult>;
  /** Stores the message in this page within the call, which is left. */
  readonly keep: () => Promise<RunResult>;
  readonly signal: AbortSignal | undefined;
}

/** @param local the session that follows, and that drives where no worker does */
export function createConnectedSession(
  local: AgentSession,
  { connection, ports, instructions }: SessionLink,
): ConnectedSession {
  const { id: sessionId } = local;
  const isHere = (): boolean => connection.getStatus().state === 'page';
  /** Cancels that the worker has not answered. */
  let cancels = 0;
  /** `keep` of the messages that the worker has not answered, by their ids. */
  const unanswered = new Map<string, Delivery['keep']>();

  const place = (): Place => ({ sessionId, seq: local.getState().seq, ...defined({ instructions }) });

  /** The worker reads what the page has stored. What cannot be stored stays in the page, and is in `getStorage()`. */
  async function stored(): Promise<void> {
    await local.flushed().catch(() => {});
    if (local.getStorage().state === 'memory') connection.giveUp('no-store');
  }

  /**
   * Lets the worker begin a run; without one, this page does.
   *
   * @param isRepeatable whether it may be asked again after the worker has ended without an answer
   */
  async function run(
    request: RunVerb,
    here: () => Promise<RunResult>,
    {
      signal,
      isRepeatable = false,
    }: { readonly signal?: AbortSignal | undefined; readonly isRepeatable?: boolean } = {},
  ): Promise<RunResult> {
    for (;;) {
      if ((await connection.place()) !== undefined) await stored();
      const channel = await connection.place();
      if (channel === undefined) return here();
      try {
        const { seq, error, ...result } = await channel.ask('run', { ...place(), ...request }, { signal });
        await reached(local, seq, ports);
        const message =
          result.message && (local.getMessages().find(({ id }) => id === result.message?.id) ?? result.message);
        return { ...result, ...defined({ message, error: error && fromErrorInfo(error) }) };
      } catch (thrown) {
        const error = toAgentError(thrown);
        if (!channel.isClosed() || connection.getStatus().state === 'disconnected') throw error;
        if (!isRepeatable) return { outcome: 'interrupted', error };
      }
    }
  }

  async function decide(request: DecisionVerb, here: () => Promise<void>): Promise<void> {
    let isRepeated = false;
    for (;;) {
      if ((await connection.place()) !== undefined) await stored();
      const channel = await connection.place();
      if (channel === undefined) return here();
      try {
        const { seq } = await channel.ask('decide', { ...place(), ...request });
        return await reached(local, seq, ports);
      } catch (thrown) {
        const error = toAgentError(thrown);
        if (!channel.isClosed()) {
          // The worker that has ended had stored the decision.
          if (isRepeated && error.code === 'CALL_NOT_PENDING' && isDecidedAs(request)) return;
          throw error;
        }
        if (connection.getStatus().state === 'disconnected') throw error;
        isRepeated = true;
      }
    }
  }

  function isDecidedAs({ callId, verb }: DecisionVerb): boolean {
    const verdict = findCall(local.getState(), callId)?.call.approval?.verdict;
    return verdict === (verb === 'reject' ? 'rejected' : 'approved');
  }

  function checkIdle(): void {
    if (isUnderWay(local.getStatus()) && cancels === 0)
      fail('SESSION_BUSY', 'An answer is under way in this conversation. Wait for its end, or stop it.');
  }

  /** Whether the page has read that the worker has a message. */
  function isThere(id: string): boolean {
    const { messages, queue } = local.getState();
    return [...messages, ...queue.map(({ message }) => message)].some((one) => one.id === id);
  }

  /** Lets the worker answer a message, once. Where the page drives it does so itself, unless the worker had the message before it ended. */
  function deliver({ id, request, here, keep, signal }: Delivery): Promise<RunResult> {
    const again = (): Promise<RunResult> =>
      isThere(id) ? Promise.resolve({ outcome: local.getState().run?.outcome ?? 'interrupted' }) : here();
    unanswered.set(id, keep);
    return run(request, again, { signal, isRepeatable: true }).finally(() => unanswered.delete(id));
  }

  function sendCopy(input: ChatInput, given: SendOptions): Promise<RunResult> {
    const { id = ports.id() } = input;
    const { whenBusy = 'refuse', signal, ...rest } = given;
    if (whenBusy === 'refuse') checkIdle();
    const options = plain(rest);
    const origin = broughtBy(input);
    const message = brought({ ...input, id }, origin);
    return deliver({
      id,
      request: { verb: 'send', input: { ...input, id }, origin, options: { ...options, whenBusy } },
      here: () => local.send(message, given),
      keep: async () => local.send(message, { ...options, whenBusy: 'queue' }),
      signal,
    });
  }

  function editCopy(messageId: string, edited: string | ChatInput, given: RunOptions): Promise<RunResult> {
    const { signal, ...rest } = given;
    const options = plain(rest);
    const { input, origin } = toEdited(promptToAnswer(local.getState(), messageId), edited);
    const { id = ports.id() } = input;
    const message = brought({ ...input, id }, origin);
    return deliver({
      id,
      request: { verb: 'edit', messageId, input: { ...input, id }, origin, options },
      here: () => local.edit(messageId, message, given),
      keep: () => local.edit(messageId, message, options),
      signal,
    });
  }

  function keepUnsent(): void {
    const status = connection.getStatus();
    if (status.state === 'worker' && status.outlives === 'pages') return;
    // Refused: what the page lacks, the worker has.
    for (const [id, keep] of unanswered) if (!isThere(id)) keep().catch(() => {});
  }

  function cancel(): void {
    const channel = connection.channel();
    if (channel === undefined) return local.cancel();
    cancels++;
    channel
      .ask('cancel', place())
      // The worker has ended, and so has the run: the log says so.
      .catch(() => local.cancel())
      .finally(() => cancels--);
  }

  return {
    ...local,
    send(input, options = {}) {
      if (isHere()) return local.send(input, options);
      return sendCopy(brought(readChatInput(input), broughtBy(input)), readSendOptions(options));
    },
    sendCopy: (input, options) => (isHere() ? local.send(input, options) : sendCopy(input, options)),
    keepUnsent,
    cancel,
    terminate: cancel,
    resume(given = {}) {
      if (isHere()) return local.resume(given);
      checkIdle();
      const { signal, ...options } = readRunOptions(given, 'resume');
      const runId = local.getState().run?.id;
      return run({ verb: 'resume', runId, options: plain(options) }, () => local.resume(given), { signal });
    },
    resumeCut(runId) {
      run({ verb: 'resume', runId, options: {} }, () => local.resume()).catch(() => {
        // Another page was first, or the worker lacks an option of the run: a person resumes it.
      });
    },
    regenerate(messageId, given = {}) {
      if (isHere()) return local.regenerate(messageId, given);
      checkIdle();
      const { signal, ...options } = readRunOptions(given, 'regenerate');
      const asked = messageId === undefined ? undefined : readId(messageId, 'The id of the message');
      const request = { verb: 'regenerate', messageId: asked, options: plain(options) } as const;
      return run(request, () => local.regenerate(messageId, given), { signal });
    },
    async edit(messageId, input, given = {}) {
      if (isHere()) return local.edit(messageId, input, given);
      const edited = typeof input === 'string' ? input : broughtAs(readChatInput(input), input);
      return editCopy(readId(messageId, 'The id of the message'), edited, readRunOptions(given, 'edit'));
    },
    compact() {
      if (isHere()) return local.compact();
      checkIdle();
      return run({ verb: 'compact' }, () => local.compact());
    },
    async approve(callId, given = {}) {
      const options = readDecision(given, 'approve');
      return decide({ verb: 'approve', callId: readId(callId, 'The id of the call'), options: driven(options) }, () =>
        local.approve(callId, options),
      );
    },
    async reject(callId, given = {}) {
      const options = readDecision(given, 'reject');
      return decide({ verb: 'reject', callId: readId(callId, 'The id of the call'), options: driven(options) }, () =>
        local.reject(callId, options),
      );
    },
    async answer(callId, answer, given = {}) {
      const options = readDecision(given, 'answer');
      const [copy, asked] = [readAnswer(answer), readId(callId, 'The id of the call')];
      return decide({ verb: 'answer', callId: asked, answer: copy, options: driven(options) }, () =>
        local.answer(callId, copy, options),
      );
    },
  };
}

/** The worker drives what is decided. */
function driven<Options extends { readonly drive?: boolean }>({
  drive: _drive,
  ...options
}: Options): Omit<Options, 'drive'> {
  return options;
}

/** @throws AgentError `INVALID_INPUT` for an option that lives in the page */
function plain({ client, scratch, signal: _signal, tools, ...options }: RunOptions): PlainOptions {
  const live = client ? 'client' : scratch ? 'scratch' : undefined;
  if (live)
    fail('INVALID_INPUT', `A run in a worker takes no \`${live}\` of a page: give it to the agent in \`create\`.`);
  const names = tools?.map((tool) => (typeof tool === 'string' ? tool : tool.name));
  return { ...options, ...defined({ tools: names }) };
}
