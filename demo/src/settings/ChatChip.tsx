import type { AgentSession } from 'brooklet';
import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { type ChatSettings, chatSettingsOf, draftSettings$ } from '../model/chatSettings.ts';
import { type Connection, nameOf } from '../model/connection.ts';
import { openOverlay } from '../base/overlay.ts';
import type { Texts } from '../texts/en/en.ts';
import { useTexts } from '../texts/useTexts.ts';
import { ConnectionDot } from '../model/ConnectionDot.tsx';

interface ChatChipProps {
  readonly session: AgentSession | undefined;
  readonly connection: Connection;
}

/** The model that answers in this chat; opens the settings of the chat. */
export function ChatChip({ session, connection }: ChatChipProps): ReactElement {
  const texts = useTexts();
  const model = useObservable(session?.state$ ?? draftSettings$, () => chatSettingsOf(session).model);
  const isOwn = useObservable(session?.state$ ?? draftSettings$, () => hasOwn(chatSettingsOf(session)));
  const name = nameOfChat(connection, model, texts);
  return (
    <button
      type="button"
      className="quiet chip"
      title={texts.chatChip.open}
      aria-haspopup="dialog"
      onClick={() => openOverlay({ is: 'chat', sessionId: session?.id })}
    >
      <ConnectionDot connection={connection} />
      <span className="chip-name">{name}</span>
      {isOwn && <span className="chip-mark" role="img" aria-label={texts.chatChip.isSet} />}
    </button>
  );
}

const hasOwn = ({ instructions, answers }: ChatSettings): boolean =>
  instructions !== '' || Object.keys(answers).length > 0;

function nameOfChat(connection: Connection, model: string, texts: Texts): string {
  switch (connection.kind) {
    case 'offline':
      return texts.connection.offlineShort;
    case 'model':
    case 'locked':
      return model || nameOf(connection, texts);
    case 'browser':
    case 'keyless':
      return nameOf(connection, texts);
  }
}
