import { useState } from 'react';
import { REQUEST_TEXTS } from './request-text.js';
import type { toRequest } from './fetcher.js';

interface ResponsePanelProps {
  /** The response of the last operation; null before the first. */
  readonly response: Response | null;
  /** Reads the request of the active tab. @throws Error if its variables are not JSON */
  readRequest(): ReturnType<typeof toRequest>;
}

type Format = keyof typeof REQUEST_TEXTS;
const FORMATS = Object.keys(REQUEST_TEXTS) as Format[];

/** Below the response: copies the request as a program, and shows the headers of the response. */
export function ResponsePanel({ response, readRequest }: ResponsePanelProps) {
  const [notice, setNotice] = useState('');
  const copy = async (format: Format): Promise<void> => {
    try {
      const url = new URL('/graphql', location.href).href;
      await navigator.clipboard.writeText(REQUEST_TEXTS[format](url, readRequest()));
      setNotice(`Copied as ${format}. It contains the API key.`);
    } catch (error) {
      setNotice(`Not copied: ${(error as Error).message}`);
    }
  };
  return (
    <footer className="response-panel">
      {FORMATS.map((format) => (
        <button key={format} type="button" onClick={() => void copy(format)}>
          Copy as {format}
        </button>
      ))}
      <span role="status">{notice}</span>
      {response && (
        <details>
          <summary>Response headers ({response.status})</summary>
          <pre>{[...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
        </details>
      )}
    </footer>
  );
}
