const count = (value: number): string => value.toLocaleString('en');

export const keyEnglish = {
  label: 'API key',
  provider: 'Provider',
  field: (provider: string): string => `API key for ${provider}`,
  paste: 'Paste your key',
  optional: 'Usually not needed',
  getKey: (provider: string): string => `Get a key from ${provider}`,
  opening: 'Opening…',
  keep: 'Keep it in',
  tab: 'this tab',
  device: 'this device',
  tabNote: 'In the memory of this tab only. A reload clears it.',
  deviceNote: 'Encrypted in this browser. After a reload you enter the passphrase, not the key.',
  alsoStored: (keys: number): string =>
    keys === 1
      ? 'The other key of this page is stored, too.'
      : `The ${count(keys)} other keys of this page are stored, too.`,
  use: 'Use this key',
  testAndUse: 'Test and use',
  testing: 'Testing…',
  saving: 'Encrypting…',
  cancel: 'Cancel',
  useAnyway: 'Use it anyway',
  inTab: (end: string): string =>
    end === '' ? 'In the memory of this tab' : `In the memory of this tab, ends in ${end}`,
  onDevice: (end: string): string =>
    end === '' ? 'Stored encrypted on this device' : `Stored encrypted on this device, ends in ${end}`,
  noKey: 'Without a key',
  masked: 'Key',
  change: 'Change',
  forget: 'Forget',
  forgetText: 'The key is erased here, and cannot be shown again.',
  newPassphrase: 'New passphrase',
  repeat: 'Repeat the passphrase',
  passphrase: 'Passphrase',
  passphraseNote: 'At least 8 characters. It cannot be recovered: if you forget it, you enter your keys again.',
  alsoPasskey: 'Also unlock with a passkey (fingerprint, face or PIN)',
  locked: 'Your keys are locked',
  lockedText: 'They are stored encrypted on this device.',
  unlock: 'Unlock',
  unlocking: 'Unlocking…',
  usePasskey: 'Use a passkey',
  useTabOnly: 'Use a key in this tab only',
  forgotten: 'Forgot the passphrase?',
  eraseText: 'Without the passphrase the stored keys cannot be read. Erase them, then enter your keys again?',
  erase: 'Erase the keys',
  noPages: 'This service refuses requests from web pages: it needs the address of a proxy of yours.',
  /** Why nothing has happened. */
  problems: {
    empty: 'Paste a key first.',
    characters: 'This has characters that no key contains. Copy the key again.',
    address: 'The address of the service is not a web address.',
    short: 'The passphrase needs at least 8 characters.',
    different: 'The two passphrases are different.',
    wrongPassphrase: 'This passphrase is wrong. Try again.',
    declined: 'The passkey was not used. Try again, or enter the passphrase.',
    noPasskey: 'This browser or device cannot use a passkey here. Enter the passphrase.',
    passkeyNotAdded: 'The key is stored, but no passkey was added.',
  },
  /** What a test has found. */
  verdicts: {
    refused: 'The key was refused',
    refusedText: (host: string): string => `${host} does not accept it. Check that it is complete and not revoked.`,
    forbidden: 'The key may not do this',
    forbiddenText: 'Check its permissions, or use another key.',
    noCredit: 'The account has no credit',
    noCreditText: 'The key is right. Add credit, then try again.',
    noModel: 'There is no such model',
    noModelText: 'The key is right, but the model for the test is not available to it.',
    offline: 'No network',
    offlineText: 'This browser is offline. Connect to a network and try again.',
    cors: 'Blocked by CORS',
    corsText: (host: string, origin: string): string =>
      `${host} is reachable, but does not let pages of ${origin} read its answers.`,
    unreachable: 'Nothing answered',
    unreachableText: (host: string): string => `No server answered at ${host}. Check the address and your network.`,
    busy: 'The service is busy',
    busyText: 'The key was not tested. Wait a moment, then try again.',
    timeout: 'No answer in time',
    timeoutText: (host: string): string => `${host} did not answer. Try again.`,
    other: 'The service refused the request',
  },
};

/** The texts of `KeyField`. */
export type KeyLabels = typeof keyEnglish;
