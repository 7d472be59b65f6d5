import { eventsOfWorkspace } from '../../fixtures/event-rows.js';
import { withGateway } from '../../fixtures/gateway.js';
import { aForm, aPdf } from '../../fixtures/media-files.js';
import type { KeyedViewer } from '../../fixtures/records.js';

const gateway = withGateway();

/** What a change of a media item responds, in the same form for both APIs. */
interface Changed {
  /** The alternative text or the deleted ID; null if the change was refused. */
  readonly result: string | null;
  readonly code: string | null;
  readonly message: string | null;
}
interface MediaApi {
  update(id: string, altText: string | null, dryRun?: boolean): Promise<Changed>;
  remove(id: string, dryRun?: boolean): Promise<Changed>;
}

const mutate =
  (as: KeyedViewer) =>
  async (name: string, input: object, selection: string): Promise<any> => {
    const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
    const source = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} userErrors { code message } } }`;
    return (await gateway.graphql(source, { input }, { as })).body.data[name];
  };
const toChanged = (result: string | null, [error]: any[]): Changed => ({
  result: result ?? null,
  code: error?.code ?? null,
  message: error?.message ?? null,
});

const APIS: Readonly<Record<string, (as: KeyedViewer) => MediaApi>> = {
  graphql: (as) => ({
    async update(id, altText, dryRun = false) {
      const done = await mutate(as)('updateMedia', { id, altText, dryRun }, 'media { altText }');
      return toChanged(done.media?.altText, done.userErrors);
    },
    async remove(id, dryRun = false) {
      const done = await mutate(as)('deleteMedia', { id, dryRun }, 'deletedId');
      return toChanged(done.deletedId, done.userErrors);
    },
  }),
  v1(as) {
    const send = async (method: string, path: string, body?: object): Promise<Changed> => {
      const { body: answer, status } = await gateway.v1(method, `/media/${path}`, {
        as,
        ...(body && { body }),
      });
      return status === 200
        ? toChanged(answer.deleted_id ?? answer.caption, [])
        : toChanged(null, [answer]);
    };
    return {
      update: (id, caption, dryRun = false) => send('PUT', `${id}?dry_run=${dryRun}`, { caption }),
      remove: (id, dryRun = false) => send('DELETE', `${id}?dry_run=${dryRun}`),
    };
  },
};

const DONE = { code: null, message: null };

/** A workspace with a file in its library, and what the tests ask about it. */
async function aLibrary() {
  const owner = await gateway.records.aViewer({ role: 'owner' });
  const upload = async (as = owner, fields = {}) => {
    const body = aForm(aPdf(), { caption: 'Menu', ...fields });
    return (await gateway.request('/v1/media', { method: 'POST', body, caller: { as } })).body;
  };
  const file = await upload();
  const aDraft = async (by = owner, given = {}) =>
    gateway.records.aPost({ by, storedState: 'draft_undated', ...given });
  const attach = async (media: object[], by = owner, given = {}) => {
    const post = await aDraft(by, given);
    await gateway.v1('PUT', `/posts/${post.id}`, { as: by, body: { post: { media } } });
    return post;
  };
  const altTextOf = async ({ id }: { id: string }) =>
    (await gateway.v1('GET', `/posts/${id}`, { as: owner })).body.media[0]?.alt_text;
  const library = async () =>
    (await gateway.v1('GET', '/media', { as: owner })).body.media.map(
      ({ id, alt_text: altText }: { id: string; alt_text: string | null }) => [id, altText],
    );
  const changes = async () =>
    (await eventsOfWorkspace(gateway.db.pool, owner.workspace.id))
      .filter(({ type }) => type === 'media.changed')
      .map(({ recordId, visibleTo }) => [recordId, visibleTo]);
  return { owner, upload, file, aDraft, attach, altTextOf, library, changes };
}

describe.each(Object.entries(APIS))('changes of media (D63), %s', (_api, apiOf) => {
  it('the alternative text is that of the library, and posts keep theirs', async () => {
    const { owner, file, attach, altTextOf, library, changes } = await aLibrary();
    const of = apiOf(owner);
    const own = await attach([{ id: file.id }]);
    const other = await attach([{ id: file.id, caption: 'Mine' }]);
    expect(await of.update(file.id, 'Menu of May', true)).toEqual({
      ...DONE,
      result: 'Menu of May',
    });
    expect(await library()).toEqual([[file.id, 'Menu']]);
    expect(await of.update(file.id, 'Menu of May')).toEqual({ ...DONE, result: 'Menu of May' });
    expect([await altTextOf(own), await altTextOf(other)]).toEqual(['Menu', 'Mine']);
    expect(await altTextOf(await attach([{ id: file.id }]))).toBe('Menu of May');
    expect(await of.update(file.id, null)).toEqual({ ...DONE, result: null });
    expect(await of.update(file.id, null)).toEqual({ ...DONE, result: null }); // changes nothing
    expect(await library()).toEqual([[file.id, null]]);
    expect(await changes()).toEqual([
      [file.id, null],
      [file.id, null],
    ]);
  });

  it('a file is deleted once no post uses it, and the refusal names the posts', async () => {
    const { owner, file, aDraft, attach, library, changes } = await aLibrary();
    const of = apiOf(owner);
    const attached = await attach([{ id: file.id }]);
    const featured = await aDraft();
    await gateway.v1('PUT', `/posts/${featured.id}`, {
      as: owner,
      body: { post: { featured_media: { path: file.path } } },
    });
    const refused = {
      result: null,
      code: 'RULE_VIOLATION',
      message: `These posts use the file: ${attached.id}, ${featured.id}. Remove it from them first.`,
    };
    expect(await of.remove(file.id, true)).toEqual(refused);
    expect(await of.remove(file.id)).toEqual(refused);
    await gateway.v1('PUT', `/posts/${featured.id}`, {
      as: owner,
      body: { post: { featured_media: null } },
    });
    await gateway.v1('DELETE', `/posts?post_ids[]=${attached.id}`, { as: owner });
    expect(await of.remove(file.id)).toEqual({
      ...refused,
      message: expect.stringMatching(/^1 post uses the file .* deleted less than 30 days ago\.$/),
    });
    await gateway.db.prisma.post.delete({ where: { id: attached.databaseId } });
    expect(await of.remove(file.id, true)).toEqual({ ...DONE, result: file.id });
    expect(await library()).toEqual([[file.id, 'Menu']]);
    expect(await of.remove(file.id)).toEqual({ ...DONE, result: file.id });
    expect(await library()).toEqual([]);
    expect((await fetch(file.path as string)).status).toBe(404);
    expect((await of.remove(file.id)).code).toBe('MEDIA_NOT_FOUND');
    expect(await changes()).toEqual([[file.id, null]]);
    expect(await gateway.db.prisma.unusedMediaFile.count()).toBeGreaterThan(0); // the purge deletes it
  });

  it('members without post-action access change only the files that they have added', async () => {
    const { owner, file, upload, attach, library } = await aLibrary();
    const member = (role: 'editor' | 'viewer', postActions = false) =>
      gateway.records.aViewer({ workspaceId: owner.workspace.id, role, postActions });
    const [emil, vera, ada] = [
      await member('editor'),
      await member('viewer'),
      await member('editor', true),
    ];
    const own = await upload(emil, { in_library: 'false' });
    for (const as of [emil, vera]) {
      expect((await apiOf(as).update(file.id, 'x')).code).toBe('FORBIDDEN');
      expect((await apiOf(as).remove(file.id)).code).toBe('FORBIDDEN');
    }
    expect(await apiOf(ada).update(file.id, 'y')).toEqual({ ...DONE, result: 'y' });
    expect(await apiOf(emil).remove(own.id)).toEqual({ ...DONE, result: own.id });
    // the private draft of another member is not named
    await attach([{ id: file.id }], emil, { storedState: 'draft_private_undated' });
    const { code, message } = await apiOf(owner).remove(file.id);
    expect({ code, message }).toEqual({
      code: 'RULE_VIOLATION',
      message: expect.stringMatching(/^1 post uses the file and cannot be shown to you/),
    });
    expect(await library()).toEqual([[file.id, 'y']]);
  });

  it('files of other workspaces and unknown IDs are not found', async () => {
    const [{ file }, { owner }] = [await aLibrary(), await aLibrary()];
    for (const id of [file.id, 'med_none', '1']) {
      expect((await apiOf(owner).update(id, 'x')).code).toBe('MEDIA_NOT_FOUND');
      expect((await apiOf(owner).remove(id)).code).toBe('MEDIA_NOT_FOUND');
    }
  });

  it('a file that is deleted while a post attaches it leaves a post without it', async () => {
    const { owner, upload, aDraft } = await aLibrary();
    for (let round = 0; round < 5; round += 1) {
      const [{ id }, post] = [await upload(), await aDraft()];
      const [removed, attached] = await Promise.all([
        apiOf(owner).remove(id),
        gateway.v1('PUT', `/posts/${post.id}`, {
          as: owner,
          body: { post: { media: [{ id }] } },
        }),
      ]);
      expect([attached.status, removed.code]).toEqual(
        attached.status === 200 ? [200, 'RULE_VIOLATION'] : [422, null],
      );
    }
  });
});
