import { createVaultCodec } from 'brooklet/encryption';
import { vault } from '../keys/vault.ts';

/** Encrypts conversations with the key that encrypts the stored keys. */
export const codec = createVaultCodec(vault);
