import { useEffect, useLayoutEffect } from 'react';

/** `useLayoutEffect`, without the warning of React 18 on a server. */
export const usePageEffect: typeof useLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;
