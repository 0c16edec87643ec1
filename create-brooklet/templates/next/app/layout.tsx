import type { ReactNode } from 'react';
import '../src/style.css';

export const metadata = { title: 'Brooklet chat' };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
