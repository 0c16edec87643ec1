import { Subscription } from 'rxjs';
import type { Agent } from '../core/agent/agent.ts';
import { createAgent } from '../core/agent/create-agent.ts';
import type { ScheduledPrompt } from '../core/agent/scheduled-prompt.ts';
import { type ErrorSource, notifyError } from '../core/caught-error.ts';
import { type AgentError, fail, toAgentError, toErrorInfo } from '../core/error.ts';
import { defined } from '../core/json.ts';
import { browserPorts, type Ports } from '../core/ports.ts';
import { getRetry, retryChanges$ } from '../core/retries.ts';
import type { AgentSession } from '../core/session/session.ts';
import { createChannel, type Port } from './channel.ts';
import type { CreateOptions, HostOptions, SharedAgentOptions } from './host-options.ts';
import { createHostPages, type HostPage } from './host-pages.ts';
import { createHostVault } from './host-vault.ts';
import { createHostVerbs } from './host-verbs.ts';
import { toHeld } from './held-prompts.ts';
import { createKeyRing } from './key-ring.ts';
import { createPageTool } from './page-tool.ts';
import type { Presence } from './presence.ts';
import { type HeldPrompts, type HostVerbs, type PageVerbs, type Place, protocol, type ToolOffer } from './protocol.ts';
import { readShared, wrapped } from './shared-options.ts';
import { listenForSignOut } from './sign-out.ts';

/** The agent of a worker, and its connections. */
export interface Host {
  /** Serves a page. */
  accept(port: Port): void;
}

/** ms after which a session that does nothing leaves the memory of the worker. */
const idle = 60_000;
/** Errors that wait for a page. */
const mostErrors = 20;

export interface HostEnv {
  readonly presence: Presence;
  readonly ports?: Partial<Ports> | undefined;
}

/** Creates what `hostAgent` serves. Invariant: the agent is made when a page first asks for a run, with the tools that pages have offered. */
export function createHost(create: CreateOptions, options: HostOptions, { presence, ports: given }: HostEnv): Host {
  const { pageTimeout = 5 * 60_000 } = options;
  const ports: Ports = { ...browserPorts, ...given };
  const pages = createHostPages(presence, ports, () => vault.left());
  const keys = createKeyRing(pages, ports, pageTimeout);
  const vault = createHostVault({
    pages,
    ports,
    ms: pageTimeout,
    isRunning: () => openSessions().some((session) => session.getStatus() === 'running'),
    stored,
    onLocked: keys.forget,
  });
  const workerId = ports.id();
  const lives = presence.hold(`worker:${workerId}`, new AbortController().signal);
  const offered = new Map<string, ToolOffer>();
  const opened = new Set<string>();
  let errors: readonly (readonly [AgentError, ErrorSource])[] = [];
  let made: SharedAgentOptions | undefined;
  let held: { readonly agent: Agent; readonly listening: Subscription } | undefined;
  let listening: (() => void) | undefined;
  /** Lets the agent send planned prompts that are due. */
  let sending: Subscription | undefined;
  let heldPrompts: HeldPrompts = {};
  const orders = new Map<string, Promise<void>>();

  function report(error: AgentError, source: ErrorSource): void {
    if (pages.all().length === 0) errors = [...errors, [error, source] as const].slice(-mostErrors);
    for (const { channel } of pages.all()) channel.tell('error', { error: toErrorInfo(error), source });
  }

  /** The options of the agent, whose vault is known before its first run. */
  function getOptions(): SharedAgentOptions {
    const its = (made ??= readShared(create, { where: 'worker', keyOf: keys.keyOf }));
    vault.use(its.vault);
    return its;
  }

  const openSessions = (): readonly AgentSession[] =>
    [...opened].flatMap((sessionId) => held?.agent.getSession(sessionId) ?? []);

  /** Resolves when what was stored can be read, or cannot be stored. */
  async function stored(): Promise<void> {
    await Promise.allSettled(openSessions().map((session) => session.flushed()));
  }

  function getAgent(): Agent {
    if (held) return held.agent;
    const { vault: _vault, wrapTool: _wrapTool, ...its } = getOptions();
    if (its.store === undefined)
      return fail('INVALID_CONFIG', 'A worker needs a store: its pages read what it stores.');
    const { onError, idleTimeout = idle } = its;
    const agent = createAgent({
      ...its,
      idleTimeout,
      ports: { ...its.ports, ...given },
      onError(error, source) {
        notifyError(onError, error, source);
        report(error, source);
      },
    });
    const listening = new Subscription();
    listening.add(retryChanges$.subscribe(tellRetries));
    listening.add(
      agent.events$.subscribe(({ sessionId, event }) => {
        // A planned prompt opens its session itself.
        if (event.type === 'run.started') opened.add(sessionId);
        if (event.type === 'run.ended') pages.endWaits(sessionId);
      }),
    );
    held = { agent, listening };
    for (const offer of offered.values()) addTool(agent, offer);
    return agent;
  }

  function addTool(agent: Agent, offer: ToolOffer): void {
    try {
      agent.addTool(wrapped(createPageTool(offer, pages, pageTimeout), getOptions().wrapTool));
    } catch (thrown) {
      report(toAgentError(thrown, 'INVALID_CONFIG'), { sessionId: '' });
    }
  }

  /** Invariant: a tool that a closed page has offered stays: its calls wait for the next page. */
  function offer(page: HostPage, tools: readonly ToolOffer[]): void {
    const before = page.tools;
    pages.offer(page, tools);
    for (const one of tools) {
      if (offered.get(one.name)?.version === one.version) continue;
      offered.set(one.name, one);
      if (held) addTool(held.agent, one);
    }
    for (const { name } of before) {
      if (pages.all().some(({ tools }) => tools.some((one) => one.name === name))) continue;
      offered.delete(name);
      held?.agent.removeTool(name);
    }
  }

  function tellRetries(): void {
    for (const sessionId of opened) {
      const found = getRetry(sessionId);
      const retry = found ? { ...found, error: toErrorInfo(found.error) } : null;
      for (const { channel } of pages.all()) channel.tell('retrying', { sessionId, retry });
    }
  }

  function tellHeld(prompts: readonly ScheduledPrompt[]): void {
    heldPrompts = toHeld(prompts);
    for (const { channel } of pages.all()) channel.tell('held', heldPrompts);
  }

  function openSession({ sessionId, instructions }: Place): ReturnType<Agent['openSession']> {
    opened.add(sessionId);
    return getAgent().openSession(sessionId, defined({ instructions }));
  }

  /** Invariant: an order is obeyed once. It comes by the port and by the channel, and what a page begins after it stays. */
  function signOut(orderId: string): Promise<void> {
    const known = orders.get(orderId);
    if (known) return known;
    const leaving = forget();
    orders.set(orderId, leaving);
    return leaving;
  }

  async function forget(): Promise<void> {
    keys.forget();
    errors = [];
    sending?.unsubscribe();
    sending = undefined;
    tellHeld([]);
    const ending = held;
    held = undefined;
    made = undefined;
    if (ending === undefined) return vault.drop();
    const { agent } = ending;
    for (const sessionId of opened) {
      pages.endWaits(sessionId);
      agent.cancel(sessionId);
    }
    opened.clear();
    ending.listening.unsubscribe();
    await agent.dispose();
    vault.drop();
  }

  /** What `create` throws is reported when a run needs the agent. */
  function learnVault(): void {
    try {
      getOptions();
    } catch {
      made = undefined;
    }
  }

  const verbs = createHostVerbs(openSession, ports);

  function accept(port: Port): void {
    let page: HostPage | undefined;
    let takesKeys = false;
    const ours: HostVerbs = {
      ...verbs,
      probe() {
        takesKeys = true;
        return null;
      },
      async hello(hello) {
        await lives;
        if (hello.protocol !== protocol) return { protocol, workerId };
        listening ??= listenForSignOut(hello.group, (orderId) => void signOut(orderId));
        page ??= pages.add(hello, channel);
        learnVault();
        offer(page, hello.tools);
        for (const [error, source] of errors) channel.tell('error', { error: toErrorInfo(error), source });
        errors = [];
        channel.tell('held', heldPrompts);
        return { protocol, workerId, takesKeys };
      },
      planned() {
        sending ??= getAgent().schedules$.subscribe(tellHeld);
        return null;
      },
      offer(tools) {
        if (page) offer(page, tools);
        return null;
      },
      locked({ name, isLocked }) {
        if (page) pages.noteLocked(page, name, isLocked);
        return null;
      },
      async leaving() {
        await stored();
        return null;
      },
      async signOut(orderId) {
        await signOut(orderId);
        return null;
      },
    };
    const channel = createChannel<PageVerbs>(port, ours, true);
  }

  return { accept };
}
