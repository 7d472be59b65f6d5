// Runs nginx outside of a container with the site template of deploy/, for one folder of files.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const TEMPLATE = fileURLToPath(new URL('../deploy/nginx.conf.template', import.meta.url));

const SELF_SIGNED =
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1'.split(
    ' ',
  );

/**
 * Creates a self-signed certificate for localhost in a folder.
 * @throws Error if openssl fails
 */
export function createCertificate(folder) {
  const files = {
    CERTIFICATE: path.join(folder, 'server.crt'),
    CERTIFICATE_KEY: path.join(folder, 'server.key'),
  };
  const args = [...SELF_SIGNED, '-keyout', files.CERTIFICATE_KEY, '-out', files.CERTIFICATE];
  const { status, error, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(
      `Could not create a certificate. Is openssl installed? ${error?.message ?? stderr}`,
    );
  return files;
}

/**
 * Writes nginx.conf to a folder: a main configuration around the site template, whose variables get
 * these values. All files of nginx stay in the folder.
 * @throws Error if nginx rejects the configuration
 */
export function configureNginx(folder, values, program = 'nginx') {
  const variables = { ACCESS_LOG: path.join(folder, 'access.log'), ...values };
  const site = Object.entries(variables).reduce(
    (text, [name, value]) => text.replaceAll(`\${${name}}`, value),
    readFileSync(TEMPLATE, 'utf8'),
  );
  mkdirSync(path.join(folder, 'scratch'));
  const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path scratch/${kind};`)
    .join('\n');
  writeFileSync(
    path.join(folder, 'nginx.conf'),
    `daemon off;\npid nginx.pid;\nerror_log stderr warn;\nevents {}\nhttp {\naccess_log off;\n${scratch}\n${site}}\n`,
  );
  const check = spawnSync(program, nginxArguments(folder, '-t', '-q'), { encoding: 'utf8' });
  if (check.status !== 0)
    throw new Error(
      `Could not validate the nginx configuration. Is nginx installed? ${check.error?.message ?? check.stderr}`,
    );
}

/** Arguments that start nginx with the configuration in a folder. */
export const nginxArguments = (folder, ...options) => [
  '-p',
  folder,
  '-e',
  'stderr',
  '-c',
  path.join(folder, 'nginx.conf'),
  ...options,
];
