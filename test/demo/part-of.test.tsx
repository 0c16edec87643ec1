import { cleanup, render, screen } from '@testing-library/react';
import { AgentProvider } from 'brooklet/react';
import { afterEach, describe, expect, test } from 'vitest';
import { callHref, getCallId, getSessionId, sessionHref } from '../../demo/src/base/route.ts';
import { PartOf } from '../../demo/src/conversation/PartOf.tsx';
import { readFile } from '../../demo/src/review/readFile.ts';
import { toTreeFile } from '../../demo/src/review/toFile.ts';
import { reviewEn } from '../../demo/src/texts/en/review.ts';
import { createReview } from 'brooklet/review';
import { readExport } from 'brooklet/storage';
import { linkedLog, recordTree } from '../review/recorded-tree.ts';

afterEach(cleanup);

async function show(depth: number) {
  const { agent, sessions } = await recordTree(2);
  const session = await agent.openSession(sessions[depth]?.summary.id ?? '');
  render(
    <AgentProvider agent={agent}>
      <PartOf session={session} />
    </AgentProvider>,
  );
  return { agent, session, sessions };
}

describe('a conversation that a call has started', () => {
  test('links to the conversations above, each at its call', async () => {
    const { session, sessions } = await show(2);
    const links = await screen.findAllByRole('link');
    expect(links.map(({ textContent }) => textContent)).toEqual(['Task 0', 'Task 1']);
    const path = session.getState().path ?? [];
    expect(path.map(({ sessionId }) => sessionId)).toEqual(sessions.slice(0, 2).map(({ summary }) => summary.id));
    for (const [index, { sessionId, callId }] of path.entries()) {
      location.hash = links[index]?.getAttribute('href') ?? '';
      expect([getSessionId(), getCallId()]).toEqual([sessionId, callId]);
    }
  });

  test('names the conversation above anew, and says when it is gone', async () => {
    const { agent, sessions } = await show(1);
    const rootId = sessions[0]?.summary.id ?? '';
    await screen.findByRole('link', { name: 'Task 0' });
    const root = await agent.openSession(rootId);
    root.rename('Pumps');
    await screen.findByRole('link', { name: 'Pumps' });
    await agent.store?.remove(rootId);
    await screen.findByText('a conversation that is no longer here');
    expect(screen.queryByRole('link')).toBeNull();
  });

  test('shows nothing above a root', async () => {
    await show(0);
    expect(screen.queryByRole('navigation')).toBeNull();
  });
});

test('the address of a call is read as it was written, and nonsense is no call', () => {
  location.hash = callHref('a/b', 'c/d?#');
  expect([getSessionId(), getCallId()]).toEqual(['a/b', 'c/d?#']);
  location.hash = sessionHref('a/b');
  expect([getSessionId(), getCallId()]).toEqual(['a/b', undefined]);
  location.hash = '#/s/a/%E0%A4%A';
  expect([getSessionId(), getCallId()]).toEqual(['a', undefined]);
  location.hash = '#/s/a/b/c';
  expect(getSessionId()).toBeUndefined();
  location.hash = '';
});

describe('the file of a tree', () => {
  test('is one session with those below it, from the store and from another file', async () => {
    const { store, sessions } = await recordTree(2);
    const review = createReview(sessions[0]?.events ?? []);
    const fromStore = await toTreeFile(review, [], store);
    const opened = await readFile(new Blob([fromStore]), reviewEn.open);
    expect([opened.others, opened.sessions?.length]).toEqual([undefined, 3]);
    expect(opened.events).toEqual(review.events);
    const again = await readExport(await toTreeFile(review, [], opened.sessions ?? []));
    expect(again.sessions.map(({ id }) => id)).toEqual(sessions.map(({ summary }) => summary.id));
    expect(await toTreeFile(review, [], [])).toBe(fromStore.slice(0, fromStore.indexOf('\n{"format":') + 1));
  });

  test('offers each session of a circle, which has no root', async () => {
    const file = ['a', 'b'].map((id) => {
      const other = id === 'a' ? 'b' : 'a';
      return { id, events: linkedLog({ id, above: other, children: [other] }) };
    });
    const lines = await toTreeFile(createReview(file[0]?.events ?? []), [], file);
    const opened = await readFile(new Blob([lines]), reviewEn.open);
    expect(opened.others).toHaveLength(1);
  });
});
