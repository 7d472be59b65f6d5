/**
 * Example invocations by command, shown in the help and in docs/cli.md. A test parses each of them.
 */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  serve: ['serve'],
  worker: ['worker'],
  migrate: [
    'migrate',
    'migrate --status',
    '--json migrate --status',
    'migrate --rolled-back 20261122120000_first_release',
  ],
  doctor: ['doctor', '--json doctor'],
  backup: ['backup', 'backup /var/backups/posts.backup'],
  restore: ['restore posts.backup', 'restore posts.backup --replace'],
  'users create': [
    'users create --name Ada --email ada@example.com',
    'users create --name Emil --email emil@example.com --plan professional --rate-limit 500',
  ],
  'users update': [
    'users update ada@example.com --plan business',
    'users update usr_4zJ8vNc1QpT7wXyA --no-rate-limit',
  ],
  'users list': ['users list', '--json users list'],
  'users delete': [
    'users delete ada@example.com',
    'users delete ada@example.com --posts --confirm usr_4zJ8vNc1QpT7wXyA',
  ],
  'workspaces create': [
    'workspaces create --name Shop --owner ada@example.com --time-zone Europe/Berlin',
    'workspaces create --name Press --owner ada@example.com --requires-approval',
  ],
  'workspaces update': ['workspaces update wks_4zJ8vNc1QpT7wXyA --no-requires-approval'],
  'workspaces lock': ['workspaces lock wks_4zJ8vNc1QpT7wXyA'],
  'workspaces unlock': ['workspaces unlock wks_4zJ8vNc1QpT7wXyA'],
  'workspaces list': ['workspaces list'],
  'workspaces delete': [
    'workspaces delete wks_4zJ8vNc1QpT7wXyA',
    'workspaces delete wks_4zJ8vNc1QpT7wXyA --confirm wks_4zJ8vNc1QpT7wXyA',
  ],
  'members add': [
    'members add --workspace wks_4zJ8vNc1QpT7wXyA --user emil@example.com --role editor --post-actions',
  ],
  'members update': [
    'members update --workspace wks_4zJ8vNc1QpT7wXyA --user emil@example.com --role admin',
  ],
  'members remove': ['members remove --workspace wks_4zJ8vNc1QpT7wXyA --user emil@example.com'],
  'members list': ['members list --workspace wks_4zJ8vNc1QpT7wXyA'],
  'accounts connect': [
    'accounts connect mastodon --workspace wks_4zJ8vNc1QpT7wXyA',
    'accounts connect wordpress --workspace wks_4zJ8vNc1QpT7wXyA --account acc_4zJ8vNc1QpT7wXyA --stdin',
  ],
  'accounts list': ['accounts list', 'accounts list --workspace wks_4zJ8vNc1QpT7wXyA'],
  'accounts create': [
    'accounts create --workspace wks_4zJ8vNc1QpT7wXyA --network wordpress --name Blog --social-id blog.example',
    'accounts create --workspace wks_4zJ8vNc1QpT7wXyA --network mastodon --name Trial --social-id 1 --sandbox',
  ],
  'accounts disconnect': ['accounts disconnect acc_4zJ8vNc1QpT7wXyA'],
  'accounts reseal': ['accounts reseal'],
  'keys create': [
    'keys create --user ada@example.com --name tools --scope posts workspaces accounts media',
    'keys create --user ada@example.com --name backup --scope posts:read --expires 2030-12-31T23:59:59Z',
  ],
  'keys list': ['keys list', 'keys list --user ada@example.com'],
  'keys rotate': [
    'keys rotate key_4zJ8vNc1QpT7wXyA',
    'keys rotate key_4zJ8vNc1QpT7wXyA --grace 7d',
    'keys rotate key_4zJ8vNc1QpT7wXyA --grace 0',
  ],
  'keys revoke': ['keys revoke key_4zJ8vNc1QpT7wXyA'],
  'limits set': ['limits set ada@example.com 500', 'limits set ada@example.com --default'],
  'webhooks list': ['webhooks list --workspace wks_4zJ8vNc1QpT7wXyA'],
  'webhooks create': [
    'webhooks create --workspace wks_4zJ8vNc1QpT7wXyA --url https://hooks.example.com/posts --types post.published post.failed',
  ],
  'webhooks update': [
    'webhooks update whk_4zJ8vNc1QpT7wXyA --status active',
    'webhooks update whk_4zJ8vNc1QpT7wXyA --types post.published',
  ],
  'webhooks delete': ['webhooks delete whk_4zJ8vNc1QpT7wXyA'],
  'webhooks rotate': ['webhooks rotate whk_4zJ8vNc1QpT7wXyA --grace-hours 48'],
  'webhooks test': ['webhooks test whk_4zJ8vNc1QpT7wXyA'],
  'webhooks deliveries': ['webhooks deliveries whk_4zJ8vNc1QpT7wXyA'],
  'webhooks redeliver': [
    'webhooks redeliver whk_4zJ8vNc1QpT7wXyA dlv_4zJ8vNc1QpT7wXyA',
    'webhooks redeliver whk_4zJ8vNc1QpT7wXyA --since 2026-11-22T03:00:00Z',
  ],
  'jobs list': ['jobs list', 'jobs list --status working --limit 20'],
  'jobs retry': ['jobs retry job_4zJ8vNc1QpT7wXyA', 'jobs retry --all'],
  'publishing status': ['publishing status', '--json publishing status'],
  'publishing pause': ['publishing pause', 'publishing pause --backup-from 2026-11-22T03:00:00Z'],
  'publishing resume': ['publishing resume'],
  'events tail': [
    'events tail --workspace wks_4zJ8vNc1QpT7wXyA',
    '--json events tail --workspace wks_4zJ8vNc1QpT7wXyA --type post.published post.failed',
  ],
  'import wordpress': [
    'import wordpress export.xml --workspace wks_4zJ8vNc1QpT7wXyA --account acc_4zJ8vNc1QpT7wXyA',
  ],
  'import mastodon': [
    'import mastodon outbox.json --workspace wks_4zJ8vNc1QpT7wXyA --account acc_4zJ8vNc1QpT7wXyA --media https://files.mastodon.social',
  ],
  'demo reset': ['demo reset', 'demo reset --confirm'],
};
