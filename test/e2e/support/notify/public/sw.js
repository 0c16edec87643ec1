// A service worker without events: the page shows its notifications by it.
