export { createVaultCodec } from './create-vault-codec.ts';
export { createAesCodec } from './create-aes-codec.ts';
export { encryptStored } from './encrypt-stored.ts';
export { decryptStored } from './decrypt-stored.ts';
export { openSealedExport, sealExport } from './sealed-export.ts';
export { defineCodec } from '../storage/define-codec.ts';
export type { SealedExport } from './sealed-export.ts';
export type { StoreCodec } from '../storage/store-codec.ts';
export type {
  CodecBytes,
  DecryptStoredOptions,
  DecryptStoredReport,
  EncryptStoredOptions,
  EncryptStoredReport,
  SessionCodec,
} from '../storage/codec.ts';
