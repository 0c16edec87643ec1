import type { AgentSession, ToolPart } from 'brooklet';
import { isEnded } from 'brooklet/core';
import { lazy, type ReactElement, type ReactNode, Suspense } from 'react';
import { RuleNote } from '../shell/rooms.ts';
import { describeDecision } from './callAppearance.ts';
import { ToolInput } from './ToolInput.tsx';
import { ToolOutput } from './ToolOutput.tsx';
import { useTexts } from '../texts/useTexts.ts';

const UndoChange = lazy(async () => ({ default: (await import('../workspace/UndoChange.tsx')).UndoChange }));

/** The input, the decision, and the result of a call. */
export function ToolRecord({
  session,
  call,
}: {
  readonly session: AgentSession;
  readonly call: ToolPart;
}): ReactElement {
  const { tool: text } = useTexts();
  const { status, approval, details } = call;
  const decision = describeDecision(call, text);
  return (
    <>
      {/* A diff contains the input, and a picture is the answer. */}
      {details?.type !== 'diff' && details?.type !== 'image' && <Input call={call} />}
      {status === 'uncertain' && <p className="explained">{text.uncertain}</p>}
      {isEnded(status) && (details !== undefined || call.output !== undefined) && (
        <Labelled name={call.isError ? text.error : text.output}>
          <ToolOutput call={call} />
        </Labelled>
      )}
      {status === 'succeeded' && (call.name === 'write_file' || call.name === 'patch_file') && (
        <Suspense fallback={null}>
          <UndoChange call={call} />
        </Suspense>
      )}
      {approval?.decidedBy === 'rule' && (
        <Suspense fallback={null}>
          <RuleNote session={session} call={call} />
        </Suspense>
      )}
      {decision !== undefined && (
        <p className="decision">
          {decision}
          {approval?.reason !== undefined && (
            <>
              : “<bdi>{approval.reason}</bdi>”
            </>
          )}
          {call.attempt !== undefined && `. ${text.attempt(call.attempt)}`}
        </p>
      )}
      <p className="decision">
        {text.function} <code>{call.name}</code>
      </p>
    </>
  );
}

function Input({ call }: { readonly call: ToolPart }): ReactElement {
  const { tool: text } = useTexts();
  return (
    <>
      <Labelled name={call.editedInput ? text.modelInput : text.input}>
        {call.input ? (
          <ToolInput input={call.input} />
        ) : (
          <pre className="json">
            {call.inputText}
            {call.status === 'streaming' && <span className="caret" />}
          </pre>
        )}
      </Labelled>
      {call.editedInput && (
        <Labelled name={text.changedTo}>
          <ToolInput input={call.editedInput} />
        </Labelled>
      )}
    </>
  );
}

function Labelled({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="labelled">
      <span>{name}</span>
      {children}
    </div>
  );
}
