import { gatewayWith } from '../fixtures/gateway.js';
import { waitFor } from '../fixtures/wait-for.js';

it('a process with PUBLISH_POSTS=0 runs jobs, and leaves due posts alone', async () => {
  const gateway = await gatewayWith({ publishPosts: false });
  try {
    const { records, owner } = gateway;
    const account = await records.anAccount({ workspaceId: owner.workspace.id, sandbox: true });
    const past = new Date('2026-01-01T08:00:00Z');
    const due = await records.aPost({ by: owner, account, scheduledAt: past });
    const published = await records.aPost({
      by: owner,
      account,
      storedState: 'published_posted',
      scheduledAt: past,
    });
    const { body } = await gateway.graphql(
      'mutation ($id: ID!) { updatePost(input: {id: $id, post: {text: "Changed"}}) { job { id } } }',
      { id: published.id },
    );
    gateway.startWorker(); // looks for due posts before it claims jobs
    const { id } = body.data.updatePost.job;
    const statusOf = async (): Promise<string> =>
      (await gateway.graphql('query ($id: ID!) { jobStatus(id: $id) { status } }', { id })).body
        .data.jobStatus.status;
    await waitFor(async () => (await statusOf()) !== 'working');
    const state = await gateway.graphql('query ($id: ID!) { post(id: $id) { state queued } }', {
      id: due.id,
    });
    expect(state.body.data.post).toEqual({ state: 'SCHEDULED', queued: false });
  } finally {
    await gateway.close();
  }
});
