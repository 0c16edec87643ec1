import { named } from '../../core/model/shapes/named.ts';
import { defined } from '../../core/json.ts';
import type { EventBody } from '../../core/model/event.ts';
import { engine, type Tool } from '../../core/tools/tool.ts';
import { isHarmless, type TrustOptions } from './trust-options.ts';
import { untrustedContent } from './untrusted-content.ts';

/**
 * Returns the tools with a rule against prompt injection: once the model has read untrusted content, a call that may write, send or spend waits
 * for a person, whatever the tool or an approval rule says; `approval.cause` is `untrusted`. The rule follows from the log and guesses nothing:
 * the page states which tools it trusts, and every other tool counts as untrusted and as one that acts.
 *
 *     const agent = createAgent({ client, tools: holdAfterUntrusted([clockTool(), fetchTool({ origins }), payTool], { trusted: ['pay'] }) });
 */
export function holdAfterUntrusted<const Tools extends readonly Tool[]>(tools: Tools, options?: TrustOptions): Tools;
export function holdAfterUntrusted(tools: readonly Tool[], options: TrustOptions = {}): readonly Tool[] {
  named(
    options,
    { tools: true, trusted: true, harmless: true, isUntrustedMessage: true, trustsDevices: true },
    'holdAfterUntrusted',
  );
  return tools.map((tool) => hold(tool, { tools, ...options }));
}

function hold(tool: Tool, options: TrustOptions): Tool {
  const { [engine]: inner } = tool;
  const { harmless: _harmless, ...seen } = options;
  return {
    ...tool,
    [engine]: {
      ...inner,
      async decide(call, env) {
        const events = await inner.decide(call, env);
        const { messages } = env.log.getState();
        if (isHarmless(call, tool, messages, options)) return events;
        if (untrustedContent(messages, { ...seen, callId: call.callId }).length === 0) return events;
        const expiresAt = inner.approvalTimeout && env.ports.now() + inner.approvalTimeout;
        const { callId } = call;
        return events.map((event): EventBody => {
          if (event.type !== 'approval.decided' || event.verdict !== 'approved') return event;
          const toolVersion = inner.version;
          return { type: 'approval.requested', callId, toolVersion, cause: 'untrusted', ...defined({ expiresAt }) };
        });
      },
    },
  };
}
