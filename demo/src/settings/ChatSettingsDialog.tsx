import { useAgent, useObservable, useSession } from 'brooklet/react';
import { type ReactElement, useRef, useState } from 'react';
import type { NumberName } from '../model/answerSettings.ts';
import { type ChatSettings, chatSettingsOf, saveChatSettings, setDraftSettings } from '../model/chatSettings.ts';
import { type Connection, nameOf } from '../model/connection.ts';
import { defaults } from '../model/defaults.ts';
import { maxInstructions } from '../model/metadata.ts';
import { openOverlay } from '../base/overlay.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { reportRefusal } from '../toast/reportRefusal.ts';
import { Icon } from '../ui/Icon.tsx';
import { Modal } from '../ui/Modal.tsx';
import { AnswerFields, readTyped, toTyped, type TypedAnswers } from './AnswerFields.tsx';
import { EndpointModel } from './EndpointModel.tsx';
import '../styles/settings.css';

interface ChatSettingsDialogProps {
  /** Without an id: the chat that begins with the next message. */
  readonly sessionId: string | undefined;
  readonly connection: Connection;
  readonly onClose: () => void;
}

/** The model, the instructions and the answers of one chat. */
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

/** What is typed: the numbers as texts. */
interface TypedSettings extends Pick<ChatSettings, 'model' | 'instructions'> {
  readonly answers: TypedAnswers;
}

/** By session: what was typed and neither saved nor discarded. Escape and a click outside close the dialog, and lose nothing. */
const unsaved = new Map<string | undefined, TypedSettings>();

function ChatSettingsForm({ start, sessionId, connection, onClose }: ChatSettingsFormProps): ReactElement {
  const { chatSettings: words, common } = useAllTexts();
  const agent = useAgent();
  const shared = useObservable(defaults.value$, defaults.get);
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<NumberName>();
  const [settings, setSettings] = useState<TypedSettings>(
    unsaved.get(sessionId) ?? {
      model: start.model,
      instructions: start.instructions,
      answers: toTyped(start.answers),
    },
  );

  const change = (changed: Partial<TypedSettings>): void => {
    const next = { ...settings, ...changed };
    unsaved.set(sessionId, next);
    setSettings(next);
  };

  const leave = (): void => {
    unsaved.delete(sessionId);
    onClose();
  };

  const save = (): void => {
    const answers = readTyped(settings.answers);
    if (typeof answers === 'string') {
      setProblem(answers);
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
      return;
    }
    leave();
    const read = { ...settings, answers };
    if (sessionId === undefined) setDraftSettings(read);
    else saveChatSettings(agent, sessionId, read).catch(reportRefusal);
  };

  return (
    <form
      ref={form}
      className="settings chat-settings"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <ModelOfChat connection={connection} value={settings.model} onChange={(model) => change({ model })} />
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
      <details open={problem !== undefined || Object.keys(start.answers).length > 0}>
        <summary>{words.more}</summary>
        <div className="chat-settings">
          <AnswerFields
            typed={settings.answers}
            onChange={(answers) => change({ answers })}
            shared={shared}
            problem={problem}
          />
        </div>
      </details>
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

interface ModelOfChatProps {
  readonly connection: Connection;
  readonly value: string;
  readonly onChange: (model: string) => void;
}

/** The model of a chat, from the list of the chosen provider; empty: that of the settings. */
function ModelOfChat({ connection, value, onChange }: ModelOfChatProps): ReactElement {
  const { chatSettings: words } = useAllTexts();
  const endpoint = connection.kind === 'model' ? connection.endpoint : undefined;
  if (!endpoint) return <p className="hint">{words.modelFixed}</p>;
  return (
    <div className="stacked">
      <span>{words.model}</span>
      <span className="buttons">
        <EndpointModel
          endpoint={endpoint}
          value={value}
          onChange={onChange}
          labels={{ none: words.modelDefault(endpoint.model) }}
        />
        {value !== '' && (
          <button type="button" className="link" onClick={() => onChange('')}>
            {words.useDefault}
          </button>
        )}
      </span>
    </div>
  );
}
