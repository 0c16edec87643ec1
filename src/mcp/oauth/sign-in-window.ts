/** A window in which a person signs in. It is open before its address is known. */
export interface SignInWindow {
  /** Leads the window to an address. Returns whether the window is open: a browser may have blocked it, or the person closed it. */
  go(address: string): boolean;
  /** Closes the window, if it was led nowhere. */
  close(): void;
}

/**
 * Opens a window for a sign-in at `host`. Call it in the handler of a click, before any `await`: WebKit blocks a window that is opened after a
 * request, and Chromium one that is opened 5 s after the click.
 *
 * Invariant: the page in the window has no `opener`, since it may be untrusted, and could navigate this tab elsewhere.
 */
export function openSignInWindow(host: string): SignInWindow {
  const opened = window.open('', '_blank', 'popup,width=520,height=720');
  let isEmpty = true;
  if (opened) {
    opened.opener = null;
    // The person sees this while the server is asked where to sign in.
    opened.document.title = host;
    opened.document.body.textContent = `${host} …`;
  }
  return {
    go(address) {
      if (!opened || opened.closed) return false;
      isEmpty = false;
      opened.location.replace(address);
      return true;
    },
    close() {
      if (isEmpty) opened?.close();
      isEmpty = false;
    },
  };
}
