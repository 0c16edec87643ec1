import { attributes, propertyNames } from './properties.ts';
import type { BrookletChatProps } from './types.ts';

/** On a server there are no elements: the module can be imported there, and shows nothing. */
function toBase(): typeof HTMLElement;
function toBase(): unknown {
  return typeof HTMLElement === 'undefined' ? Object : HTMLElement;
}

const Base: typeof HTMLElement = toBase();

/** The properties of the element and their attributes: whichever was set last counts. */
export abstract class ChatProperties extends Base {
  static readonly observedAttributes: readonly string[] = [...attributes.keys(), 'lang'];

  /** @internal */
  protected readonly props: BrookletChatProps = {};
  /** Id of the session that the first message has created. @internal */
  protected created: string | undefined;

  /** Called after each change. @internal */
  protected abstract changed(): void;

  /** @internal */
  attributeChangedCallback(attribute: string, _before: string | null, value: string | null): void {
    const name = attributes.get(attribute);
    if (name === undefined) this.changed();
    else this.setProperty(name, value);
  }

  /** A property that was set before the element was defined is one of the object, and hides that of the class. @internal */
  protected upgradeProperties(): void {
    for (const name of propertyNames) {
      if (!Object.hasOwn(this, name)) continue;
      const value: unknown = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      this.setProperty(name, value);
    }
  }

  /** Sets a value of any type: what it takes is checked when it is shown. @internal */
  protected setProperty(name: keyof BrookletChatProps, value: unknown): void {
    const given = value ?? undefined;
    if (name === 'sessionId') {
      // A page that binds the id gives back what the event has said.
      if (given === this.created && this.props.sessionId === undefined) return;
      this.created = undefined;
    }
    if (this.props[name] === given) return;
    Reflect.set(this.props, name, given);
    this.changed();
  }

  /** See `BrookletChatProps`. */
  get agent(): BrookletChatProps['agent'] {
    return this.props.agent;
  }
  set agent(value: BrookletChatProps['agent']) {
    this.setProperty('agent', value);
  }

  /** See `BrookletChatProps`. */
  get provider(): BrookletChatProps['provider'] {
    return this.props.provider;
  }
  set provider(value: BrookletChatProps['provider']) {
    this.setProperty('provider', value);
  }

  /** See `BrookletChatProps`. */
  get model(): BrookletChatProps['model'] {
    return this.props.model;
  }
  set model(value: BrookletChatProps['model']) {
    this.setProperty('model', value);
  }

  /** See `BrookletChatProps`. */
  get baseURL(): BrookletChatProps['baseURL'] {
    return this.props.baseURL;
  }
  set baseURL(value: BrookletChatProps['baseURL']) {
    this.setProperty('baseURL', value);
  }

  /** See `BrookletChatProps`. */
  get apiKey(): BrookletChatProps['apiKey'] {
    return this.props.apiKey;
  }
  set apiKey(value: BrookletChatProps['apiKey']) {
    this.setProperty('apiKey', value);
  }

  /** See `BrookletChatProps`. */
  get instructions(): BrookletChatProps['instructions'] {
    return this.props.instructions;
  }
  set instructions(value: BrookletChatProps['instructions']) {
    this.setProperty('instructions', value);
  }

  /** See `BrookletChatProps`. */
  get tools(): BrookletChatProps['tools'] {
    return this.props.tools;
  }
  set tools(value: BrookletChatProps['tools']) {
    this.setProperty('tools', value);
  }

  /** See `BrookletChatProps`. */
  get sessionId(): BrookletChatProps['sessionId'] {
    return this.props.sessionId ?? this.created;
  }
  set sessionId(value: BrookletChatProps['sessionId']) {
    this.setProperty('sessionId', value);
  }

  /** See `BrookletChatProps`. */
  get theme(): BrookletChatProps['theme'] {
    return this.props.theme;
  }
  set theme(value: BrookletChatProps['theme']) {
    this.setProperty('theme', value);
  }

  /** See `BrookletChatProps`. */
  get labels(): BrookletChatProps['labels'] {
    return this.props.labels;
  }
  set labels(value: BrookletChatProps['labels']) {
    this.setProperty('labels', value);
  }

  /** See `BrookletChatProps`. */
  get placeholder(): BrookletChatProps['placeholder'] {
    return this.props.placeholder;
  }
  set placeholder(value: BrookletChatProps['placeholder']) {
    this.setProperty('placeholder', value);
  }

  /** See `BrookletChatProps`. */
  get welcome(): BrookletChatProps['welcome'] {
    return this.props.welcome;
  }
  set welcome(value: BrookletChatProps['welcome']) {
    this.setProperty('welcome', value);
  }

  /** See `BrookletChatProps`. */
  get launcher(): BrookletChatProps['launcher'] {
    return this.props.launcher;
  }
  set launcher(value: BrookletChatProps['launcher']) {
    this.setProperty('launcher', value);
  }
}
