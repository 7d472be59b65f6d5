import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../../test/setup/free-port.js';
import { removeFolder, temporaryFolder } from '../../test/setup/test-server.js';
import { waitForServer } from './wait-for-server.js';

/**
 * A real blog on this machine, from Debian packages, with its own database server. Other servers
 * are not affected.
 */
export interface RealBlog {
  readonly url: string;
  /** Runs PHP inside WordPress, like a plugin, and returns its result. */
  php(code: string): any;
  stop(): Promise<void>;
}

/** Required packages; none of them starts a service. */
const PACKAGES = ['php-cli', 'php-mysql', 'php-gd', 'mariadb-server-core', 'mariadb-client-core'];
const REQUIRED_PROGRAMS = [
  '/usr/bin/php',
  '/usr/sbin/mariadbd',
  '/usr/bin/mariadb-install-db',
  '/usr/bin/mariadb',
];
const INSTALLED = '/usr/share/wordpress';

const apt = (args: readonly string[], cwd = '/'): void =>
  void execFileSync('apt-get', args, {
    cwd,
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
const hasPhpModules = (): boolean =>
  /\bgd\b[^]*\bmysqli\b/.test(execFileSync('php', ['-m'], { encoding: 'utf8' }));

/** @throws Error that names the packages to install, if this user cannot install them */
function install(): void {
  if (REQUIRED_PROGRAMS.every((file) => existsSync(file)) && hasPhpModules()) return;
  if (!existsSync('/usr/bin/apt-get') || os.userInfo().uid !== 0)
    throw new Error(
      `test:wordpress needs the Debian packages ${PACKAGES.join(', ')}: install them, or run it as root on Debian.`,
    );
  process.stderr.write(`Installing Debian's ${PACKAGES.join(', ')} …\n`);
  apt(['update']);
  apt(['install', '-y', '--no-install-recommends', ...PACKAGES]);
}

/**
 * Creates a folder with Debian's WordPress: a copy of the installed package, or else the unpacked
 * package, because installing it would also install and start a web server.
 */
function unpackWordpress(folder: string): string {
  const site = path.join(folder, INSTALLED);
  if (existsSync(path.join(INSTALLED, 'wp-settings.php')))
    cpSync(INSTALLED, site, { recursive: true });
  else {
    process.stderr.write("Fetching Debian's wordpress …\n");
    try {
      apt(['download', 'wordpress'], folder);
    } catch {
      throw new Error(
        'test:wordpress needs the Debian package wordpress, and apt-get download wordpress fails.',
      );
    }
    const archive = readdirSync(folder).find((name) => /^wordpress_.*\.deb$/.test(name))!;
    execFileSync('dpkg-deb', ['-x', path.join(folder, archive), folder]);
  }
  return site;
}

/**
 * Serves existing files, and everything else through WordPress, like the rewrite rule of a web
 * server.
 */
const ROUTER =
  "<?php $file = __DIR__ . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH); if (is_file($file)) return false; $_SERVER['SCRIPT_NAME'] = '/index.php'; require __DIR__ . '/index.php';";

const config = (port: number, url: string): string => `<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', ''); define('DB_HOST', '127.0.0.1:${port}'); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
define('WP_HOME', '${url}'); define('WP_SITEURL', '${url}');
// WordPress accepts application passwords over http only in a local environment. Outgoing requests
// are disabled.
define('WP_ENVIRONMENT_TYPE', 'local'); define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true); define('AUTOMATIC_UPDATER_DISABLED', true);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;

const SETUP = `require_once ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Kiosk', 'ada', 'ada@example.com', true, '', 'a long password');
global $wp_rewrite; $wp_rewrite->set_permalink_structure('/%postname%/'); $wp_rewrite->flush_rules();`;

/** Starts a blog in a temporary folder. */
export async function startWordpress(): Promise<RealBlog> {
  install();
  const folder = temporaryFolder();
  const [databasePort, sitePort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${sitePort}`;
  const children: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(children.map(terminate));
    removeFolder(folder);
  };
  try {
    const site = unpackWordpress(folder);
    writeFileSync(path.join(site, 'wp-config.php'), config(databasePort, url));
    writeFileSync(path.join(folder, 'router.php'), ROUTER.replaceAll('__DIR__', `'${site}'`));
    children.push(startMariadb(path.join(folder, 'database'), databasePort));
    const php = (code: string, before = ''): any => {
      const script = `$_SERVER['HTTP_HOST'] = '127.0.0.1:${sitePort}'; ${before} require '${site}/wp-load.php'; echo "\\n" . json_encode((function () { ${code} })());`;
      return JSON.parse(
        execFileSync('php', ['-d', 'display_errors=stderr', '-r', script], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        })
          .split('\n')
          .at(-1)!,
      );
    };
    await waitForServer(
      () =>
        succeeds(() =>
          execFileSync(
            'mariadb',
            [
              '--no-defaults',
              '-h127.0.0.1',
              `-P${databasePort}`,
              '-uroot',
              '-e',
              'CREATE DATABASE IF NOT EXISTS wordpress',
            ],
            { stdio: 'ignore' },
          ),
        ),
      'MariaDB',
    );
    php(SETUP, "define('WP_INSTALLING', true);");
    // Several workers, like a web server: clients send concurrent requests.
    children.push(
      spawnGroup(
        'php',
        ['-S', `127.0.0.1:${sitePort}`, '-t', site, path.join(folder, 'router.php')],
        { PHP_CLI_SERVER_WORKERS: '4' },
      ),
    );
    await waitForServer(async () => (await fetch(`${url}/wp-json/`)).ok, 'WordPress');
    return { url, php, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startMariadb(dataDir: string, port: number): ChildProcess {
  const user = os.userInfo().uid === 0 ? ['--user=root'] : [];
  execFileSync(
    'mariadb-install-db',
    [
      '--no-defaults',
      `--datadir=${dataDir}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      ...user,
    ],
    { stdio: 'ignore' },
  );
  const files = [
    `--datadir=${dataDir}`,
    `--socket=${dataDir}/server.sock`,
    `--pid-file=${dataDir}/server.pid`,
  ];
  return spawnGroup('mariadbd', [
    '--no-defaults',
    ...files,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    ...user,
  ]);
}

/** PHP's server leaves its workers running unless the whole process group is terminated. */
const spawnGroup = (
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): ChildProcess =>
  spawn(command, args, { detached: true, stdio: 'ignore', env: { ...process.env, ...env } });

async function terminate(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  process.kill(-child.pid!, 'SIGTERM');
  await exited;
}

const succeeds = (work: () => unknown): boolean => {
  try {
    work();
    return true;
  } catch {
    return false;
  }
};
