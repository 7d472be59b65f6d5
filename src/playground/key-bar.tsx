import './page.css';
import type { FormEvent, ReactNode } from 'react';
import type { ConnectionState } from './connection.js';

interface KeyBarProps {
  readonly state: ConnectionState;
  /** What follows the user of the key, or the reason why the key was rejected. */
  readonly children?: ReactNode;
}

/** Characters that a header value can contain, checked by the browser before anything is sent. */
const HEADER_VALUE = {
  pattern: '\\s*[!-~]+\\s*',
  title: 'Only ASCII characters, without spaces',
} as const;

/** The other pages. */
const PAGES = [
  { path: '/playground', title: 'Playground' },
  { path: '/sandbox', title: 'Sandbox network' },
  { path: '/connect', title: 'Connect accounts' },
  { path: '/docs', title: 'REST API docs' },
] as const;

/** Form for the API key and the workspace, which every request contains. */
export function KeyBar({ state, children }: KeyBarProps) {
  const { entered, connection, problem, enter: onChange, connect: onConnect } = state;
  const { apiKey, workspaceId } = entered;
  const hasSameKey = connection?.credentials.apiKey === apiKey;
  /** Workspaces to choose from; if there are none, the ID can be typed. */
  const workspaces = connection && hasSameKey ? connection.workspaces : [];
  const connect = (event: FormEvent): void => {
    event.preventDefault();
    onConnect({ apiKey: apiKey.trim(), workspaceId: workspaceId.trim() });
  };
  return (
    <form className="key-bar" onSubmit={connect}>
      <strong>Posts Gateway</strong>
      <label>
        Key{' '}
        <input
          className="secret"
          name="apiKey"
          value={apiKey}
          onChange={({ target }) => onChange({ apiKey: target.value, workspaceId })}
          placeholder="spk_live_…"
          {...HEADER_VALUE}
          required
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      <label>
        Workspace{' '}
        {workspaces.length > 0 ? (
          <select
            name="workspaceId"
            value={workspaceId}
            onChange={({ target }) => onConnect({ apiKey, workspaceId: target.value })}
          >
            {workspaces.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        ) : (
          <input
            name="workspaceId"
            value={workspaceId}
            onChange={({ target }) => onChange({ apiKey, workspaceId: target.value })}
            placeholder="wks_…"
            {...HEADER_VALUE}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </label>
      <button type="submit">Connect</button>
      {problem ? (
        <span className="error" role="alert">
          {problem}
        </span>
      ) : (
        connection && <span className="caller">{connection.caller}</span>
      )}
      {children}
      <nav>
        {PAGES.filter(({ path }) => path !== location.pathname).map(({ path, title }) => (
          <a key={path} href={path}>
            {title}
          </a>
        ))}
      </nav>
    </form>
  );
}
