import { createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { AgentError, type ChatInput, type RunResult } from '../index.ts';
import { english } from '../ui/index.ts';
import { type AgentPlace, createAgentPlace } from './agent-place.ts';
import { ChatProperties } from './ChatProperties.ts';
import type { FrameEnv, ShownChat } from './frame-env.ts';
import { Frame, type FrameProps } from './Frame.tsx';
import { readSettings, type Settings } from './settings.ts';
import { elementSheet } from './styles.ts';
import type { BrookletChatEvents } from './types.ts';
import { labelsOf, wordsIn } from './words.ts';

/**
 * The element `<brooklet-chat>`: a chat with an agent in a shadow tree. Set `agent`, or `provider`, `model` and `apiKey`.
 *
 *     <brooklet-chat provider="openai" model="gpt-5-mini" session-id="help"></brooklet-chat>
 *
 * A property that was set before the element is defined counts. One that changes is followed; the draft stays. A wrong value is an `error` event and a
 * sentence in the element. Removed from the page, the element closes the agent that it created; inserted again, it continues the session.
 */
export class BrookletChat extends ChatProperties {
  #root: Root | undefined;
  readonly #agents: AgentPlace = createAgentPlace({
    getKey: () => this.props.apiKey,
    onClosed: () => this.changed(),
    onError: (error) => void this.#emit('error', error),
  });
  #shown: FrameProps | undefined;
  #chat: ShownChat | undefined;
  #draft = '';
  #isOpen = false;
  #unread = 0;
  #chatKey = 0;
  #isScheduled = false;
  #reported = '';
  #before: Element | null = null;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [elementSheet()];
    root.addEventListener('slotchange', () => this.changed());
  }

  connectedCallback(): void {
    this.upgradeProperties();
    this.changed();
  }

  disconnectedCallback(): void {
    // An element that was moved is connected again by then.
    queueMicrotask(() => {
      if (!this.isConnected) this.#release();
    });
  }

  /** Whether the chat of a launcher is open. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Sends a message, as a person does. Resolves when the run that answers it has ended or waits for a decision; with `undefined` where a listener
   * of `send` has prevented it, or where it was refused, which is an `error` event.
   *
   * Rejects with `INVALID_CONFIG` while the element shows no chat.
   */
  async send(input: string | ChatInput): Promise<RunResult | undefined> {
    this.#render();
    await this.#agents.settled();
    this.#render();
    if (!this.#chat)
      throw new AgentError('<brooklet-chat>: it shows no chat. It needs to be in the page, with valid properties.', {
        code: 'INVALID_CONFIG',
      });
    return this.#chat.send(input, { whenBusy: 'queue' });
  }

  /** Stops the run. Nothing happens where none is active. */
  stop(): void {
    this.#chat?.stop();
  }

  /** Opens the chat of a launcher, and focuses its field. */
  open(): void {
    if (!this.#isOpen) this.#before = document.activeElement;
    this.#isOpen = true;
    this.#unread = 0;
    this.#render();
    this.focus();
  }

  /** Closes the chat of a launcher. A run continues. The focus returns to where it was. */
  close(): void {
    const hadFocus = document.activeElement === this;
    this.#isOpen = false;
    this.#render();
    if (!hadFocus) return;
    const { body } = document;
    const back = this.#before;
    if (back instanceof HTMLElement && back !== body && back !== this && back.isConnected) back.focus();
    else this.shadowRoot?.querySelector<HTMLElement>('.bk-launcher')?.focus();
  }

  /** Begins another session with the next message. The draft stays. */
  newChat(): void {
    this.created = undefined;
    this.props.sessionId = undefined;
    this.#chatKey += 1;
    this.changed();
  }

  override addEventListener<Type extends keyof BrookletChatEvents>(
    type: Type,
    listener: (this: BrookletChat, event: BrookletChatEvents[Type]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void {
    super.addEventListener(type, listener, options);
  }

  /** Focuses the field; while the chat of a launcher is closed, its button. */
  override focus(options?: FocusOptions): void {
    const target = '.bk-frame:not([hidden]) [data-focus-home]';
    const { shadowRoot } = this;
    const home =
      shadowRoot?.querySelector<HTMLElement>(target) ?? shadowRoot?.querySelector<HTMLElement>('.bk-launcher');
    home?.focus(options);
  }

  /** Several properties that change together are one change. @internal */
  protected override changed(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      if (this.#isScheduled) this.#render();
    });
  }

  #render(): void {
    this.#isScheduled = false;
    if (!this.isConnected) return;
    const props = this.#toFrame();
    if (props === undefined) return;
    this.#shown = props;
    this.#root ??= createRoot(this.#place());
    this.#root.render(createElement(Frame, props));
  }

  /** What the tree is rendered into. */
  #place(): Element {
    const { shadowRoot } = this;
    const place = document.createElement('div');
    place.className = 'bk-place';
    shadowRoot?.replaceChildren(place);
    return place;
  }

  /** What is shown now; `undefined` while the agent before is being closed: what was shown stays. */
  #toFrame(): FrameProps | undefined {
    const language = this.lang || this.closest<HTMLElement>('[lang]')?.lang || '';
    const env = this.#env(language);
    let settings: Settings | undefined;
    try {
      settings = readSettings(this.props);
      const { launcher, theme } = settings;
      const agent = this.#agents.take(settings.agent, this.props.tools);
      if (agent === undefined) return this.#shown && { ...this.#shown, ...env };
      this.#reported = '';
      const labels = labelsOf({
        language,
        own: settings.labels,
        placeholder: settings.placeholder,
        welcome: settings.welcome,
      });
      const welcome = labels.chat?.welcome ?? english.chat.welcome;
      const sessionId = settings.sessionId ?? this.created;
      return { ...env, agent, sessionId, labels, welcome, launcher, theme, chatKey: this.#chatKey };
    } catch (thrown) {
      const problem =
        thrown instanceof AgentError ? thrown : new AgentError(String(thrown), { code: 'INVALID_CONFIG' });
      this.#report(problem);
      const { launcher, theme = 'auto' } = settings ?? {
        launcher: this.props.launcher === undefined ? undefined : 'end',
      };
      return { ...env, problem, launcher, theme };
    }
  }

  #env(language: string): FrameEnv {
    return {
      words: wordsIn(language),
      direction: getComputedStyle(this).direction === 'rtl' ? 'rtl' : 'ltr',
      isOpen: this.#isOpen,
      unread: this.#unread,
      draft: this.#draft,
      setDraft: this.#setDraft,
      toSend: this.#toSend,
      onChat: this.#onChat,
      onOpen: this.#onOpen,
      onClose: this.#onClose,
      listeners: this.#listeners,
      hasSlot: (name) => this.querySelector(`:scope > [slot="${name}"]`) !== null,
    };
  }

  readonly #setDraft = (text: string): void => {
    this.#draft = text;
    this.#render();
  };
  readonly #onOpen = (): void => this.open();
  readonly #onClose = (): void => this.close();
  readonly #onChat = (chat: ShownChat | undefined): void => void (this.#chat = chat);
  readonly #toSend = (chat: ShownChat): ShownChat => ({
    ...chat,
    send: async (input, options) => {
      const text = typeof input === 'string' ? input : textOf(input);
      return this.#emit('send', { text, input }, true) ? chat.send(input, options) : undefined;
    },
  });

  readonly #listeners: FrameEnv['listeners'] = {
    onFinish: (result) => {
      this.#count();
      this.#emit('finish', result);
    },
    onError: (error) => void this.#emit('error', error),
    onApproval: (call) => {
      this.#count();
      this.#emit('approval', call);
    },
    onSessionCreated: (sessionId) => {
      this.created = sessionId;
      this.changed();
      this.#emit('sessioncreated', { sessionId });
    },
    onNewChat: () => this.newChat(),
  };

  /** Something new behind a launcher that is closed. */
  #count(): void {
    if (this.#isOpen) return;
    this.#unread += 1;
    this.changed();
  }

  /** Returns whether no listener has prevented it. */
  #emit<Type extends keyof BrookletChatEvents>(
    type: Type,
    detail: BrookletChatEvents[Type]['detail'],
    cancelable = false,
  ): boolean {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable }));
  }

  /** Each problem once. */
  #report(problem: AgentError): void {
    if (this.#reported === problem.message) return;
    this.#reported = problem.message;
    this.#emit('error', problem);
  }

  /** Lets go of everything. What a person has typed, and which session was shown, stay for the next time. */
  #release(): void {
    this.#root?.unmount();
    this.#root = undefined;
    this.#shown = undefined;
    this.#reported = '';
    this.shadowRoot?.replaceChildren();
    this.#agents.release();
  }
}

const textOf = ({ content }: ChatInput): string =>
  typeof content === 'string' ? content : content.map((one) => (one.type === 'text' ? one.text : '')).join('');

declare global {
  interface HTMLElementTagNameMap {
    'brooklet-chat': BrookletChat;
  }
}
