/** ms. Whoever says longer means "not today": waiting that long is for a person to decide. */
const longest = 3_600_000;

/**
 * How long a service asks to wait, in ms: by its headers (a page sees them only where CORS exposes them), else by a hint in its body:
 * "try again in 1m2.5s", `"retryDelay": "30s"`, `"retry_after": 5`. Nonsense (NaN, negative, past dates) is `undefined`; an hour at most.
 *
 * @param now ms since the epoch
 */
export function retryAfter(
  headers: { get(name: string): string | null } | undefined,
  body: string,
  now: number,
): number | undefined {
  const header = headers?.get('retry-after');
  const inMs = headers?.get('retry-after-ms');
  const [, minutes = 0, count = 0, unit] =
    /(?:(?:again|retry) (?:in|after)|retryDelay"?:|retry_after"?:) ?"?(?:(\d+) ?m(?!s)[a-z]* ?)?(?:([\d.]+) ?(ms|h)?)?/i.exec(
      body,
    ) ?? [];
  const ms = inMs
    ? Number(inMs)
    : header
      ? Number(header) * 1_000 || Date.parse(header) - now
      : Number(minutes) * 60_000 + Number(count) * (unit === 'ms' ? 1 : unit === 'h' ? 3_600_000 : 1_000);
  return ms > 0 ? Math.min(Math.ceil(ms), longest) : undefined;
}
