import { useState, type FormEvent } from 'react';
import { networkName } from '../playground/network-name.js';
import type { ConnectableNetwork, ConsentWay, CredentialField } from './connect-api.js';

/** Networks whose accounts are on a server that the person names. */
const SERVERS: Readonly<Record<string, { readonly label: string; readonly example: string }>> = {
  MASTODON: { label: 'Address of your instance', example: 'mastodon.social' },
  WORDPRESS: { label: 'Address of your blog', example: 'https://blog.example.com' },
};

/** Networks on which people give consent in several ways, which the form lets them choose from. */
const WAYS: Readonly<Record<string, Readonly<Partial<Record<ConsentWay, string>>>>> = {
  INSTAGRAM: { own: 'Your account', facebook: 'Accounts of your Facebook pages' },
  LINKEDIN: { own: 'Your profile', pages: 'Pages that you administer' },
};

/** Text with a button that copies it. */
export function CopyableText({ text, label }: { text: string; label: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => setIsCopied(true));
  return (
    <span className="copyable">
      <code>{text}</code>{' '}
      <button type="button" aria-label={`Copy ${label}`} onClick={copy}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </span>
  );
}

/** `appPassword` as “App password”. */
function labelOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function CredentialInput({ field }: { field: CredentialField }) {
  const { name, description, optional, secret } = field;
  return (
    <label>
      <span>
        {labelOf(name)}
        {optional && ' (optional)'}
      </span>
      <input
        name={name}
        type={secret ? 'password' : 'text'}
        required={!optional}
        autoComplete="off"
        spellCheck={false}
        aria-describedby={`about-${name}`}
      />
      <small id={`about-${name}`}>{description}</small>
    </label>
  );
}

/** What the form of a network needs, and what happens with what is entered. */
export interface NetworkFormProps {
  readonly network: ConnectableNetwork;
  /** The name of the account to connect again; null for a new account. */
  readonly reconnected: string | null;
  onConsent(entered: Readonly<Record<string, string>>): Promise<void>;
  onCredentials(credentials: Readonly<Record<string, string>>): Promise<void>;
}

/** The form with which an account of a network is connected. */
export function NetworkForm({ network, reconnected, onConsent, onCredentials }: NetworkFormProps) {
  const [isBusy, setIsBusy] = useState(false);
  const { connects, configured, redirectUrl, missingSettings, credentials } = network;
  const name = networkName(network.network);
  const server = SERVERS[network.network];
  const ways = WAYS[network.network];
  const submit =
    (send: (entered: Record<string, string>) => Promise<void>) => (event: FormEvent) => {
      event.preventDefault();
      const entered = [...new FormData(event.target as HTMLFormElement)]
        .map(([field, value]) => [field, (value as string).trim()] as const)
        .filter(([, value]) => value !== '');
      setIsBusy(true);
      void send(Object.fromEntries(entered)).finally(() => setIsBusy(false));
    };
  return (
    <section className="network-form" aria-labelledby="network-form">
      <h3 id="network-form">
        {reconnected === null ? `Connect ${name}` : `Connect ${reconnected} again`}
      </h3>
      {connects.length === 0 && <p>The gateway does not publish to {name} yet.</p>}
      {connects.includes('OAUTH') &&
        (configured ? (
          <form onSubmit={submit(onConsent)}>
            {server && (
              <label>
                <span>{server.label}</span>
                <input name="server" placeholder={server.example} required spellCheck={false} />
              </label>
            )}
            {ways && (
              <label>
                <span>What to connect</span>
                <select name="way">
                  {Object.entries(ways).map(([way, label]) => (
                    <option key={way} value={way}>
                      {label}
                    </option>
                  ))}
                </select>
              </label>
            )}
            <p>{name} asks you for consent on a page of its own, and then sends you back here.</p>
            <button type="submit" disabled={isBusy}>
              Continue to {name}
            </button>
          </form>
        ) : (
          <div className="setup">
            <p>
              Before accounts can be connected, the operator of the gateway registers an app at{' '}
              {name} and sets{' '}
              {missingSettings.map((setting, index) => (
                <span key={setting}>
                  {index > 0 && ', '}
                  <code>{setting}</code>
                </span>
              ))}
              .
            </p>
            {redirectUrl && (
              <p>
                Redirect address of the app:{' '}
                <CopyableText text={redirectUrl} label="the redirect address" />
              </p>
            )}
          </div>
        ))}
      {connects.includes('CREDENTIALS') && (
        <form onSubmit={submit(onCredentials)}>
          {connects.includes('OAUTH') && <h4>Or enter credentials</h4>}
          {credentials.map((field) => (
            <CredentialInput key={field.name} field={field} />
          ))}
          <button type="submit" disabled={isBusy}>
            Connect
          </button>
        </form>
      )}
    </section>
  );
}

/** The networks as buttons. */
export function NetworkButtons({
  networks,
  chosen,
  onChoose,
}: {
  networks: readonly ConnectableNetwork[];
  chosen: string | null;
  onChoose(network: string): void;
}) {
  return (
    <ul className="networks">
      {networks.map(({ network, connects, configured }) => (
        <li key={network}>
          <button
            type="button"
            aria-expanded={network === chosen}
            onClick={() => onChoose(network)}
          >
            {networkName(network)}
            {connects.includes('OAUTH') && !configured && <small>not set up</small>}
          </button>
        </li>
      ))}
    </ul>
  );
}
