import { useEffect, useState } from 'react';

/** Whether a passkey of this device can encrypt (WebAuthn, extension `prf`), as far as the browser reports it. */
async function hasPasskeys(): Promise<boolean> {
  if (typeof PublicKeyCredential === 'undefined') return false;
  try {
    const { 'extension:prf': hasPrf = true } = (await PublicKeyCredential.getClientCapabilities?.()) ?? {};
    return hasPrf && (await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable());
  } catch {
    return false;
  }
}

/** Returns whether a passkey can unlock keys here; `false` until the browser has answered. */
export function useHasPasskeys(): boolean {
  const [isFound, setIsFound] = useState(false);
  useEffect(() => {
    let isMounted = true;
    void hasPasskeys().then((found) => isMounted && setIsFound(found));
    return () => {
      isMounted = false;
    };
  }, []);
  return isFound;
}
