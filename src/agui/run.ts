import { Observable } from 'rxjs';
import type { Agent } from '../core/agent/agent.ts';
import { fail, toAgentError } from '../core/error.ts';
import { type Json, type JsonObject, isJsonObject } from '../core/json.ts';
import { copyJson } from '../core/model/copy-json.ts';
import type { Message, ToolPart } from '../core/model/message.ts';
import { toList, toObject, toText } from '../core/model/read-json.ts';
import { brought } from '../core/model/origin.ts';
import { findCall } from '../core/model/find-call.ts';
import { callsAwaitingApproval } from '../core/model/status.ts';
import { browserPorts, type Ports } from '../core/ports.ts';
import type { AgentSession, ChatInput } from '../core/session/session.ts';
import type { AGUIEvent } from './event.ts';
import { type Follow, followed } from './follow.ts';
import { isFrontEndCall, offerFrontEndTools, toFrontEndAnswer } from './front-end-tool.ts';
import { type ForeignMessage, fromAGUIMessages } from './from-messages.ts';
import { toPatch } from './json-patch.ts';
import { aguiWire, foreignId } from './messages.ts';

/** The fields of AG-UI's `RunAgentInput` that an agent reads. `context` and `forwardedProps` are ignored. */
export interface AGUIRunInput {
  /** Id of the session. */
  readonly threadId: string;
  readonly runId: string;
  /** The conversation as the page has it. The session's own messages are kept: only what is new is taken. */
  readonly messages: readonly object[];
  /** The page's own data of the session: an object that is not empty replaces its metadata. */
  readonly state?: unknown;
  /** Tools that the front end runs: `name`, `description`, `parameters` (JSON Schema). Leave them out for callers that may not add tools. */
  readonly tools?: readonly object[];
  /** Answers to the interrupts that ended the run before. */
  readonly resume?: readonly object[];
}

/**
 * Performs one AG-UI run with an agent, and emits its events; the last one is `RUN_FINISHED` or `RUN_ERROR`. Cold. The thread is the session
 * with its id, from memory, from the store, or new.
 *
 * - A new user message at the end of the conversation is sent; one that the session has is answered again (`regenerate`).
 * - `resume` decides the calls that wait: `{ approved, editedArgs?, reason? }` for an approval, the answer for an elicitation. A `cancelled`
 *   entry rejects the call. An entry of another shape changes nothing: no other entry, message or tool of the input is taken. Where a tool
 *   refuses an edited input or an answer, the plain approvals and rejections beside it are not taken.
 * - `tools` are the session's own from then on, in the place of those of the run before. A call of one ends the run; the message with its
 *   result (`role: 'tool'`) continues it in the next run, also after a reload. A new user message without the result rejects the call.
 *
 * Unsubscribing does not cancel the run, as a view that is closed does not: `agent.cancel(threadId)` does. An input that does not fit is a
 * `RUN_ERROR` with the code of the error, `INVALID_INPUT` for example.
 *
 * @example
 * runAGUI(agent, input).subscribe((event) => response.write(`data: ${JSON.stringify(event)}\n\n`));
 */
export function runAGUI(
  agent: Agent,
  input: AGUIRunInput,
  ports: Pick<Ports, 'now'> = browserPorts,
): Observable<AGUIEvent> {
  return toRun(agent, input, ports, async (session, read, follow) => {
    if (session.getStatus() === 'running') fail('SESSION_BUSY', `Session ${session.id} is running: wait for its end.`);
    const waiting = callsAwaitingApproval(session.getState());
    const isWaiting = session.getStatus() === 'waiting';
    const asked = waiting.filter((call) => !isFrontEndCall(call)).map(({ callId }) => callId);
    if (asked.length > 0 || read.resume.length > 0) checkResume(asked, read.resume);
    // Read before anything is done: an entry that does not fit changes nothing.
    const decisions = read.resume.map((entry) => toDecision(waiting, entry));
    offerFrontEndTools(agent, session, read.tools);
    share(session, read.state);
    if (!isWaiting) {
      if (endsWithKnownResult(session, read.messages)) return follow({ isFull: true });
      const answerPrompt = takeMessages(session, read.messages);
      follow();
      return answerPrompt();
    }
    const prompt = newPrompt(session, read.messages);
    const results = resultsOf(read.messages);
    const ours = waiting.filter(isFrontEndCall).map(({ callId }) => callId);
    const missing = ours.filter((callId) => !results.has(callId));
    if (prompt === undefined && read.resume.length === 0 && missing.length === waiting.length)
      fail('INVALID_INPUT', `\`messages\` has no result of the calls ${missing.join(', ')}.`);
    if (prompt) void session.send(toInput(prompt), { whenBusy: 'steer' });
    // The decisions are one answer: their events are emitted when all of them are stored.
    for (const { decide } of refusableFirst(decisions)) await decide(session);
    for (const callId of ours) {
      const result = results.get(callId);
      if (result) await session.answer(callId, toFrontEndAnswer(result));
      else if (prompt) await session.reject(callId, { reason: 'The front end has sent no result.' });
    }
    // The front end has these results already.
    return follow({ without: results });
  });
}

/** Emits the conversation so far, and the rest of the run that is open, as one AG-UI run: for a page that connects to a session. Cold. */
export function connectAGUI(
  agent: Agent,
  input: Pick<AGUIRunInput, 'threadId' | 'runId'>,
  ports: Pick<Ports, 'now'> = browserPorts,
): Observable<AGUIEvent> {
  return toRun(agent, { ...input, messages: [] }, ports, async (_session, _read, follow) => follow({ isFull: true }));
}

interface ReadInput {
  readonly threadId: string;
  readonly runId: string;
  readonly messages: readonly Json[];
  readonly state: Json | undefined;
  readonly tools: Json | undefined;
  readonly resume: readonly JsonObject[];
}

/** @throws AgentError `INVALID_INPUT` */
function readInput(input: AGUIRunInput): ReadInput {
  const { threadId, runId, messages, state, tools, resume } = toObject(
    copyJson<unknown>(input, 'The input of the run', 'INVALID_INPUT'),
  );
  if (toText(threadId) === '' || toText(runId) === '')
    return fail('INVALID_INPUT', 'The input of the run needs a threadId and a runId.');
  return {
    threadId: toText(threadId),
    runId: toText(runId),
    messages: toList(messages),
    state,
    tools,
    resume: toList(resume).map(toObject),
  };
}

type Act = (session: AgentSession, input: ReadInput, follow: Follow) => Promise<void>;

function toRun(agent: Agent, given: AGUIRunInput, { now }: Pick<Ports, 'now'>, act: Act): Observable<AGUIEvent> {
  return new Observable((subscriber) => {
    let isStarted = false;
    const emit = (event: AGUIEvent): void => {
      isStarted ||= event.type === 'RUN_STARTED';
      subscriber.next(event);
      if (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR') subscriber.complete();
    };
    const run = async (): Promise<void> => {
      const input = readInput(given);
      const session = agent.getSession(input.threadId) ?? (await agent.openSession(input.threadId, { create: true }));
      await act(session, input, followed(session, input, subscriber, emit));
    };
    run().catch((thrown: unknown) => {
      const { message, code } = toAgentError(thrown);
      const { threadId, runId } = given;
      const timestamp = now();
      if (!isStarted) emit({ type: 'RUN_STARTED', threadId: toText(threadId), runId: toText(runId), timestamp });
      emit({ type: 'RUN_ERROR', message, code, timestamp });
    });
  });
}

/** @throws AgentError `INVALID_INPUT` where the entries are not one answer to each call that waits */
function checkResume(waiting: readonly string[], resume: readonly JsonObject[]): void {
  const answered = new Set(resume.map(({ interruptId }) => toText(interruptId)));
  const missing = waiting.filter((id) => !answered.has(id));
  if (missing.length > 0) fail('INVALID_INPUT', `\`resume\` has no entry for the interrupts ${missing.join(', ')}.`);
  const unknown = [...answered].filter((id) => !waiting.includes(id));
  if (unknown.length > 0) fail('INVALID_INPUT', `There is no open interrupt ${unknown.join(', ').slice(0, 200)}.`);
  if (answered.size < resume.length) fail('INVALID_INPUT', '`resume` has two entries for one interrupt: send one.');
}

/** What decides one call. */
interface Decision {
  readonly decide: (session: AgentSession) => Promise<void>;
  /** Whether the tool may refuse it: an answer, or an edited input. */
  readonly isRefusable?: true;
}

/** Puts what a tool may refuse before the rest: after a refusal none of the rest is decided. */
function refusableFirst(decisions: readonly Decision[]): readonly Decision[] {
  return [
    ...decisions.filter(({ isRefusable }) => isRefusable),
    ...decisions.filter(({ isRefusable }) => !isRefusable),
  ];
}

/**
 * Returns what decides a call as an entry of `resume` states.
 *
 * @throws AgentError `INVALID_INPUT` for a payload that neither approves nor rejects, and for `editedArgs` that are no object
 */
function toDecision(waiting: readonly ToolPart[], { interruptId, status, payload = null }: JsonObject): Decision {
  const callId = toText(interruptId);
  if (status !== 'resolved') return { decide: (session) => session.reject(callId) };
  const call = waiting.find((one) => one.callId === callId);
  if (call?.approval?.elicitation) return { decide: (session) => session.answer(callId, payload), isRefusable: true };
  const { approved, editedArgs, reason } = toObject(payload);
  if (approved === false || payload === false)
    return { decide: (session) => session.reject(callId, toText(reason) === '' ? {} : { reason: toText(reason) }) };
  if (approved !== true && payload !== true)
    return fail('INVALID_INPUT', `The payload for ${callId} must have \`approved\`, true or false.`);
  if (editedArgs === undefined || editedArgs === null) return { decide: (session) => session.approve(callId) };
  // A person has edited the input: the call must not run with another one.
  if (!isJsonObject(editedArgs)) return fail('INVALID_INPUT', `\`editedArgs\` for ${callId} must be an object.`);
  return { decide: (session) => session.approve(callId, { input: editedArgs }), isRefusable: true };
}

function share(session: AgentSession, state: Json | undefined): void {
  // A page without a state of its own sends an empty one.
  if (!isJsonObject(state) || Object.keys(state).length === 0) return;
  if (toPatch(session.getState().metadata ?? {}, state).length > 0) session.setMetadata(state);
}

function findKnown(session: AgentSession, id: string): Message | undefined {
  return session.getMessages().find((message) => message.id === id || foreignId(message) === id);
}

function toInput({ id, content }: ForeignMessage): ChatInput {
  return brought({ content, metadata: { [aguiWire]: { messageId: id } } }, { type: 'agent' });
}

/** Returns a message that came with the answers to interrupts or the results of calls. */
function newPrompt(session: AgentSession, given: readonly Json[]): ForeignMessage | undefined {
  const last = fromAGUIMessages(given).at(-1);
  return last?.role === 'user' && !findKnown(session, last.id) ? last : undefined;
}

/** Returns the messages with results of calls, by the id of the call. */
function resultsOf(given: readonly Json[]): ReadonlyMap<string, JsonObject> {
  const results = given.map(toObject).filter(({ role }) => role === 'tool');
  return new Map(results.map((result) => [toText(result.toolCallId), result]));
}

/**
 * Returns whether the conversation ends with the result of a call that the session has, as when a request is repeated.
 *
 * @throws AgentError `INVALID_INPUT` for the result of a call that the session does not have
 */
function endsWithKnownResult(session: AgentSession, given: readonly Json[]): boolean {
  const { role, toolCallId } = toObject(given.at(-1));
  if (role !== 'tool') return false;
  if (findCall(session.getState(), toText(toolCallId))) return true;
  return fail('INVALID_INPUT', `The thread has no call ${toText(toolCallId).slice(0, 200)}: the agent needs a store.`);
}

/** Adds what the page has before its prompt, and returns what answers the prompt. */
function takeMessages(session: AgentSession, given: readonly Json[]): () => void {
  const isEmpty = session.getMessages().length === 0;
  const messages = fromAGUIMessages(given);
  const place = messages.findLastIndex(({ role }) => role === 'user');
  const prompt = messages[place];
  if (prompt === undefined) return fail('INVALID_INPUT', 'The conversation has no message of the user.');
  const same = findKnown(session, prompt.id);
  if (same) return () => void session.regenerate(same.id);
  // The ids of replies differ between the page and the session: a session with messages has them already.
  const isNew = ({ id, role }: ForeignMessage): boolean => isEmpty || (role === 'user' && !findKnown(session, id));
  for (const message of messages.slice(0, place).filter(isNew)) session.addMessage(brought(message, { type: 'agent' }));
  return () => void session.send(toInput(prompt));
}
