import type { ReactElement } from 'react';
import { BrookScene } from '../ui/Brook.tsx';

interface WelcomeProps {
  readonly isOffline: boolean;
  readonly onPick: (text: string) => void;
  readonly onSettings: () => void;
}

const always = [
  { text: 'What time is it in Tokyo, and what is 17.5% of 240?', hint: 'uses two tools at once' },
  { text: 'Remember to water the plants', hint: 'asks for your approval first' },
  { text: 'Plan a walk with me', hint: 'asks you for details' },
  { text: 'Fix the typo in poem.txt', hint: 'shows the change before saving it' },
  { text: 'How many primes are below 30 million?', hint: 'shows its progress' },
  { text: 'Draw the brook', hint: 'returns a picture' },
];
const offlineOnly = [
  { text: 'Tell me a long story about a brook', hint: 'stop it, write meanwhile, reload, resume' },
  { text: 'Run a slow script', hint: 'reload the page while it runs' },
  { text: 'Double 3 twelve times', hint: 'needs more steps than one run may take' },
  { text: 'Fail midway through a story', hint: 'then resume it' },
  { text: 'Fail with a rate limit', hint: 'retries until you stop it' },
];

/** The start page of a conversation, with suggestions. */
export function Welcome({ isOffline, onPick, onSettings }: WelcomeProps): ReactElement {
  return (
    <section className="welcome" aria-label="Welcome">
      <BrookScene />
      <h2>What can I do for you today?</h2>
      <p>
        An agent that runs in this tab: its tools run here, and your conversations are stored here.
        {isOffline && (
          <>
            {' '}
            You are talking to a script, not to a real AI, until you{' '}
            <button type="button" className="link" onClick={onSettings}>
              connect a model
            </button>
            .
          </>
        )}
      </p>
      <ul className="suggestions" aria-label="Suggestions">
        {[...always, ...(isOffline ? offlineOnly : [])].map(({ text, hint }) => (
          <li key={text}>
            <button type="button" onClick={() => onPick(text)}>
              <span>{text}</span>
              <small>{hint}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
