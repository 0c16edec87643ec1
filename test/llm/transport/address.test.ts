import { describe, expect, test } from 'vitest';
import { toAddress } from '../../../src/llm/transport/address.ts';
import { cleanKey } from '../../../src/llm/transport/headers.ts';
import type { AgentError } from '../../../src/core/error.ts';

function refusal(run: () => unknown): AgentError | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return error as AgentError;
  }
}

describe('a base URL', () => {
  test.each([
    ['https://api.example.com/v1', 'https://api.example.com/v1/chat'],
    [' https://api.example.com/v1/ ', 'https://api.example.com/v1/chat'],
    ['https://api.example.com', 'https://api.example.com/chat'],
    ['https://api.example.com/v1/chat', 'https://api.example.com/v1/chat'],
    ['https://api.example.com:8443//v1//', 'https://api.example.com:8443//v1/chat'],
    ['http://localhost:11434/v1', 'http://localhost:11434/v1/chat'],
    ['http://127.0.0.1:1234/v1', 'http://127.0.0.1:1234/v1/chat'],
    ['http://[::1]:8080', 'http://[::1]:8080/chat'],
    [
      'https://x.openai.azure.com/openai/deployments/d?api-version=2024-10-21',
      'https://x.openai.azure.com/openai/deployments/d/chat?api-version=2024-10-21',
    ],
  ])('%s is accepted', (baseURL, url) => {
    expect(toAddress(baseURL, '/chat').url).toBe(url);
  });

  test.each([
    '',
    'api.example.com',
    'ftp://x',
    'javascript:alert(1)',
    'data:text/plain,x',
    'file:///etc',
    'ws://x',
    'https://user:pw@x',
    'https://x/v1#a',
    'https://x/v1?key=1',
    'http://api.example.com/v1',
    'http://192.168.0.2',
    'http://127.0.0.1.evil.test',
    'http://localhost.evil.test',
    'http://10.evil.test',
  ])('"%s" is rejected', (baseURL) => {
    expect(refusal(() => toAddress(baseURL, '/chat'))).toMatchObject({ code: 'INVALID_CONFIG' });
  });

  test.each([
    'http://192.168.0.2',
    'http://10.0.0.1:8080',
    'http://172.20.1.1',
    'http://ollama:11434',
    'http://box.local',
    'http://[fd00::1]',
  ])('%s is accepted where the local network is allowed', (baseURL) => {
    expect(refusal(() => toAddress(baseURL, '/chat', true))).toBeUndefined();
  });

  test('http to the internet is rejected all the same', () => {
    expect(refusal(() => toAddress('http://172.32.0.1', '/chat', true))).toMatchObject({ code: 'INVALID_CONFIG' });
    expect(refusal(() => toAddress('http://10.evil.test', '/chat', true))).toMatchObject({ code: 'INVALID_CONFIG' });
    expect(refusal(() => toAddress('http://[2001:db8::1]', '/chat', true))).toMatchObject({ code: 'INVALID_CONFIG' });
  });

  test('the error contains no user, password or query', () => {
    for (const baseURL of ['https://me:hunter2@x', 'https://x?key=hunter2'])
      expect(refusal(() => toAddress(baseURL, '/chat'))?.message).not.toContain('hunter2');
  });
});

describe('a key', () => {
  test.each([
    'sk-a',
    ' sk-a\n',
    '"sk-a"',
    "'sk-a'",
    '“sk-a”',
    'Bearer sk-a',
    'bearer  sk-a',
    'Authorization: Bearer sk-a',
    '\u200bsk-\ufeffa\u2060',
    '"Bearer sk-a"\r\n',
  ])('pasted as %j is cleaned', (pasted) => {
    expect(cleanKey(pasted)).toBe('sk-a');
  });

  test('may be empty', () => {
    expect(cleanKey(' ')).toBe('');
  });

  test.each([['sk-ü'], ['sk a'], ['sk\na'], ['sk-\u202ea'], [42], ['x'.repeat(10_000)]])(
    '%j is rejected, and the error does not quote it',
    (key) => {
      const error = refusal(() => cleanKey(key));
      expect(error).toMatchObject({ code: 'INVALID_CONFIG' });
      expect(error?.message).not.toContain(String(key));
    },
  );
});
