import type { AgentSession } from 'brooklet';
import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { sessionHref } from '../base/route.ts';
import { useTexts } from '../texts/useTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { readFork } from './forkNote.ts';

/** Above the first message of a fork: which conversation it continues. */
export function ForkNote({ session }: { readonly session: AgentSession }): ReactElement | null {
  const { message: words, common } = useTexts();
  const metadata = useObservable(session.state$, () => session.getState().metadata);
  const fork = readFork(metadata);
  if (fork === undefined) return null;
  return (
    <p className="fork-note">
      <Icon name="branch" />
      <span>
        {words.forkedFrom}{' '}
        <a href={sessionHref(fork.id)}>
          <bdi>{fork.title === '' ? common.untitled : fork.title}</bdi>
        </a>
      </span>
    </p>
  );
}
