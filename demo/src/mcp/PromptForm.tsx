import type { MCPPrompt } from 'brooklet/mcp';
import { type ReactElement, type SubmitEvent, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';

interface PromptFormProps {
  readonly prompt: MCPPrompt;
  readonly onSubmit: (input: Readonly<Record<string, string>>) => void;
}

/** A prompt of a server. A prompt with arguments asks for these first. */
export function PromptForm({ prompt, onSubmit }: PromptFormProps): ReactElement {
  const { mcp: words } = useAllTexts();
  const [isAsking, setIsAsking] = useState(false);
  const { name, title = name, description, arguments: fields } = prompt;

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    // The dialog is outside of the form of the message, but React's events pass through it.
    event.stopPropagation();
    const entries = [...new FormData(event.currentTarget)];
    onSubmit(
      Object.fromEntries(
        entries.flatMap(([key, value]) => (typeof value === 'string' && value !== '' ? [[key, value]] : [])),
      ),
    );
  };

  return (
    <>
      <button
        type="button"
        aria-expanded={fields.length === 0 ? undefined : isAsking}
        onClick={() => (fields.length === 0 ? onSubmit({}) : setIsAsking(!isAsking))}
      >
        <Icon name="edit" />
        <span className="rule-text">
          <bdi>{title}</bdi>
          {description !== undefined && (
            <small>
              <bdi>{description}</bdi>
            </small>
          )}
        </span>
        <small>{words.prompt}</small>
      </button>
      {isAsking && (
        <form className="settings prompt-form" onSubmit={submit}>
          {fields.map((field, index) => (
            <label key={field.name} className="stacked">
              <span dir="auto">{field.name}</span>
              <input
                name={field.name}
                required={field.required}
                // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked to type here
                autoFocus={index === 0}
                placeholder={field.description}
              />
            </label>
          ))}
          <div className="modal-verbs">
            <button type="submit" className="primary">
              {words.usePrompt}
            </button>
          </div>
        </form>
      )}
    </>
  );
}
