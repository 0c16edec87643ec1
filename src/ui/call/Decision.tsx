import type { ReactElement } from 'react';
import type { AgentSession, ApproveOptions, RejectOptions } from '../../index.ts';
import { AgentError, fingerprintOf, type Json, type JsonObject, type ToolPart } from '../../core/model/index.ts';
import { useParts } from '../parts.ts';
import type { ThreadEnv } from '../thread/threadContext.ts';
import { Approval } from './Approval.tsx';
import { Question } from './Question.tsx';

interface DecisionProps {
  readonly call: ToolPart;
  readonly thread: ThreadEnv;
  readonly session: AgentSession;
  readonly onLate: () => void;
}

/** The form of the decision that a call waits for. */
export function Decision({ call, thread, session, onLate }: DecisionProps): ReactElement {
  const { Approval: Form = Approval } = useParts();
  const { approve, reject, answer } = decisionsOn(thread, session, call, onLate);
  const elicitation = call.approval?.elicitation;
  return elicitation ? (
    <Question call={call} schema={elicitation} onAnswer={answer} onDecline={(reason) => reject({ reason })} />
  ) : (
    <Form call={call} schema={schemaFor(session, call)} onApprove={approve} onReject={reject} />
  );
}

interface Decisions {
  readonly approve: (options: ApproveOptions) => Promise<void>;
  readonly reject: (options: RejectOptions) => Promise<void>;
  readonly answer: (value: Json) => Promise<void>;
}

/** The decisions on a call as it is shown. A refusal rejects, and is shown in the form. */
function decisionsOn(
  { actions, beforeDecision }: ThreadEnv,
  session: AgentSession,
  call: ToolPart,
  onLate: () => void,
): Decisions {
  const { callId } = call;
  const fingerprint = fingerprintOf(call);
  const attempt = async (decision: Promise<void>): Promise<void> => {
    try {
      await decision;
    } catch (thrown) {
      if (thrown instanceof AgentError && thrown.code === 'CALL_NOT_PENDING') onLate();
      throw thrown;
    }
  };
  return {
    // A rule for all sessions changes the list of rules, which the chat knows. Its refusal is in the notice below the messages.
    approve: async (given) => {
      const options = { ...given, ...(await beforeDecision?.(call, 'approved')), fingerprint };
      if (options.remember === 'agent') await actions.approve(callId, options);
      else await attempt(session.approve(callId, options));
    },
    reject: async (given) => {
      const options = { ...given, ...(await beforeDecision?.(call, 'rejected')), fingerprint };
      if (options.remember === 'agent') await actions.reject(callId, options);
      else await attempt(session.reject(callId, options));
    },
    answer: async (value) => {
      const options = { ...(await beforeDecision?.(call, 'answered')), fingerprint };
      await attempt(session.answer(callId, value, options));
    },
  };
}

/** The schema of a tool as the model got it last. */
function schemaFor(session: AgentSession, { name }: ToolPart): JsonObject | undefined {
  const spec = session.getState().tools?.tools.find((tool) => tool.name === name);
  return spec?.inputSchema;
}
