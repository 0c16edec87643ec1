import { createVaultCodec } from 'brooklet/encryption';
import { vault } from '../keys/vault.ts';
import { host } from './host.ts';

// For conversations that the vault encrypts. Another script has no vault: in its memory the key would be of no use.
host({ codec: createVaultCodec(vault), vault });
