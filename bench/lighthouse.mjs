// Lets Lighthouse judge Studio, in both themes: accessibility and best practices. Builds Studio first.
// Fails below 100. Needs Lighthouse, which is no dependency: it has 200 packages of its own.
//
//   npm install --no-save --prefix bench lighthouse@12
//   node bench/lighthouse.mjs

import { chromium } from 'playwright';
import { launchArgs } from '../scripts/find-browser.mjs';
import { serveStudio } from '../scripts/serve-studio.mjs';

const categories = ['accessibility', 'best-practices'];
const port = 9_222;

const { default: lighthouse } = await import('lighthouse').catch(() => {
  throw new Error('Install Lighthouse first: npm install --no-save --prefix bench lighthouse@12');
});
const studio = await serveStudio();
const executablePath = process.env.CHROMIUM_PATH;
try {
  for (const theme of ['light', 'dark']) {
    const scheme = `--blink-settings=preferredColorScheme=${theme === 'dark' ? 0 : 1}`;
    const browser = await chromium.launch({
      ...(executablePath && { executablePath }),
      args: [...launchArgs, scheme, `--remote-debugging-port=${port}`],
    });
    try {
      const page = await browser.newPage({ colorScheme: null });
      const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
      if (isDark !== (theme === 'dark')) throw new Error(`The browser does not show the ${theme} theme.`);
      await page.close();
      await judge(theme);
    } finally {
      await browser.close();
    }
  }
} finally {
  await studio.stop();
}

/** @param {string} theme */
async function judge(theme) {
  const flags = { port, onlyCategories: categories, logLevel: 'error' };
  const settings = { formFactor: 'desktop', screenEmulation: { disabled: true } };
  const { lhr } = await lighthouse(studio.url, flags, { extends: 'lighthouse:default', settings });
  for (const { id, score, auditRefs } of Object.values(lhr.categories)) {
    console.log(`${theme}: ${id} ${Math.round((score ?? 0) * 100)}`);
    for (const { id: audit, weight } of auditRefs)
      if (weight > 0 && (lhr.audits[audit].score ?? 1) < 1) console.log(`  ${audit}: ${lhr.audits[audit].title}`);
    if (score !== 1) process.exitCode = 1;
  }
}
