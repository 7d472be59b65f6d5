import fc from 'fast-check';
import { enumName } from '../../src/graphql/schema/enums.js';
import { withGateway } from '../fixtures/gateway.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { anAgent, type Agent } from './mcp-client.js';

// Answers are compared, not typed.
type Json = any;

const INPUTS = 500;
const TIMEOUT_MS = 300_000;
const gateway = withGateway();

/** What a call comes to, post by post: its state and time, or why it is refused. */
type Outcome = readonly (
  | { readonly state: string | null; readonly time: number | null }
  | { readonly code: string; readonly rule: string | null }
)[];

/** One call, as a tool takes it and as a mutation does. */
interface Call {
  readonly tool: string;
  readonly args: Json;
  readonly mutation: string;
  readonly input: Json;
  /** What is selected of the answer. */
  readonly fields: string;
}

const timeOf = (text: string | null | undefined): number | null => (text ? Date.parse(text) : null);
const refusal = (code: string, rule: string | null | undefined) => ({ code, rule: rule ?? null });

/** What the preview of a call says. */
async function previewOf(agent: Agent, { tool, args }: Call): Promise<Outcome> {
  const { answer } = await agent.call('preview', { tool, arguments: args });
  const { results, post, error } = answer;
  const all: Json[] = results ?? (post ? [{ ...post, done: true }] : [{ ...error, done: false }]);
  return all.map(({ done, state, time, code, rule }) =>
    done ? { state: state ?? null, time: timeOf(time?.utc) } : refusal(code, rule),
  );
}

/** What the dry run of the mutation says. */
async function dryRunOf(as: KeyedViewer, { mutation, input, fields }: Call): Promise<Outcome> {
  const type = `${mutation[0]!.toUpperCase()}${mutation.slice(1)}Input`;
  const { body } = await gateway.graphql(
    `mutation($input: ${type}!) { ${mutation}(input: $input) { ${fields} userErrors { code rule field postId } } }`,
    { input: { ...input, dryRun: true } },
    { as },
  );
  if (body.errors) return [refusal(body.errors[0].extensions.code, null)];
  const { results = [], post, userErrors } = body.data[mutation] as Json;
  const done = (one: Json) => ({
    state: one?.state?.toLowerCase() ?? null,
    time: timeOf(one?.scheduledAt),
  });
  if (post) return [done(post)];
  if (results.length === 0) return [refusal(userErrors[0].code, userErrors[0].rule)];
  return results.map((result: Json, index: number) => {
    if (result.code === null) return done('post' in result ? result.post : result);
    const error = userErrors.find(({ field, postId }: Json) =>
      result.id ? postId === result.id : field?.[2] === String(index),
    );
    return refusal(result.code, error?.rule);
  });
}

const optional = <T>(...values: readonly T[]) => fc.constantFrom(undefined, ...values);
/** One of the values in a few calls, so that not every call is refused. */
const rarely = <T>(...values: readonly T[]) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...values) },
  );
/** Without the keys whose value is undefined. */
const compact = (value: Json): Json =>
  Object.fromEntries(Object.entries(value as object).filter(([, one]) => one !== undefined));

const inDays = (days: number): string =>
  new Date(Math.floor(Date.now() / 1_000) * 1_000 + days * 86_400_000).toISOString();

interface Stage {
  readonly accounts: readonly string[];
  readonly posts: readonly string[];
  readonly label: { readonly id: string; readonly name: string; readonly color: string };
  readonly media: readonly string[];
  /** The text of a scheduled post of the first account. */
  readonly twin: string;
}

/** Posts that are published at once have the time of the call. */
const SAME_TIME_MS = 30_000;

/** Whether both say the same. */
const isSame = (tool: Outcome, graphql: Outcome): boolean =>
  tool.length === graphql.length &&
  tool.every((one, index) => {
    const other = graphql[index]!;
    if (!('state' in one && 'state' in other)) return JSON.stringify(one) === JSON.stringify(other);
    const isOneTime =
      one.time === other.time ||
      Math.abs((one.time ?? Infinity) - (other.time ?? -Infinity)) < SAME_TIME_MS;
    return one.state === other.state && isOneTime;
  });

/** Every call on the posts and accounts of a stage. */
function callsOn({ accounts, posts, label, media, twin }: Stage): fc.Arbitrary<Call> {
  const account = fc.constantFrom(...accounts);
  const id = fc.constantFrom(...posts);
  const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 3 });
  const version = fc.constantFrom(1, 1, 1, 2);
  const at = optional(inDays(1), inDays(2.5), inDays(400), inDays(-3), inDays(0));
  const mode = fc.constantFrom('draft', 'schedule', 'schedule', 'add_to_queue', 'share_now');
  const visibility = rarely('account', 'private');
  const text = optional(
    'Kaffee',
    twin,
    ` ${twin.toUpperCase()}!`,
    'x'.repeat(301),
    '🎉'.repeat(3_000),
    '',
  );
  const content = fc.record({
    text,
    title: rarely('A title', 'x'.repeat(300)),
    type: rarely('status', 'photo', 'link', 'video', 'story'),
    url: rarely('https://example.com/a', 'javascript:alert(1)', 'not a url'),
    media: rarely(...media),
    hasLabel: fc.boolean(),
    spoiler: rarely('Careful', 'x'.repeat(600)),
  });
  const contentOf = (
    { text, title, type, url, media, hasLabel, spoiler }: Json,
    needsType: boolean,
  ) => ({
    args: compact({
      text,
      title,
      type,
      link_url: url,
      media: media && [{ media_id: media, alt_text: 'A picture' }],
      label_ids: hasLabel ? [label.id] : undefined,
      options: spoiler && { spoiler_text: spoiler },
    }),
    post: compact({
      text,
      title,
      type: type
        ? enumName(type)
        : needsType
          ? media
            ? 'PHOTO'
            : url
              ? 'LINK'
              : 'STATUS'
          : undefined,
      url,
      media: media && [{ id: media, caption: 'A picture' }],
      labels: hasLabel ? [{ name: label.name, color: label.color }] : undefined,
      networkOptions: spoiler && { spoilerText: spoiler },
    }),
  });
  const acting = (tool: string, mutation: string) =>
    ids.map((all) => ({
      tool,
      args: { ids: all },
      mutation,
      input: { ids: all },
      fields: 'results { id code post { state scheduledAt } }',
    }));

  const creating = fc
    .record({
      accounts: fc.uniqueArray(
        fc.record({ id: account, text: rarely('For one account'), at: rarely(inDays(2)) }),
        {
          minLength: 1,
          maxLength: 3,
          selector: (one) => one.id,
        },
      ),
      content,
      variant: fc.option(fc.record({ network: fc.constantFrom('twitter', 'mastodon'), text }), {
        nil: undefined,
      }),
      mode,
      at,
      visibility,
      allow: optional(true, false),
    })
    .map(({ accounts: targets, content: given, variant, mode, at, visibility, allow }): Call => {
      const { args, post } = contentOf(given, true);
      return {
        tool: 'create_posts',
        args: compact({
          ...args,
          accounts: targets.map((one) =>
            compact({ account_id: one.id, text: one.text, at: one.at }),
          ),
          variants: variant && [compact(variant)],
          mode,
          at,
          visibility,
          allow_duplicate: allow,
        }),
        mutation: 'createPosts',
        input: compact({
          targets: targets.map((one) => ({
            accountId: one.id,
            ...(one.at && { scheduledAt: one.at }),
            // An empty text of an account is that of all.
            post: one.text ? { text: one.text } : {},
          })),
          post,
          variants: variant && [
            {
              network: enumName(variant.network),
              post: compact({ text: variant.text }),
            },
          ],
          mode: enumName(mode),
          scheduledAt: at,
          visibility: visibility && enumName(visibility),
          allowDuplicate: allow,
        }),
        fields: 'results { state scheduledAt code }',
      };
    });
  const updating = fc
    .record({
      id,
      version,
      content,
      at: optional(null, inDays(1), inDays(-3)),
      allow: optional(true),
    })
    .map(({ id, version, content: given, at, allow }): Call => {
      const { args, post } = contentOf(given, false);
      return {
        tool: 'update_post',
        args: compact({ id, expected_version: version, ...args, at, allow_duplicate: allow }),
        mutation: 'updatePost',
        input: compact({
          id,
          expectedVersion: version,
          post: compact({ ...post, scheduledAt: at }),
          allowDuplicate: allow,
        }),
        fields: 'post { state scheduledAt }',
      };
    });
  const scheduling = fc
    .record({ ids, mode, at, visibility, allow: optional(true, false) })
    .map(({ ids, mode, at, visibility, allow }): Call => ({
      tool: 'schedule_posts',
      args: compact({ ids, mode, at, visibility, allow_duplicate: allow }),
      mutation: 'schedulePosts',
      input: compact({
        ids,
        mode: enumName(mode),
        scheduledAt: at,
        visibility: visibility && enumName(visibility),
        allowDuplicate: allow,
      }),
      fields: 'results { id code post { state scheduledAt } }',
    }));
  const reviewing = fc
    .record({
      ids,
      version,
      decision: fc.constantFrom('request', 'approve', 'decline'),
      note: optional('Not yet.'),
      late: optional(true),
    })
    .map(({ ids, version, decision, note, late }): Call => ({
      tool: 'review_posts',
      args: compact({
        posts: ids.map((one) => ({ id: one, expected_version: version })),
        decision,
        note,
        publish_late: late,
      }),
      mutation: 'reviewPosts',
      input: compact({
        posts: ids.map((one) => ({ id: one, expectedVersion: version })),
        decision: enumName(decision),
        note,
        publishLate: late,
      }),
      fields: 'results { id code post { state scheduledAt } }',
    }));
  const deleting = fc
    .record({ ids, onNetwork: optional(true) })
    .map(({ ids, onNetwork }): Call => ({
      tool: 'delete_posts',
      args: compact({ ids, on_network: onNetwork }),
      mutation: 'deletePosts',
      input: compact({ ids, onNetwork }),
      fields: 'results { id code }',
    }));
  const pausing = fc.record({ ids, paused: fc.boolean() }).map(({ ids, paused }): Call => ({
    tool: 'pause_posts',
    args: { ids, paused },
    mutation: paused ? 'pausePosts' : 'resumePosts',
    input: { ids },
    fields: 'results { id code post { state scheduledAt } }',
  }));
  const resolving = fc
    .record({ id, url: optional('https://mastodon.example/1') })
    .map(({ id, url }): Call => ({
      tool: 'resolve_publication',
      args: url ? { id, live_url: url } : { id, not_live: true },
      mutation: 'resolvePublication',
      input: url ? { id, url } : { id, notLive: true },
      fields: 'post { state scheduledAt }',
    }));
  const reverting = fc
    .record({ id, to: fc.constantFrom(1, 2), version })
    .map(({ id, to, version }): Call => ({
      tool: 'revert_post',
      args: { id, to_version: to, expected_version: version },
      mutation: 'revertPost',
      input: { id, toVersion: to, expectedVersion: version },
      fields: 'post { state scheduledAt }',
    }));
  return fc.oneof(
    { weight: 8, arbitrary: creating },
    { weight: 5, arbitrary: updating },
    { weight: 4, arbitrary: scheduling },
    { weight: 3, arbitrary: reviewing },
    { weight: 2, arbitrary: deleting },
    { weight: 1, arbitrary: pausing },
    { weight: 1, arbitrary: resolving },
    { weight: 1, arbitrary: reverting },
    { weight: 1, arbitrary: acting('unpublish_posts', 'unpublishPosts') },
    { weight: 1, arbitrary: acting('retry_posts', 'retryPosts') },
    { weight: 1, arbitrary: acting('restore_posts', 'restorePosts') },
  );
}

it(
  'tools decide as GraphQL does: the same code, rule, state and time',
  async () => {
    const { records } = gateway;
    const { id: workspaceId, ownerId } = await records.aWorkspace({ requiresApproval: true });
    const by = await records.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
    const editor = await records.aViewer({ role: 'editor', workspaceId });
    const reader = await records.aViewer({ role: 'viewer', workspaceId });
    const account = await records.anAccount({ workspaceId, sandbox: true });
    const others = await Promise.all(
      (['twitter', 'instagram', 'bluesky'] as const).map((network) =>
        records.anAccount({ workspaceId, network, sandbox: network !== 'bluesky' }),
      ),
    );
    const foreign = await records.anAccount({ workspaceId: gateway.owner.workspace.id });
    const twin = 'We open at nine.';
    const post = async (options: object) => (await records.aPost({ by, account, ...options })).id;
    const posts = [
      await post({ text: twin }),
      await post({ storedState: 'scheduled_pending', text: 'Pending' }),
      await post({ storedState: 'scheduled_declined', text: 'Declined' }),
      await post({ storedState: 'draft_undated', text: 'Draft' }),
      await post({ storedState: 'draft_private_undated', text: 'Private draft' }),
      await post({ storedState: 'failed', text: 'Failed' }),
      await post({ storedState: 'published_posted', text: 'Published' }),
      await post({ storedState: 'recycling_active', recycling: { gap: 1, gapFreq: 'days' } }),
      await post({
        scheduledAt: new Date(inDays(-1)),
        queuedAt: new Date(inDays(-1)),
        reminder: true,
        details: { reminder: true },
      }),
      (await records.aPost({ by: gateway.owner, text: 'Of another workspace' })).id,
      'cccccccccccccccccccccccc',
    ];
    const removed = await post({ text: 'Deleted' });
    await gateway.graphql(
      'mutation($input: DeletePostsInput!) { deletePosts(input: $input) { results { code } } }',
      { input: { ids: [removed] } },
      { as: by },
    );
    const calls = fc.sample(
      callsOn({
        accounts: [account.id, ...others.map(({ id }) => id), foreign.id, 'acc_none'],
        posts: [...posts, removed],
        label: await records.aLabel({ workspaceId }),
        media: [(await records.aMedia({ workspaceId })).id, 'med_none'],
        twin,
      }),
      INPUTS,
    );
    const viewers = [by, by, editor, reader];
    const agents = await Promise.all(viewers.map((as) => anAgent(gateway, { as })));
    const differences: unknown[] = [];
    let done = 0;
    for (const [n, call] of calls.entries()) {
      const viewer = viewers[n % viewers.length]!;
      const tool = await previewOf(agents[n % viewers.length]!, call);
      const graphql = await dryRunOf(viewer, call);
      if (!isSame(tool, graphql))
        differences.push({ role: n % viewers.length, ...call, outcomes: { tool, graphql } });
      if (graphql.some((one) => 'state' in one)) done += 1;
    }
    await Promise.all(agents.map((agent) => agent.close()));
    expect(differences).toEqual([]);
    // Neither all of them are refused, nor none.
    expect(done).toBeGreaterThan(INPUTS / 10);
    expect(done).toBeLessThan(INPUTS);
  },
  TIMEOUT_MS,
);
