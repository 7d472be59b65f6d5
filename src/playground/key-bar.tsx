import { useState, type FormEvent, type ReactNode } from 'react';
import type { Credentials } from './credentials.js';

interface KeyBarProps {
  readonly credentials: Credentials;
  /** What is known of the key: whom it stands for, or why it was refused. */
  readonly children: ReactNode;
  onUse(credentials: Credentials): void;
}

/** What a header can carry; the browser says so before anything is sent. */
const PLAIN = { pattern: '\\s*[!-~]+\\s*', title: 'Letters, digits and _ only' } as const;

/** Key and workspace, which every request carries. */
export function KeyBar({ credentials, children, onUse }: KeyBarProps) {
  const [apiKey, setApiKey] = useState(credentials.apiKey);
  const [workspaceId, setWorkspaceId] = useState(credentials.workspaceId);
  const use = (event: FormEvent): void => {
    event.preventDefault();
    onUse({ apiKey: apiKey.trim(), workspaceId: workspaceId.trim() });
  };
  return (
    <form className="key-bar" onSubmit={use}>
      <strong>Posts Gateway</strong>
      <label>
        Key{' '}
        <input
          className="secret"
          name="apiKey"
          value={apiKey}
          onChange={({ target }) => setApiKey(target.value)}
          placeholder="spk_live_…"
          {...PLAIN}
          required
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      <label>
        Workspace{' '}
        <input
          name="workspaceId"
          value={workspaceId}
          onChange={({ target }) => setWorkspaceId(target.value)}
          placeholder="wks_…"
          {...PLAIN}
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      <button type="submit">Use</button>
      {children}
      <a href="/docs">REST reference</a>
    </form>
  );
}
