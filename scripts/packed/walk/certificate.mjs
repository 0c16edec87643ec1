// A certificate for a server of a test on this machine, made anew each time: no key is in the repository.

import { createSign, generateKeyPairSync } from 'node:crypto';

/** Encodes a value as ASN.1 DER does: tag, length, content. @param {number} tag @param {...Uint8Array} contents */
function encode(tag, ...contents) {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** @param {...Uint8Array} contents */
const sequence = (...contents) => encode(0x30, ...contents);

/** `ecdsa-with-SHA256` and `commonName`, as object identifiers. */
const algorithm = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
const commonName = Buffer.from('0603550403', 'hex');

/** @param {number} time */
const toUTCTime = (time) =>
  encode(0x17, Buffer.from(`${new Date(time).toISOString().replace(/\D/g, '').slice(2, 14)}Z`));

/**
 * Creates a key and a certificate that the key itself has signed (X.509, RFC 5280, version 1), valid for a day.
 *
 * @param {string} host
 * @returns {{ readonly key: string, readonly cert: string }} PEM
 */
export function createCertificate(host) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(encode(0x31, sequence(commonName, encode(0x0c, Buffer.from(host)))));
  const day = 24 * 60 * 60_000;
  const validity = sequence(toUTCTime(Date.now() - day / 24), toUTCTime(Date.now() + day));
  const serial = encode(0x02, Buffer.from([1]));
  const subject = publicKey.export({ type: 'spki', format: 'der' });
  const content = sequence(serial, algorithm, name, validity, name, subject);
  const signature = createSign('sha256').update(content).sign(privateKey);
  const signed = sequence(content, algorithm, encode(0x03, Buffer.from([0]), signature));
  const lines = signed.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}
