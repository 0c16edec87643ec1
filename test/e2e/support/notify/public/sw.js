// The page shows its notifications by this service worker.
self.addEventListener('install', () => {});
