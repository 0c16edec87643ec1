import type { AgentSession, Message } from 'brooklet';
import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { chatSettingsOf, runOptionsOf } from '../model/chatSettings.ts';
import { connection$, getConnection } from '../model/connection.ts';
import { EndpointModel } from '../settings/EndpointModel.tsx';
import { useTexts } from '../texts/useTexts.ts';
import { reportRefusal } from '../toast/reportRefusal.ts';
import { Icon } from '../ui/Icon.tsx';

interface AnswerWithProps {
  readonly session: AgentSession;
  /** The last reply of an answer. */
  readonly message: Message;
}

/** Answers the question of an answer again, with a model that is chosen for this once. */
export function AnswerWith({ session, message }: AnswerWithProps): ReactElement | null {
  const { message: words } = useTexts();
  const connection = useObservable(connection$, getConnection);
  if (connection.kind !== 'model') return null;
  const { endpoint } = connection;
  return (
    <EndpointModel
      className="answer-with"
      endpoint={endpoint}
      value={chatSettingsOf(session).model || endpoint.model}
      onChange={(model) =>
        void session.regenerate(questionOf(session, message), { ...runOptionsOf(session), model }).catch(reportRefusal)
      }
      labels={{ button: () => words.answerWith }}
    >
      <Icon name="sliders" />
    </EndpointModel>
  );
}

/** Returns the id of the message that was answered. */
function questionOf(session: AgentSession, { id }: Message): string | undefined {
  const messages = session.getMessages();
  const end = messages.findIndex((message) => message.id === id);
  return messages.slice(0, end).findLast(({ role }) => role === 'user')?.id;
}
