import { fail } from '../core/error.ts';
import { isJsonObject } from '../core/json.ts';
import { named, type OptionNames } from '../core/model/shapes/named.ts';
import { type Notice, type NoticeKind, sentences } from './notice.ts';
import type { NotifyPorts } from './ports.ts';

/** The words of a notification. A lock screen shows them. */
export interface NotifyText {
  /** Default: the title of the session, else that of the page. */
  readonly title?: string;
  /** Default: a sentence that says what happened, without anything of the conversation. */
  readonly body?: string;
}

/** Options of `notify`. */
export interface NotifyOptions {
  /** Which notices there are. Default: all. */
  readonly kinds?: readonly NoticeKind[];
  /** Called with the session of a notification that a person has clicked; the page is in front then. */
  readonly onOpen?: (sessionId: string) => void;
  /** Returns the address of a session: a click leads there, where there is no `onOpen`, and in a service worker. */
  readonly url?: (sessionId: string) => string;
  /** Words a notification, for example without the title of the session. */
  readonly text?: (notice: Notice) => NotifyText;
  /** Language of the default sentences. Default: that of `<html lang>`, else English. */
  readonly language?: 'en' | 'zh';
  /** Separates the notices of several agents of one origin. Default: empty. */
  readonly name?: string;
  /** Replaces the browser, for tests and other environments. */
  readonly ports?: Partial<NotifyPorts>;
}

const names: OptionNames<NotifyOptions> = {
  kinds: true,
  onOpen: true,
  url: true,
  text: true,
  language: true,
  name: true,
  ports: true,
};

/** @throws AgentError `INVALID_CONFIG` */
export function readNotifyOptions(given: NotifyOptions): NotifyOptions {
  const options = { ...named(given, names, 'notify') };
  const { kinds, language, name, ports } = options;
  const refuse = (what: string, must: string): never =>
    fail('INVALID_CONFIG', `The option \`${what}\` of notify must be ${must}.`);
  const isKind = (kind: NoticeKind): boolean => Object.hasOwn(sentences.en, kind);
  if (kinds !== undefined && !(Array.isArray(kinds) && kinds.every(isKind)))
    refuse('kinds', `a list of ${Object.keys(sentences.en).join(', ')}`);
  for (const verb of ['onOpen', 'url', 'text'] as const)
    if (options[verb] !== undefined && typeof options[verb] !== 'function') refuse(verb, 'a function');
  if (language !== undefined && !Object.hasOwn(sentences, language)) refuse('language', '"en" or "zh"');
  if (name !== undefined && typeof name !== 'string') refuse('name', 'a text');
  if (ports !== undefined && !isJsonObject(ports)) refuse('ports', 'an object');
  return { ...options, ...(kinds && { kinds: [...kinds] }) };
}
