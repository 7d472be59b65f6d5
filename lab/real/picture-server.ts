import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { removeFolder, temporaryFolder } from '../../test/setup/test-server.js';

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/**
 * Serves one picture under any name: over http, which the adapter alone accepts for localhost, and
 * over https, which the APIs require.
 */
export interface PictureServer {
  /** Path of the self-signed certificate. */
  readonly certificate: string;
  url(name: string, scheme?: 'http' | 'https'): string;
  close(): void;
}

export async function startPictureServer(): Promise<PictureServer> {
  const folder = temporaryFolder();
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
  createCertificate(key, certificate);
  const serve: RequestListener = (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(PNG);
  };
  const servers = {
    http: createHttpServer(serve),
    https: createHttpsServer({ key: readFileSync(key), cert: readFileSync(certificate) }, serve),
  };
  for (const server of [servers.http, servers.https])
    await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    certificate,
    url: (name, scheme = 'http') =>
      `${scheme}://localhost:${(servers[scheme].address() as AddressInfo).port}/${name}`,
    close() {
      servers.http.close();
      servers.https.close();
      removeFolder(folder);
    },
  };
}

function createCertificate(key: string, certificate: string): void {
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', key, '-out', certificate];
  const options = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...options, ...subject, ...files], { stdio: 'ignore' });
}
