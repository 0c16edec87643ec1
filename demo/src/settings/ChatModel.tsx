import type { AgentSession } from 'brooklet';
import { useAgent, useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { chatSettingsOf, chooseModel, draftSettings$ } from '../model/chatSettings.ts';
import type { Endpoint } from '../model/endpoint.ts';
import { useTexts } from '../texts/useTexts.ts';
import { reportRefusal } from '../toast/reportRefusal.ts';
import { EndpointModel } from './EndpointModel.tsx';

interface ChatModelProps {
  readonly session: AgentSession | undefined;
  readonly endpoint: Endpoint;
}

/** The model of the chat, beside its message field. */
export function ChatModel({ session, endpoint }: ChatModelProps): ReactElement {
  const { chatChip: words } = useTexts();
  const agent = useAgent();
  const own = useObservable(session?.state$ ?? draftSettings$, () => chatSettingsOf(session).model);
  return (
    <EndpointModel
      className="chat-model"
      endpoint={endpoint}
      value={own || endpoint.model}
      onChange={(model) => void chooseModel(agent, session, model === endpoint.model ? '' : model).catch(reportRefusal)}
      labels={{ button: words.pick }}
    />
  );
}
