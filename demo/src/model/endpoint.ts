/** A model at an address. The key is not part of the endpoint: the vault has it (`keys/vault.ts`). */
export interface Endpoint {
  /** Which provider of the package speaks there: see `settings/providers.ts`. */
  readonly providerId: string;
  readonly baseURL: string;
  readonly model: string;
  readonly needsKey: boolean;
}
