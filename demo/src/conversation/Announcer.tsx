import { type AgentSession, extractTextContent, type SessionStatus, toolParts } from 'brooklet';
import { useObservable } from 'brooklet/react';
import { type ReactElement, useState } from 'react';
import { textIn } from '../json.ts';

/** Tells a screen reader that the agent works, what the agent asks, and the complete answer. Never token by token. */
export function Announcer({ session }: { readonly session: AgentSession }): ReactElement {
  const status = useObservable(session.status$, () => session.getStatus());
  const [lastStatus, setLastStatus] = useState(status);
  const [words, setWords] = useState('');
  if (status !== lastStatus) {
    setLastStatus(status);
    setWords(wordsFor(session, status));
  }
  return (
    <output aria-live="polite" className="visually-hidden">
      {words}
    </output>
  );
}

function wordsFor(session: AgentSession, status: SessionStatus): string {
  const messages = session.getMessages();
  switch (status) {
    case 'running':
      return 'The agent is working.';
    case 'waiting': {
      const awaiting = messages.flatMap(toolParts).filter((call) => call.status === 'awaiting-approval');
      const questions = awaiting.flatMap(({ approval }) => textIn(approval?.elicitation, 'title') || []);
      return questions.length > 0
        ? `The agent asks: ${questions.join(' ')}`
        : `The agent asks for your decision on ${awaiting.map((call) => call.name).join(' and ')}.`;
    }
    case 'idle': {
      if (session.getState().run?.outcome === 'cancelled') return 'Stopped.';
      const last = messages.at(-1);
      return last?.role === 'assistant' ? `The agent answered: ${extractTextContent(last).slice(0, 600)}` : '';
    }
    case 'limit':
      return 'The agent paused. You can let it continue.';
    case 'failed':
    case 'interrupted':
      // The notice below the conversation is announced as an alert.
      return '';
  }
}
