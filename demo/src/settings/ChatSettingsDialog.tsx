import { useAgent, useSession } from 'brooklet/react';
import { type ReactElement, useEffect, useId, useState } from 'react';
import { type ChatSettings, chatSettingsOf, saveChatSettings, setDraftSettings } from '../chatSettings.ts';
import { type Connection, nameOf } from '../connection.ts';
import { maxInstructions } from '../sessions/metadata.ts';
import { openOverlay } from '../shell/overlay.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { reportRefusal } from '../toast/reportRefusal.ts';
import { Icon } from '../ui/Icon.tsx';
import { Modal } from '../ui/Modal.tsx';
import { useModelList } from './useModelList.ts';
import '../styles/settings.css';

interface ChatSettingsDialogProps {
  /** Without an id: the chat that begins with the next message. */
  readonly sessionId: string | undefined;
  readonly connection: Connection;
  readonly onClose: () => void;
}

/** The model and the instructions of one chat. */
export function ChatSettingsDialog({ sessionId, connection, onClose }: ChatSettingsDialogProps): ReactElement | null {
  const { chatSettings: words, settings, common } = useAllTexts();
  const { session, isLoading } = useSession(sessionId);
  if (isLoading) return null;
  return (
    <Modal title={words.title} onClose={onClose}>
      <button type="button" className="quiet small modal-close" aria-label={common.close} onClick={onClose}>
        <Icon name="close" />
      </button>
      <ChatSettingsForm
        start={chatSettingsOf(session)}
        sessionId={sessionId}
        connection={connection}
        onClose={onClose}
      />
      <p className="hint">
        <button type="button" className="link" onClick={() => openOverlay({ is: 'settings' })}>
          {settings.title}: {nameOf(connection)}
        </button>
      </p>
    </Modal>
  );
}

interface ChatSettingsFormProps extends ChatSettingsDialogProps {
  readonly start: ChatSettings;
}

/** By session: what was typed and neither saved nor discarded. Escape and a click outside close the dialog, and lose nothing. */
const unsaved = new Map<string | undefined, ChatSettings>();

function ChatSettingsForm({ start, sessionId, connection, onClose }: ChatSettingsFormProps): ReactElement {
  const { chatSettings: words, common } = useAllTexts();
  const agent = useAgent();
  const [settings, setSettings] = useState<ChatSettings>(
    unsaved.get(sessionId) ?? { model: start.model, instructions: start.instructions },
  );

  const change = (changed: Partial<ChatSettings>): void => {
    const next = { ...settings, ...changed };
    unsaved.set(sessionId, next);
    setSettings(next);
  };

  const leave = (): void => {
    unsaved.delete(sessionId);
    onClose();
  };

  const save = (): void => {
    leave();
    if (sessionId === undefined) setDraftSettings(settings);
    else saveChatSettings(agent, sessionId, settings).catch(reportRefusal);
  };

  return (
    <form
      className="settings chat-settings"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <ChatModel connection={connection} value={settings.model} onChange={(model) => change({ model: model.trim() })} />
      <label className="stacked">
        <span>{words.instructions}</span>
        <textarea
          rows={5}
          maxLength={maxInstructions}
          placeholder={words.instructionsPlaceholder}
          value={settings.instructions}
          onChange={(event) => change({ instructions: event.target.value })}
        />
        <small className="hint">{words.instructionsHint}</small>
      </label>
      <div className="modal-verbs">
        <span className="hint grow">{words.applies}</span>
        <button type="button" onClick={leave}>
          {common.cancel}
        </button>
        <button type="submit" className="primary">
          {words.save}
        </button>
      </div>
    </form>
  );
}

interface ChatModelProps {
  readonly connection: Connection;
  readonly value: string;
  readonly onChange: (model: string) => void;
}

/** The model of a chat, from the list of the chosen provider. */
function ChatModel({ connection, value, onChange }: ChatModelProps): ReactElement {
  const { chatSettings: words, common, settings } = useAllTexts();
  const { list, read } = useModelList();
  const suggestions = useId();
  const endpoint = connection.kind === 'model' ? connection.endpoint : undefined;

  useEffect(() => {
    if (endpoint) void read(endpoint);
    // Once: the dialog is about one connection.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [endpoint]);

  if (!endpoint) return <p className="hint">{words.modelFixed}</p>;
  return (
    <label className="stacked">
      <span>{words.model}</span>
      <input
        type="text"
        list={suggestions}
        spellCheck={false}
        autoCapitalize="off"
        placeholder={words.modelDefault(endpoint.model)}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={suggestions}>
        {list.is === 'read' &&
          list.models.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </datalist>
      <small className="hint">
        {words.modelHint}{' '}
        <output>
          {list.is === 'reading' && settings.listing}
          {list.is === 'read' && settings.listed(list.models.length)}
          {list.is === 'failed' && <span className="bad">{list.error.message}</span>}
        </output>{' '}
        {list.is === 'failed' && (
          <button type="button" className="link" onClick={() => void read(endpoint)}>
            {common.retry}
          </button>
        )}
      </small>
    </label>
  );
}
