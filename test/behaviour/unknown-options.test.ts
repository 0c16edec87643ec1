import { agentTool, handoffTo } from 'brooklet/agents';
import { createAGUIClient } from 'brooklet/agui';
import { createAISDKClient } from 'brooklet/ai-sdk';
import { createAnthropicClient } from 'brooklet/anthropic';
import {
  AgentError,
  createAgent,
  createChatCompletionsClient,
  createResponsesClient,
  defineOutput,
  defineTool,
} from 'brooklet';
import { mountDevtools } from 'brooklet/devtools';
import { decryptStored, encryptStored } from 'brooklet/encryption';
import { createRemote, createSyncedStore, inviteDevice, openDevices, openSharedKey } from 'brooklet/sync';
import { createVault } from 'brooklet/keys';
import {
  createBuiltInClient,
  createClientFromChunks,
  createLocalClient,
  withFallback,
  withRetry,
  withThinkTags,
} from 'brooklet/llm';
import { connectMCP, createMCPSignIn } from 'brooklet/mcp';
import { mountMCPApp } from 'brooklet/mcp/apps';
import { createNatsStore, pruneStream, toStreamConfig } from 'brooklet/nats';
import { createOpenAIClient } from 'brooklet/openai';
import { createProviderClient, listModels, openai } from 'brooklet/providers';
import { createFileOpener, createReview, followSession, usageBelow } from 'brooklet/review';
import { exportHTML } from 'brooklet/review/html';
import { loadSkills } from 'brooklet/skills';
import {
  createIndexedDBStore,
  createMemoryStore,
  eraseEverything,
  exportAll,
  exportSession,
  importHistory,
  importMessages,
  importSessions,
  readExport,
  toMarkdown,
} from 'brooklet/storage';
import { toOTLP, usageReport } from 'brooklet/telemetry';
import {
  createRecordedClient,
  createScriptedClient,
  record,
  replay,
  reply,
  storeContract,
  toTest,
  whatIf,
} from 'brooklet/testing';
import {
  arithmeticTool,
  askTool,
  clockTool,
  createMemoryNotes,
  createNotesStore,
  evaluate,
  fetchTool,
  holdAfterUntrusted,
  memoryTools,
  mergeToolMessages,
  notesTools,
  recallTool,
  sandboxTool,
  untrustedContent,
} from 'brooklet/tools';
import { followPageTools, listPageTools, offerTools } from 'brooklet/webmcp';
import { connectAgent, hostAgent } from 'brooklet/worker';
import { createWorkspaceTools, previewChange, undoChange } from 'brooklet/workspace';
import { firstValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { nearestName } from '../../src/core/model/shapes/nearest-name.ts';
import { hooks, optionTakers } from '../support/option-takers.ts';
import { settled } from '../support/manual-client.ts';
import { ask, callIdOf, stage } from '../support/stage.ts';
import { untyped } from '../support/untyped.ts';

const wrong = { zzUnknown: 1 };
const some = untyped(wrong);
const client = createScriptedClient([]);
const baseURL = 'https://api.test/v1';
const tool = { name: 't', description: 'T', input: { type: 'object' }, execute: () => 1 } as const;
const signIn = { redirectUri: 'https://app.test/', clientName: 'c', tokens: untyped({}) } as const;

/** Calls each function with an option that it does not have. Other arguments are right, or are not read before the names are checked. */
const calls: Readonly<Record<string, () => unknown>> = {
  'agui createAGUIClient': () => createAGUIClient({ url: baseURL, ...wrong }),
  'ai-sdk createAISDKClient': () => createAISDKClient(untyped({}), some),
  'anthropic createAnthropicClient': () => createAnthropicClient(some),
  'brooklet createAgent': () => createAgent({ client, ...wrong }),
  'brooklet createChatCompletionsClient': () => createChatCompletionsClient({ baseURL, ...wrong }),
  'brooklet createResponsesClient': () => createResponsesClient({ baseURL, ...wrong }),
  'brooklet defineOutput': () => defineOutput({ schema: { type: 'object' }, ...wrong }),
  'agents agentTool': () => agentTool({ name: 't', description: 'T.', options: { client }, ...wrong }),
  'agents handoffTo': () => handoffTo({ name: 't', description: 'T.', options: { client }, ...wrong }),
  'brooklet defineTool': () => defineTool({ ...tool, ...wrong }),
  'brooklet Agent.createSession': () => stage().agent.createSession(some),
  'brooklet Agent.openSession': () => stage().agent.openSession('a', some),
  'brooklet Agent.schedule': () => {
    const { agent, ports } = stage();
    return agent.schedule('a', 'Hi', ports.now() + 60_000, some);
  },
  'brooklet Agent.setClient': () => stage().agent.setClient(undefined, some),
  'brooklet Agent.forkSession': () => stage().agent.forkSession('a', some),
  'brooklet Agent.chat': () => {
    const { agent, session } = stage();
    return firstValueFrom(agent.chat(session.id, 'Hi', some));
  },
  'brooklet AgentSession.send': () => stage().session.send('Hi', some),
  'brooklet AgentSession.resume': () => stage().session.resume(some),
  'brooklet AgentSession.regenerate': () => stage().session.regenerate(undefined, some),
  'brooklet AgentSession.edit': () => stage().session.edit('m', 'Hi', some),
  'brooklet AgentSession.approve': () => stage().session.approve('c', some),
  'brooklet AgentSession.reject': () => stage().session.reject('c', some),
  'brooklet AgentSession.answer': () => stage().session.answer('c', 1, some),
  'brooklet SessionStore.list': () => createMemoryStore().list(some),
  'devtools mountDevtools': () => mountDevtools(untyped({}), some),
  'encryption decryptStored': () => decryptStored(untyped({}), some),
  'encryption encryptStored': () => encryptStored(untyped({}), some),
  'sync inviteDevice': () => inviteDevice(some),
  'sync openDevices': () => openDevices(some),
  'sync openSharedKey': () => openSharedKey(untyped({}), { passphrase: 'x'.repeat(20), ...wrong }),
  'keys createVault': () => createVault(some),
  'keys Vault.add': () => createVault().add('id', 'key', { baseURL, ...wrong }),
  'keys Vault.addPasskey': () => createVault().addPasskey('p', { userName: 'u', ...wrong }),
  'llm createBuiltInClient': () => createBuiltInClient(some),
  'llm createLocalClient': () => createLocalClient({ load: async () => client }, some),
  'llm createClientFromChunks': () => createClientFromChunks(() => [], some),
  'llm withFallback': () => withFallback([client], some),
  'llm withRetry': () => withRetry(client, some),
  'llm withThinkTags': () => withThinkTags(client, some),
  'mcp-apps mountMCPApp': () => mountMCPApp(untyped({}), some),
  'mcp connectMCP': () => connectMCP({ url: 'https://mcp.test/', ...wrong }),
  'mcp createMCPSignIn': () => createMCPSignIn({ ...signIn, ...wrong }),
  'mcp MCPSignIn.signIn': () => createMCPSignIn({ ...signIn, mailbox: untyped({}) }).signIn('https://mcp.test/', some),
  'nats createNatsStore': () => createNatsStore({ connection: untyped({}), user: 'u', ...wrong }),
  'nats pruneStream': () => pruneStream({ connection: untyped({}), user: 'u', ...wrong }),
  'nats toStreamConfig': () => toStreamConfig({ user: 'u', ...wrong }),
  'openai createOpenAIClient': () => createOpenAIClient(untyped({}), some),
  'providers createProviderClient': () => createProviderClient(openai, some),
  'providers listModels': () => listModels(openai, some),
  'sync createSyncedStore': () => createSyncedStore({ local: createMemoryStore(), device: 'd', ...wrong }),
  'sync SyncedStore.connect': () =>
    createSyncedStore({ local: createMemoryStore(), device: 'd' }).connect(createRemote(createMemoryStore()), some),
  'review-html exportHTML': () => exportHTML(untyped({}), some),
  'review createReview': () => createReview([], some),
  'review followSession': () => followSession(createMemoryStore(), 'a', some),
  'review usageBelow': () => usageBelow(createReview([]), createFileOpener([]), some),
  'review Review.search': () => createReview([]).search('a', some),
  'review Review.play': () => createReview([]).play(some),
  'skills loadSkills': () => loadSkills('https://skills.test/', some),
  'storage createIndexedDBStore': () => createIndexedDBStore(some),
  'storage eraseEverything': () => eraseEverything(some),
  'storage exportAll': () => firstPieceOf(exportAll(createMemoryStore(), some)),
  'storage exportSession': () => exportSession(untyped({ events: [], summary: {} }), some),
  'storage importHistory': () => importHistory(createMemoryStore(), '[]', some),
  'storage importMessages': () => importMessages(createMemoryStore(), '[]', some),
  'storage importSessions': () => importSessions(createMemoryStore(), '', some),
  'storage readExport': () => readExport('', some),
  'storage toMarkdown': () => toMarkdown({ title: '', messages: [] }, some),
  'telemetry toOTLP': () => toOTLP([], some),
  'telemetry usageReport': () => usageReport([], { by: 'model', format: 'csv', ...wrong }),
  'testing createRecordedClient': () => createRecordedClient(untyped({}), some),
  'testing createScriptedClient': () => createScriptedClient([], some),
  'testing record': () => record(client, some),
  'testing replay': () => replay([], some),
  'testing reply': () => reply.text('a', some),
  'testing storeContract': () => storeContract(() => createMemoryStore(), some),
  'testing toTest': () => toTest([], some),
  'testing whatIf': () => whatIf([], { step: 0, client, ...wrong }),
  'tools arithmeticTool': () => arithmeticTool(some),
  'tools askTool': () => askTool(some),
  'tools clockTool': () => clockTool(some),
  'tools createMemoryNotes': () => createMemoryNotes(some),
  'tools createNotesStore': () => createNotesStore(some),
  'tools evaluate': () => evaluate('1', some),
  'tools fetchTool': () => fetchTool({ origins: ['https://a.test'], ...wrong }),
  'tools holdAfterUntrusted': () => holdAfterUntrusted([], some),
  'tools memoryTools': () => memoryTools({ agent: 'a', ...wrong }),
  'tools mergeToolMessages': () => mergeToolMessages(some),
  'tools notesTools': () => notesTools(some),
  'tools recallTool': () => recallTool({ messages: () => [], ...wrong }),
  'tools sandboxTool': () => sandboxTool(some),
  'tools untrustedContent': () => untrustedContent([], some),
  'webmcp followPageTools': () => followPageTools(untyped({}), some),
  'webmcp listPageTools': () => listPageTools(some),
  'webmcp offerTools': () => offerTools([], some),
  'worker ConnectedAgent.disconnect': () =>
    connectAgent(() => untyped({}), { create: () => ({ client }) }).disconnect(some),
  'worker connectAgent': () => connectAgent(() => untyped({}), { create: () => ({ client }), ...wrong }),
  'worker hostAgent': () => hostAgent(() => ({ client }), some),
  'workspace createWorkspaceTools': () => createWorkspaceTools(some),
  'workspace previewChange': () => previewChange(untyped({}), some),
  'workspace undoChange': () => undoChange(untyped({}), some),
};

async function firstPieceOf(pieces: AsyncIterable<string> | Promise<unknown>): Promise<void> {
  if (pieces instanceof Promise) return void (await pieces);
  for await (const _piece of pieces) return;
}

async function refusalOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return error instanceof AgentError ? `${error.code}: ${error.message}` : `not an AgentError: ${String(error)}`;
  }
  return 'accepted';
}

describe('an option of an unknown name', () => {
  test('is tried at every public function that takes options', () => {
    const tried = new Set([...Object.keys(calls), ...hooks]);
    expect(optionTakers().filter((name) => !tried.has(name))).toEqual([]);
    expect(optionTakers().length).toBeGreaterThan(80);
  });

  test.each(Object.entries(calls))('is refused by %s', async (name, call) => {
    const owner = name.replace(/^.*[ .]/, '');
    const refusal = await refusalOf(call);
    expect(refusal).toMatch(/^INVALID_CONFIG: unknown option "zzUnknown" of /);
    expect(refusal).toContain(`of ${owner}`);
  });

  const spellings: readonly (readonly [work: () => unknown, message: string])[] = [
    [
      () => defineTool(untyped({ ...tool, needsAproval: true })),
      '"needsAproval" of defineTool. Did you mean "needsApproval"?',
    ],
    [
      () => defineTool(untyped({ ...tool, needs_approval: true })),
      '"needs_approval" of defineTool. Did you mean "needsApproval"?',
    ],
    [() => defineTool(untyped({ ...tool, requiresApproval: true })), 'Did you mean "needsApproval"?'],
    [() => defineTool(untyped({ ...tool, needsapproval: undefined })), 'Did you mean "needsApproval"?'],
    [() => createAgent(untyped({ client, approve: () => true })), '"approve" of createAgent.'],
    [() => createAgent(untyped({ client, needApproval: () => true })), 'Did you mean "needsApproval"?'],
    [() => createAgent(untyped({ client, systemPrompt: 'x' })), 'Did you mean "instructions"?'],
    [
      () => createAgent(untyped({ client, budget: { token: 1 } })),
      '"token" of createAgent({ budget }). Did you mean "tokens"?',
    ],
    [
      () => createAgent(untyped({ client, context: { triger: 1 } })),
      'of createAgent({ context }). Did you mean "trigger"?',
    ],
    [() => createAgent(untyped({ client, autoResume: { attempt: 1 } })), 'Did you mean "attempts"?'],
    [
      () => stage().session.send('q', untyped({ maxIterations: 1 })),
      '"maxIterations" of send. Did you mean "maxSteps"?',
    ],
    [() => stage().session.send('q', untyped({ budget: { tokns: 1 } })), 'of send({ budget }). Did you mean "tokens"?'],
    [() => stage().session.answer('c', 1, untyped({ reason: 'x' })), '"reason" of answer.'],
    [() => createChatCompletionsClient(untyped({ baseUrl: baseURL })), 'Did you mean "baseURL"?'],
    [() => createChatCompletionsClient(untyped({ baseURL, sealedReasoning: true })), 'of createChatCompletionsClient.'],
    [() => createProviderClient(openai, untyped({ api_key: 'k' })), 'Did you mean "apiKey"?'],
  ];
  test.each(spellings)('%s: %s', async (work, message) => {
    const refusal = await refusalOf(work);
    expect(refusal).toContain('INVALID_CONFIG: unknown option ');
    expect(refusal).toContain(message);
  });

  test('has no suggestion where no name is near', () => {
    expect(nearestName('banana', ['client', 'model'])).toBeUndefined();
    expect(nearestName('x'.repeat(10_000), ['client'])).toBeUndefined();
    expect(nearestName('constructor', ['client'])).toBeUndefined();
    expect(nearestName('modle', ['client', 'model'])).toBe('model');
  });

  test.each([
    ['maxstpes', 'maxSteps'],
    ['axsteps', 'maxSteps'],
    ['maxStepss', 'maxSteps'],
    ['naxSteps', 'maxSteps'],
    ['stroe', 'store'],
    ['tsore', 'store'],
    ['st', undefined],
    ['stxyz', undefined],
  ])('finds what was meant by %s', (name, meant) => {
    expect(nearestName(name, ['client', 'store', 'maxSteps'])).toBe(meant);
  });

  test('is refused in production too', async () => {
    const before = process.env.NODE_ENV;
    process.env.NODE_ENV = 'production';
    try {
      expect(await refusalOf(() => defineTool(untyped({ ...tool, needsAproval: true })))).toContain('INVALID_CONFIG');
    } finally {
      process.env.NODE_ENV = before;
    }
  });
});

describe('another kind of argument', () => {
  const kinds: readonly (readonly [string, () => unknown])[] = [
    ['createSession', () => stage().agent.createSession(untyped('my-id'))],
    ['createSession', () => stage().agent.createSession(untyped(['my-id']))],
    ['createSession', () => stage().agent.createSession(untyped(null))],
    ['openSession', () => stage().agent.openSession('a', untyped('create'))],
    ['forkSession', () => stage().agent.forkSession('a', untyped('m'))],
    ['send', () => stage().session.send('q', untyped('queue'))],
    ['approve', () => stage().session.approve('c', untyped('yes'))],
    ['defineTool', () => defineTool(untyped('t'))],
    ['createAgent', () => createAgent(untyped(client.sendRequest))],
    ['createIndexedDBStore', () => createIndexedDBStore(untyped('my-app'))],
    ['clockTool', () => clockTool(untyped('Asia/Tokyo'))],
    ['createProviderClient', () => createProviderClient(openai, untyped('key'))],
  ];
  test.each(kinds)('in the place of the options of %s is refused', async (_name, work) => {
    expect(await refusalOf(work)).toMatch(/^INVALID_(CONFIG|INPUT): .* (are|is) not an object/);
  });
});

describe('the option `needsApproval` of an agent', () => {
  const ran: string[] = [];
  const tools = ['read', 'write'].map((name) => defineTool({ ...tool, name, execute: () => void ran.push(name) }));

  test.each([
    ['true', () => true],
    ['a text', untyped(() => 'no')],
    ['a promise of true', async () => true],
    ['nothing', untyped(() => undefined)],
    [
      'an error',
      () => {
        throw new Error('broken policy');
      },
    ],
  ])('asks a person where it returns %s, and the tool does not run before', async (_name, needsApproval) => {
    const errors: unknown[] = [];
    const on = stage({ tools, needsApproval, onError: (error) => errors.push(error.cause) });
    ran.length = 0;
    await ask(on, ['write', '{}']);
    expect(on.session.getStatus()).toBe('waiting');
    expect(ran).toEqual([]);
    await on.session.approve(callIdOf(on.session));
    await settled();
    expect(ran).toEqual(['write']);
    expect(errors).toEqual(_name === 'an error' ? [new Error('broken policy')] : []);
  });

  test('lets the tool decide where it returns false, and sees a copy of the call', async () => {
    const seen: unknown[] = [];
    const on = stage({
      tools: [...tools, defineTool({ ...tool, name: 'pay', needsApproval: true })],
      needsApproval(call) {
        seen.push(structuredClone({ name: call.name, input: call.input }));
        Object.assign(call.input ?? {}, { changed: true });
        return false;
      },
    });
    ran.length = 0;
    await ask(on, ['read', '{"a":1}']);
    expect(ran).toEqual(['read']);
    expect(seen).toEqual([{ name: 'read', input: { a: 1 } }]);
    expect(JSON.stringify(on.session.getState())).not.toContain('changed');
    const other = stage({
      tools: [defineTool({ ...tool, name: 'pay', needsApproval: true })],
      needsApproval: () => false,
    });
    await ask(other, ['pay', '{}']);
    expect(other.session.getStatus()).toBe('waiting');
  });
});
