import type { Page } from 'playwright';

/** Waits until the page has loaded nothing for a second: what it loads in idle time is then there. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, 1_000);
        new PerformanceObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(resolve, 1_000);
        }).observe({ type: 'resource' });
      }),
  );
}
