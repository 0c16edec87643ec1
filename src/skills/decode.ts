/** Returns bytes as text; `undefined` for bytes that are not UTF-8, or that contain a NUL as binary files do. */
export function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
