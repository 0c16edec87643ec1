import { isJsonObject, type Json } from '../../core/json.ts';
import { toList, toObject, toText } from '../../core/model/read-json.ts';
import { excerpt, MCPError } from '../errors.ts';
import type { MCPServer } from '../types.ts';
import { apps } from '../versions.ts';

/** The interface of a tool, as its server describes it. Untrusted. */
export interface MCPApp {
  readonly html: string;
  readonly csp: MCPAppCsp;
  readonly permissions: readonly MCPAppPermission[];
}

/** A feature of the browser that an interface may ask for, by its name in the description. */
export type MCPAppPermission = 'camera' | 'microphone' | 'geolocation' | 'clipboardWrite';

/** Origins by purpose. A wildcard for subdomains is possible: `https://*.example.com`. */
export interface MCPAppCsp {
  /** Of requests. */
  readonly connectDomains: readonly string[];
  /** Of scripts, styles, images, fonts and media. */
  readonly resourceDomains: readonly string[];
  /** Of frames. */
  readonly frameDomains: readonly string[];
}

const permissions: readonly MCPAppPermission[] = ['camera', 'microphone', 'geolocation', 'clipboardWrite'];
/** Of one purpose. */
const maxOrigins = 20;
const remote = /^(https|wss):\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+(:\d{1,5})?$/i;
const local = /^(http|ws):\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/;

/** Reads an interface from its server. Rejects with `MCPError`, `malformed` for anything other than an interface. */
export async function readApp(server: MCPServer, uri: string): Promise<MCPApp> {
  const found = (await server.readContents(uri)).find((content) => content.uri === uri) ?? {};
  const html = toText(found.text) || decode(toText(found.blob));
  if (found.mimeType !== apps.mimeType || html === '')
    throw new MCPError('malformed', `${server.name} has no interface at ${excerpt(uri)}: its owner must correct it.`);
  const ui = toObject(toObject(found._meta).ui);
  const { connectDomains, resourceDomains, frameDomains } = toObject(ui.csp);
  const wanted = toObject(ui.permissions);
  return {
    html,
    csp: {
      connectDomains: readOrigins(connectDomains),
      resourceDomains: readOrigins(resourceDomains),
      frameDomains: readOrigins(frameDomains),
    },
    permissions: permissions.filter((name) => isJsonObject(wanted[name])),
  };
}

/** Returns the origins of a list. Anything else is left out: a text of a server must not become a directive of a policy. */
function readOrigins(list: Json | undefined): readonly string[] {
  return toList(list)
    .map(toText)
    .filter((text) => remote.test(text) || local.test(text))
    .slice(0, maxOrigins);
}

/** Returns the text in base64, as UTF-8; an empty text for anything else. */
function decode(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return '';
  }
}

/** Whether an interface wants to reach other origins. */
export function wantsNetwork({ connectDomains, resourceDomains, frameDomains }: MCPAppCsp): boolean {
  return connectDomains.length + resourceDomains.length + frameDomains.length > 0;
}

/** Returns the value of `allow` of a frame. An opaque origin has no name: the features are for whatever the frame shows. */
export function toAllow(names: readonly MCPAppPermission[]): string {
  return names.map((name) => `${name === 'clipboardWrite' ? 'clipboard-write' : name} *`).join('; ');
}
