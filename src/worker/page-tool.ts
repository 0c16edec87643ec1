import { map } from 'rxjs';
import { type AgentError, toAgentError } from '../core/error.ts';
import { defined, isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import type { EventBody } from '../core/model/event.ts';
import type { ToolPart } from '../core/model/message.ts';
import { asQuestion } from '../core/tools/ask-person.ts';
import { type DecideEnv, decide } from '../core/tools/decide.ts';
import { execute } from '../core/tools/execute.ts';
import { engine, type Tool } from '../core/tools/tool.ts';
import type { CheckedInput, CheckedTool } from '../core/tools/tool-types.ts';
import type { HostPage, HostPages } from './host-pages.ts';
import type { CallAnswer, ToolOffer, ToolWait } from './protocol.ts';

/**
 * Returns a tool of the worker that runs in a page: schema, questions and `execute` are those of the page. Without a page a call waits before it
 * is decided, so that a worker that ends meanwhile leaves a call that has not started.
 *
 * Invariant: a call runs in one page. Where that page is gone before it has answered, the call is `uncertain`: only an `idempotent` tool runs again.
 *
 * @param ms that a call waits for a page
 */
export function createPageTool(offer: ToolOffer, pages: HostPages, ms: number): Tool {
  const { name, description, inputSchema, version, idempotent, exclusive, followUp } = offer;
  const { server, timeout, approvalTimeout, maxOutput } = offer;
  /** The calls that were sent to a page which is gone. */
  const lost = new Set<string>();
  const late = `No page is open that has the tool ${name}: it waited for ${Math.round(ms / 1_000)} s.`;
  const offers = ({ tools }: HostPage): boolean => tools.some((one) => one.name === name && one.version === version);

  const find = (wait?: ToolWait, signal?: AbortSignal): Promise<HostPage> =>
    pages.find(offers, { ms, late, wait, signal });

  /** Never rejects. @param fail called where no page has come in time */
  async function check(
    input: JsonObject,
    wait: ToolWait,
    fail: (error: AgentError) => void,
  ): Promise<CheckedInput | { readonly problem: string }> {
    try {
      const checked = await askPage((page) => page.channel.ask('check', { name, version, input }), wait);
      return checked.problem === undefined ? toChecked(input, checked) : { problem: checked.problem };
    } catch (thrown) {
      const error = toAgentError(thrown);
      fail(error);
      return { ...toChecked(input, { needsApproval: true }), execute: () => Promise.reject(error) };
    }
  }

  /** Asks a page what has no effect, and the next one where that page is closed meanwhile. */
  async function askPage<T>(ask: (page: HostPage) => Promise<T>, wait?: ToolWait): Promise<T> {
    for (;;) {
      const page = await find(wait);
      try {
        return await ask(page);
      } catch (thrown) {
        if (!page.channel.isClosed()) throw thrown;
      }
    }
  }

  function toChecked(
    input: JsonObject,
    { needsApproval, elicitation }: { readonly needsApproval: boolean; readonly elicitation?: JsonObject },
  ): CheckedInput {
    let answered: CallAnswer | undefined;
    return {
      needsApproval: async () => needsApproval,
      elicitation: () => elicitation,
      async checkAnswer(answer = null) {
        const problem = await problemOf(input, answer, elicitation);
        return problem === undefined ? { value: answer } : { problem };
      },
      async execute({ signal, sessionId, callId, idempotencyKey, attempt, progress, answer, state }) {
        const page = await find({ sessionId, callId, name }, signal);
        const call = {
          name,
          version,
          input,
          sessionId,
          callId,
          idempotencyKey,
          attempt,
          ...defined({ answer, state }),
        };
        try {
          answered = await page.channel.ask('call', call, { signal, onNote: progress });
          return answered.question ? asQuestion(answered.question) : answered.output;
        } catch (thrown) {
          if (page.channel.isClosed()) lost.add(callId);
          throw thrown;
        }
      },
      present: () => (answered ? defined({ summary: answered.summary, details: answered.details }) : {}),
      requiresFollowUp: () => answered?.requiresFollowUp,
    };
  }

  async function problemOf(input: JsonObject, answer: Json, elicitation?: JsonObject): Promise<string | undefined> {
    const argument = { name, version, input, answer, ...defined({ elicitation }) };
    return (await askPage((page) => page.channel.ask('checkAnswer', argument))) ?? undefined;
  }

  const checkedFor = (
    sessionId: string,
    callId: string,
    fail: (error: AgentError) => void = () => {},
  ): CheckedTool => ({
    name,
    version,
    check: (input) => check(input, { sessionId, callId, name }, fail),
    ...defined({ server, timeout, approvalTimeout, maxOutput }),
  });

  async function decideInPage(call: ToolPart, env: DecideEnv): Promise<readonly EventBody[]> {
    const { callId } = call;
    let late: AgentError | undefined;
    const events = await decide(
      call,
      checkedFor(env.sessionId, callId, (error) => (late = error)),
      env,
    );
    return late ? [{ type: 'call.ended', callId, outcome: 'invalid', output: `Not run: ${late.message}` }] : events;
  }

  function markLost(event: EventBody): EventBody {
    if (event.type !== 'call.ended' || !lost.delete(event.callId)) return event;
    const output =
      'The page that ran the call was closed before it had a result: whether the call has had an effect is not known.';
    return { type: 'call.ended', callId: event.callId, outcome: 'uncertain', output };
  }

  return {
    name,
    description,
    inputSchema,
    ...defined({ idempotent, exclusive, followUp }),
    [engine]: {
      ...checkedFor('', ''),
      checkAnswer: (answer, { input = {}, approval }) =>
        problemOf(input, answer, isJsonObject(approval?.elicitation) ? approval.elicitation : undefined),
      decide: decideInPage,
      execute: (call, env) => execute(call, checkedFor(env.sessionId, call.callId), env).pipe(map(markLost)),
    },
  };
}
