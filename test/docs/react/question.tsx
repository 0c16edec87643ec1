import type { ToolPart } from 'brooklet';
import { useChat } from 'brooklet/react';

function Question({ sessionId, call }: { sessionId: string; call: ToolPart }) {
  const { answer } = useChat({ sessionId });
  const { title, enum: choices } = call.approval?.elicitation ?? {};
  const buttons = Array.isArray(choices) ? choices.filter((one) => typeof one === 'string') : [];
  return (
    <fieldset>
      <legend>{typeof title === 'string' && title}</legend>
      {buttons.map((choice) => (
        <button key={choice} onClick={() => void answer(call.callId, choice)}>
          {choice}
        </button>
      ))}
    </fieldset>
  );
}

export { Question };
