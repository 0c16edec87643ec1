import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
}

/** Shows a rendering error in place of the page. The conversations are stored, and a reload shows them again. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly message?: string }> {
  override state: { readonly message?: string } = {};

  static getDerivedStateFromError(thrown: unknown): { readonly message: string } {
    return { message: thrown instanceof Error ? thrown.message : String(thrown) };
  }

  override render(): ReactNode {
    if (this.state.message === undefined) return this.props.children;
    return (
      <div className="broken" role="alert">
        <h2>This page has failed</h2>
        <p>{this.state.message}</p>
        <p>Your conversations are saved.</p>
        <button type="button" className="primary" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    );
  }
}
