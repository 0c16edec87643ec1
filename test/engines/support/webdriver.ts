/** A session of the WebDriver protocol over HTTP: https://www.w3.org/TR/webdriver2/ */
export interface WebDriver {
  readonly capabilities: { readonly browserVersion: string };
  /** Sends one command of the session, e.g. `POST`, `/url`. Rejects with the error of the driver. */
  send<Value>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Value>;
  /** Runs commands in one window. Invariant: nothing else runs between them, since the driver has one current window. */
  inWindow<Value>(handle: string, work: () => Promise<Value>): Promise<Value>;
}

/** The error of a command, e.g. `no such element`. */
export class WebDriverError extends Error {
  override readonly name = 'WebDriverError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

interface Answer<Value> {
  readonly value: Value & { readonly error?: string; readonly message?: string };
}

/** ms for a command. A command that waits in the page has a limit of its own in the driver, 30 s. */
const commandLimit = 90_000;

async function call<Value>(url: string, method: string, body?: object, limit = commandLimit): Promise<Value> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(limit),
  });
  const { value } = (await response.json()) as Answer<Value>;
  if (value?.error !== undefined) throw new WebDriverError(value.error, value.message ?? '');
  return value;
}

/**
 * Opens the session of a driver.
 *
 * @param base address of the driver
 * @param capabilities what every browser must match
 * @param limit ms for the browser to start
 */
export async function openSession(base: string, capabilities: object, limit?: number): Promise<WebDriver> {
  type Session = { readonly sessionId: string; readonly capabilities: WebDriver['capabilities'] };
  const session = await call<Session>(
    `${base}/session`,
    'POST',
    { capabilities: { alwaysMatch: capabilities } },
    limit,
  );
  const path = `${base}/session/${session.sessionId}`;
  let last: Promise<unknown> = Promise.resolve();
  return {
    capabilities: session.capabilities,
    send: (method, command, body) => call(`${path}${command}`, method, body),
    inWindow(handle, work) {
      const next = last.then(async () => {
        await call(`${path}/window`, 'POST', { handle });
        return work();
      });
      last = next.catch(() => {});
      return next;
    },
  };
}
