import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

/** What a `CryptoKey` stands for here. */
interface Key {
  readonly key: KeyObject;
}

/**
 * The part of WebCrypto that a device uses (ECDSA with P-256 and SHA-256), by OpenSSL as in Node's own, but resolved within the turn: a test with
 * virtual time neither waits for threads of the platform nor plays in their order.
 */
const subtle = {
  async generateKey() {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return { publicKey: { key: publicKey }, privateKey: { key: privateKey } };
  },
  async sign(_algorithm: unknown, { key }: Key, data: Uint8Array) {
    return bufferOf(sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' }));
  },
  async verify(_algorithm: unknown, { key }: Key, signature: Uint8Array, data: Uint8Array) {
    return verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature);
  },
  async importKey(format: string, bytes: ArrayBuffer | Uint8Array): Promise<Key> {
    const buffer = Buffer.from(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes));
    if (format === 'pkcs8') return { key: createPrivateKey({ key: buffer, format: 'der', type: 'pkcs8' }) };
    // An uncompressed point.
    if (buffer.length !== 65 || buffer[0] !== 4) throw new DOMException('Invalid key', 'DataError');
    const x = buffer.subarray(1, 33).toString('base64url');
    const y = buffer.subarray(33).toString('base64url');
    return { key: createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' }) };
  },
  async exportKey(format: string, { key }: Key) {
    if (format === 'pkcs8') return bufferOf(key.export({ format: 'der', type: 'pkcs8' }));
    const { x = '', y = '' } = key.export({ format: 'jwk' });
    return bufferOf(Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]));
  },
  async digest(algorithm: string, data: Uint8Array) {
    if (algorithm !== 'SHA-256') throw new DOMException(`No digest ${algorithm}`, 'NotSupportedError');
    return bufferOf(createHash('sha256').update(data).digest());
  },
};

function bufferOf(bytes: Buffer): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}

/** Replaces `crypto.subtle` of this process until the returned function is called. */
export function installImmediateCrypto(): () => void {
  const original = Object.getOwnPropertyDescriptor(globalThis, 'crypto');
  const { crypto } = globalThis;
  Object.defineProperty(globalThis, 'crypto', {
    configurable: true,
    value: {
      subtle,
      getRandomValues: crypto.getRandomValues.bind(crypto),
      randomUUID: crypto.randomUUID.bind(crypto),
    },
  });
  return () => {
    if (original) Object.defineProperty(globalThis, 'crypto', original);
  };
}
