import type { ReactNode } from 'react';
import '../src/index.css';

export const metadata = { title: 'Brooklet chat', icons: { icon: 'data:,' } };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <div id="root">{children}</div>
      </body>
    </html>
  );
}
