/** Returns bytes as text; `undefined` for bytes that are not UTF-8, or that contain a NUL as binary files do. */
export function decodeText(bytes: Uint8Array, options: TextDecoderOptions = {}): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { ...options, fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
