// The way between plain and encrypted sessions, loaded as a whole when it is first taken.
export { decryptStored } from './decrypt-stored.ts';
export { encryptSession } from './encrypt-session.ts';
export { encryptStored } from './encrypt-stored.ts';
