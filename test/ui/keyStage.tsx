import { render, screen } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { compatible, type Provider } from 'brooklet/providers';
import { KeyField, type KeyFieldProps, type ReadyKey } from 'brooklet/ui';
import { StrictMode } from 'react';

export const canary = 'sk-canary-0123456789abcdefghij-WXYZ';
export const origin = 'https://brook.example';
export const brook: Provider = {
  ...compatible(`${origin}/v1`, 'Brook'),
  keysURL: 'https://brook.example/keys',
  models: { small: {} },
};

interface ShownField {
  readonly person: UserEvent;
  readonly container: HTMLElement;
  /** What was reported, in its order. */
  readonly ready: ReadyKey[];
}

export function showField(props: Partial<KeyFieldProps> = {}): ShownField {
  const ready: ReadyKey[] = [];
  const { container } = render(
    <StrictMode>
      <KeyField provider={brook} onReady={(key) => void ready.push(key)} {...props} />
    </StrictMode>,
  );
  return { person: userEvent.setup(), container, ready };
}

export const field = (name = 'API key for Brook'): HTMLInputElement => screen.getByLabelText(name);

export async function press(person: UserEvent, name: string): Promise<void> {
  await person.click(await screen.findByRole('button', { name }));
}

/** All that is in the page, without what is in the fields. */
export const page = (): string => document.documentElement.outerHTML;
