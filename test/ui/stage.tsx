import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { type Agent, type AgentOptions, createAgent, type LLMClient } from 'brooklet';
import { Chat, type ChatProps } from 'brooklet/ui';
import { StrictMode } from 'react';

/** A chat in the page, and a person who uses it. */
export interface ShownChat {
  readonly agent: Agent;
  readonly person: UserEvent;
  readonly container: HTMLElement;
  readonly field: HTMLTextAreaElement;
}

/** Shows a chat with a client. */
export function showChat(
  client: LLMClient,
  { agent: options = {}, ...props }: Omit<ChatProps, 'agent'> & { readonly agent?: Omit<AgentOptions, 'client'> } = {},
): ShownChat {
  const agent = createAgent({ client, ...options });
  const { container } = render(
    <StrictMode>
      <Chat agent={agent} {...props} />
    </StrictMode>,
  );
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
  return { agent, person: userEvent.setup(), container, field };
}

/** Resolves when the chat has this state. */
export async function untilChat(container: HTMLElement, state: string): Promise<void> {
  await waitFor(() => {
    const now = container.querySelector('[data-part=chat]')?.getAttribute('data-state');
    if (now !== state) throw new Error(`The chat is ${now}, not ${state}.`);
  });
}

/** Finds a text among the messages; the live region has the same texts for a while. */
export function findMessage(text: string): Promise<HTMLElement> {
  return within(screen.getByRole('log')).findByText(text);
}
