import type { AgentSession } from 'brooklet';
import { useEffect } from 'react';
import { announce } from '../ui/announce.ts';
import { narrate } from './narrate.ts';
import { useTexts } from '../texts/useTexts.ts';

/** Tells a screen reader what happens in a session. Renders nothing: the page has one live region for all of it. */
export function Announcer({ session }: { readonly session: AgentSession }): null {
  const words = useTexts();
  useEffect(() => narrate(session, words, announce), [session, words]);
  return null;
}
