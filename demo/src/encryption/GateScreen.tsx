import type { ReactElement, ReactNode } from 'react';
import { BrookMark } from '../ui/Brook.tsx';
import '../styles/gate.css';

interface GateScreenProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A card in the place of the page. */
export function GateScreen({ title, children }: GateScreenProps): ReactElement {
  return (
    <main className="gate">
      <div className="gate-card">
        <BrookMark />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
