import type { AgentSession } from 'brooklet';
import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { chatSettingsOf, draftSettings$ } from '../chatSettings.ts';
import { type Connection, nameOf } from '../connection.ts';
import { openOverlay } from '../shell/overlay.ts';
import type { Texts } from '../texts/en/en.ts';
import { useTexts } from '../texts/useTexts.ts';

interface ChatChipProps {
  readonly session: AgentSession | undefined;
  readonly connection: Connection;
}

/** The model that answers in this chat; opens the model and the instructions of the chat. */
export function ChatChip({ session, connection }: ChatChipProps): ReactElement {
  const texts = useTexts();
  const model = useObservable(session?.state$ ?? draftSettings$, () => chatSettingsOf(session).model);
  const hasInstructions = useObservable(
    session?.state$ ?? draftSettings$,
    () => chatSettingsOf(session).instructions !== '',
  );
  const name = nameOfChat(connection, model, texts);
  return (
    <button
      type="button"
      className="quiet chip"
      title={texts.chatChip.open}
      aria-haspopup="dialog"
      onClick={() => openOverlay({ is: 'chat', sessionId: session?.id })}
    >
      <span className={`dot ${connection.kind}`} />
      <span className="chip-name">{name}</span>
      {hasInstructions && <span className="chip-mark" role="img" aria-label={texts.chatChip.isSet} />}
    </button>
  );
}

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
