import type { ReactElement } from 'react';
import { BrookScene } from '../ui/Brook.tsx';

interface WelcomeProps {
  readonly isOffline: boolean;
  readonly onPick: (text: string) => void;
  readonly onSettings: () => void;
}

const always = [
  { text: 'What time is it in Tokyo, and what is 17.5% of 240?', says: 'two tools at once' },
  { text: 'Remember to water the plants', says: 'asks you first, once or for good' },
  { text: 'Plan a walk with me', says: 'asks you what it needs to know' },
  { text: 'Fix the typo in poem.txt', says: 'shows the change before it happens' },
  { text: 'How many primes are below 30 million?', says: 'says how far it is' },
  { text: 'Draw the brook', says: 'gives a picture' },
];
const offlineOnly = [
  { text: 'Tell me a long story about a brook', says: 'stop it, talk to it, reload, resume' },
  { text: 'Run a slow script', says: 'reload meanwhile: did it happen?' },
  { text: 'Double 3 twelve times', says: 'more steps than a run may take' },
  { text: 'Fail midway through a story', says: 'and pick it up again' },
  { text: 'Fail with a rate limit', says: 'asks again by itself, until you stop it' },
];

/** What a conversation shows before it has begun. */
export function Welcome({ isOffline, onPick, onSettings }: WelcomeProps): ReactElement {
  return (
    <section className="welcome" aria-label="Welcome">
      <BrookScene />
      <h2>What shall we follow today?</h2>
      <p>
        An agent that lives in this tab: its tools run here, its conversations stay here.
        {isOffline && (
          <>
            {' '}
            You are talking to a script until you{' '}
            <button type="button" className="link" onClick={onSettings}>
              connect a model
            </button>
            .
          </>
        )}
      </p>
      <ul className="suggestions" aria-label="Suggestions">
        {[...always, ...(isOffline ? offlineOnly : [])].map(({ text, says }) => (
          <li key={text}>
            <button type="button" onClick={() => onPick(text)}>
              <span>{text}</span>
              <small>{says}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
