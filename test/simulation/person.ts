import { type AgentSession, toolParts } from 'brooklet';
import type { Random } from './random.ts';

const decisions = ['approve', 'approve', 'approve', 'edit', 'edit', 'reject', 'allow', 'forbid', 'answer'] as const;
const others = ['add', 'add', 'rename', 'pin', 'regenerate', 'unqueue', 'fork', 'revoke', 'takeOver', 'flush'] as const;
const verbs = {
  idle: ['send', 'send', 'send', 'send', 'queue', 'interrupt', ...others],
  running: ['queue', 'queue', 'queue', 'steer', 'steer', 'interrupt', 'cancel', 'cancel', 'send', ...others],
  waiting: [...decisions, ...decisions, ...decisions, 'steer', 'queue', 'cancel', ...others],
  stopped: ['resume', 'resume', 'resume', 'resume', 'send', 'approve', 'regenerate', 'add'],
} as const;

/** What a person does in a session. */
export type Deed = (typeof verbs)[keyof typeof verbs][number];

/** Returns the deeds of one play: all of them in some, few in others, where these meet more often. */
export function deedsOf(random: Random): ReadonlySet<Deed> {
  const share = random.oneOf([0.8, 0.5]);
  const all = new Set<Deed>(Object.values(verbs).flat());
  return new Set(['send', 'approve', 'edit', ...[...all].filter(() => random.chance(share))]);
}

/** Returns what a person may want to do next, given what the session shows; sometimes what makes no sense there. */
export function deedOf(session: AgentSession, deeds: ReadonlySet<Deed>, random: Random): Deed {
  const status = session.getStatus();
  const kind = status === 'interrupted' || status === 'failed' || status === 'limit' ? 'stopped' : status;
  const sensible: readonly Deed[] = random.chance(0.15) ? Object.values(verbs).flat() : verbs[kind];
  const some = sensible.filter((deed) => deeds.has(deed));
  return some.length > 0 ? random.oneOf(some) : 'send';
}

/** The deeds that decide on a call. */
export const isDeciding = (deed: string): boolean => decisions.some((one) => one === deed);

/** The deeds that add a text of the person. */
export const isSaying = (deed: Deed): boolean => ['send', 'queue', 'steer', 'interrupt', 'add'].includes(deed);

/** What a person types into the form of an edited call after the click on its button: no call may run with it. */
export const changedLater = 99_999;

/** Performs a deed. Returns its promise, if it has one. @throws what the session throws */
export function act(
  session: AgentSession,
  deed: Exclude<Deed, 'fork'>,
  words: string,
  random: Random,
  { drive }: { readonly drive?: boolean } = {},
): unknown {
  const calls = session.getMessages().flatMap(toolParts);
  const held = calls.filter(({ status }) => status === 'awaiting-approval');
  const { callId = 'none', name = '' } = held.length > 0 ? random.oneOf(held) : (calls.at(-1) ?? {});
  const scope = random.oneOf(['session', 'agent'] as const);
  const options = drive === undefined ? {} : { drive };
  switch (deed) {
    case 'send':
      return session.send(words);
    case 'queue':
    case 'steer':
    case 'interrupt':
      return session.send(words, { whenBusy: deed });
    case 'approve':
      return session.approve(callId, options);
    case 'edit': {
      const form = { n: random.below(9) };
      const approving = session.approve(callId, { ...options, input: form });
      form.n = changedLater;
      return approving;
    }
    case 'reject':
      return session.reject(callId, { ...options, reason: words });
    case 'allow':
      return session.approve(callId, { ...options, remember: scope });
    case 'forbid':
      return session.reject(callId, { ...options, remember: scope });
    case 'revoke':
      return session.revokeApprovalRule(name);
    case 'answer':
      return session.answer(callId, random.below(9), options);
    case 'add':
      return void session.addMessage({ role: 'user', content: words });
    case 'rename':
      return session.rename(words);
    case 'pin':
      return session.pin(session.getMessages().at(-1)?.id ?? '', random.chance(0.7));
    case 'cancel':
      return session.cancel();
    case 'resume':
      return session.resume();
    case 'regenerate':
      return session.regenerate();
    case 'unqueue':
      return session.unqueue(session.getState().queue.at(0)?.message.id ?? 'none');
    case 'takeOver':
      return session.takeOver();
    case 'flush':
      return session.flushed();
  }
}
