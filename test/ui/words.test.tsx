import { render, screen } from '@testing-library/react';
import { AgentError, type AgentErrorCode, createAgent } from 'brooklet';
import { AgentProvider, useChat, type UseChatResult } from 'brooklet/react';
import { createScriptedClient } from 'brooklet/testing';
import { chinese, english, type Labels, RunNotice } from 'brooklet/ui';
import { describe, expect, it } from 'vitest';

// What a person at the page reads has no words of the code: a conversation is no "session", an answer no "run", the use of a tool no "call".
const nouns = {
  english: /\bsessions?\b|\bcalls?\b|\b(?:a|the|this|that|each|every|last) runs?\b/i,
  chinese: /会话|调用|[这此本每]次运行/,
};

const isWriter = (value: unknown): value is (...words: readonly string[]) => unknown => typeof value === 'function';

/** Each text of the parts of a chat, functions with the names of their parameters as values. */
function textsOf(value: unknown, path = ''): readonly [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (isWriter(value)) {
    const text = value('“X”', '“Y”', '“Z”');
    return typeof text === 'string' ? [[path, text]] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, path === '' ? key : `${path}.${key}`));
}

/** A button; every sentence is checked. */
const buttons: readonly string[] = ['approval.rejectCall'];

/** The review and the context meter are for people who look at how the agent works. */
const shownInChat = ({ notice, tool, approval, form, queue, announcer }: Labels) => ({
  notice,
  tool,
  approval,
  form,
  queue,
  announcer,
});

function Stage({ state }: { readonly state: Partial<UseChatResult> }) {
  return <RunNotice chat={{ ...useChat(), ...state }} />;
}

describe('the default texts of a chat', () => {
  it.each([
    ['english', english],
    ['chinese', chinese],
  ] as const)('have no words of the code in %s', (language, labels) => {
    const texts = textsOf(shownInChat(labels));
    expect(texts.length).toBeGreaterThan(150);
    expect(texts.filter(([path, text]) => !buttons.includes(path) && nouns[language].test(text))).toEqual([]);
  });

  // The messages of these errors are for developers: they name the session, the run or the call.
  it.each<AgentErrorCode>([
    'CALL_NOT_FOUND',
    'CALL_NOT_PENDING',
    'COMPACTION_FAILED',
    'DECISION_STALE',
    'MESSAGE_NOT_FOUND',
    'MISSING_OPTION',
    'NOTHING_TO_RESUME',
    'SESSION_BUSY',
    'SESSION_READ_ONLY',
    'STORAGE_BLOCKED',
    'STORAGE_CONFLICT',
    'STORAGE_CORRUPT',
    'STORAGE_FAILED',
    'STORAGE_LOCKED',
    'STORAGE_REJECTED',
    'STORAGE_UNAVAILABLE',
    'TOOL_NOT_FOUND',
  ])('explain %s without the message for developers, which is in the details', (code) => {
    const message = 'Session s1: the run of call c1 is no run.';
    render(
      <AgentProvider agent={createAgent({ client: createScriptedClient([]) })}>
        <Stage state={{ status: 'failed', error: new AgentError(message, { code }) }} />
      </AgentProvider>,
    );
    const notice = screen.getByRole('alert');
    expect(notice.querySelector('details')?.textContent).toContain(message);
    notice.querySelector('details')?.remove();
    expect(notice.textContent).not.toMatch(nouns.english);
    expect(chinese.notice.causes[code]).toMatch(/\p{Script=Han}/u);
    expect(chinese.notice.cures[code]).toMatch(/\p{Script=Han}/u);
  });
});
