import { useEffect, useState } from 'react';
import { accessOf, folderChange$ } from './folder.ts';

/** Returns the picked folder, and what the page may do in it. */
export function useFolder(): Awaited<ReturnType<typeof accessOf>> {
  const [folder, setFolder] = useState<Awaited<ReturnType<typeof accessOf>>>({ name: '', access: 'missing' });
  useEffect(() => {
    let isMounted = true;
    const subscription = folderChange$.subscribe(() => {
      accessOf().then(
        (found) => isMounted && setFolder(found),
        () => {},
      );
    });
    return () => {
      isMounted = false;
      subscription.unsubscribe();
    };
  }, []);
  return folder;
}
