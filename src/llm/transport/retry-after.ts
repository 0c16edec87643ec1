/** ms. A service that asks for more means "not today": so long a wait is a person's decision. */
const longest = 3_600_000;

/**
 * Returns how long a service asks to wait, in ms: from its headers (visible to a page only where CORS exposes them), else from a hint in
 * its body: "try again in 1m2.5s", `"retryDelay": "30s"`, `"retry_after": 5`. An hour at most; `undefined` for NaN, negative values and
 * past dates.
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
