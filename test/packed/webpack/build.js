import { mkdirSync, writeFileSync } from 'node:fs';
import webpack from 'webpack';

const config = {
  mode: 'production',
  entry: './main.ts',
  experiments: { topLevelAwait: true },
  resolve: { extensions: ['.ts', '.js'] },
  module: { rules: [{ test: /\.ts$/, use: 'ts-loader' }] },
  output: { path: `${import.meta.dirname}/public`, filename: 'main.js' },
};
webpack(config, (error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString({ errors: true, all: false }));
});
mkdirSync('public', { recursive: true });
writeFileSync(
  'public/index.html',
  '<!doctype html><html lang="en"><body><script src="main.js"></script></body></html>',
);
