import type { ReactNode } from 'react';
import type { Vault } from '../../keys/index.ts';
import type { Provider, ProviderOptions } from '../../llm/providers/index.ts';
import type { KeyLabels } from '../labels/key-english.ts';

/** A key that can be used. It is not a text: what has it releases it for requests to one origin. */
export interface ReadyKey {
  readonly provider: Provider;
  /** The address for which the key is. */
  readonly baseURL: string;
  /** `tab`: in the memory of this tab. `device`: in the vault, encrypted on the disk. */
  readonly keep: 'tab' | 'device';
  /** The option `apiKey` of a client: rejects with `AUTHENTICATION_FAILED` for any other origin. Missing where none was entered: a server on this machine. */
  readonly apiKey?: ((origin: string) => Promise<string>) | undefined;
  /** The last four characters, of a key of at least 20. */
  readonly lastFour?: string | undefined;
}

/** Props of `KeyField`. */
export interface KeyFieldProps {
  /** Several: the person chooses one. */
  readonly provider: Provider | readonly Provider[];
  /** Called when a key can be used: entered, unlocked, or found in the vault. Make the client with it: `createProviderClient(provider, { baseURL, apiKey, model })`. */
  readonly onReady: (key: ReadyKey) => void;
  /**
   * Called when the person has pressed the button of the field: with a key that was just entered, after `onReady`, or with the one that is there, for
   * which the field shows the button only with this prop. `isTested`: whether the key has passed the test of `test`.
   */
  readonly onUse?: ((key: ReadyKey, use: { readonly isTested: boolean }) => void) | undefined;
  /**
   * Renders fields of the page above the buttons, for example a `ModelPicker`. `apiKey` releases the key that is typed, or the one that is there; what it
   * releases is empty while none is typed.
   */
  readonly renderFields?: ((apiKey: (origin: string) => Promise<string>) => ReactNode) | undefined;
  /** Called when the key was erased. */
  readonly onForget?: ((provider: Provider) => void) | undefined;
  /** Called when the person has chosen another provider. */
  readonly onProvider?: ((provider: Provider) => void) | undefined;
  /** Keeps keys on the device, of `createVault`. Without it a key stays in the memory of this tab. */
  readonly vault?: Vault | undefined;
  /** What is chosen at first. Default: `device` where the vault has stored keys already, else `tab`. */
  readonly keep?: 'tab' | 'device' | undefined;
  /** A key that the page has already: it is shown as masked. */
  readonly ready?: ReadyKey | undefined;
  /** In the place of the provider's address: a region, a proxy. */
  readonly baseURL?: string | undefined;
  /** Id of the key in the vault. Default: the origin of the address. */
  readonly keyId?: string | undefined;
  /** Whether the key is tested with one small request before `onReady`. A text is the model for the test; default: the first that is known or listed. */
  readonly test?: boolean | string | undefined;
  /** Of the request that tests the key: `headers`, `allowLan`, `fetch`, … */
  readonly request?: Omit<ProviderOptions, 'apiKey' | 'baseURL' | 'model'> | undefined;
  /** Names a passkey in the list of the device. Default: the host of the page. */
  readonly userName?: string | undefined;
  readonly labels?: Partial<KeyLabels> | undefined;
  readonly className?: string | undefined;
}

/** Props of `UnlockKeys`. */
export interface UnlockKeysProps {
  readonly vault: Vault;
  readonly onUnlocked?: (() => void) | undefined;
  /** Erases the keys, after the person has confirmed it. Default: `vault.forget`. */
  readonly onErase?: (() => Promise<void>) | undefined;
  readonly labels?: Partial<KeyLabels> | undefined;
  readonly className?: string | undefined;
}
