import { createJobSlots, type SlotHolder } from '../../../src/domain/jobs/job-slots.js';
import type { WorkerJobKind } from '../../../src/domain/jobs/job-kinds.js';

const running = (count: number, kind: WorkerJobKind, workspaceId: string | null): SlotHolder[] =>
  Array.from({ length: count }, () => ({ kind, workspaceId }));

const free = (concurrency: number, jobs: readonly SlotHolder[] = []) => {
  const limits = createJobSlots(concurrency).limits(jobs);
  return {
    publish: limits.ofKind('publish'),
    network_edit: limits.ofKind('network_edit'),
    media: limits.ofKind('media'),
    numbers: limits.ofKind('numbers'),
  };
};
const ofWorkspace = (concurrency: number) => {
  const limits = createJobSlots(concurrency).limits([]);
  return (['publish', 'network_edit', 'media'] as const).map(limits.ofWorkspace);
};

it('a quarter is reserved for publications, and files and numbers have at most a quarter each', () => {
  expect(free(32)).toEqual({ publish: 32, network_edit: 24, media: 8, numbers: 8 });
  expect(free(32, running(6, 'numbers', 'a'))).toEqual({
    publish: 26,
    network_edit: 18,
    media: 8,
    numbers: 2,
  });
  expect(free(32, running(8, 'media', 'a'))).toEqual({
    publish: 24,
    network_edit: 16,
    media: 0,
    numbers: 8,
  });
  expect(free(32, [...running(8, 'media', 'a'), ...running(16, 'purge', null)])).toEqual({
    publish: 8,
    network_edit: 0,
    media: 0,
    numbers: 0,
  });
  expect(free(32, running(30, 'publish', 'a'))).toEqual({
    publish: 2,
    network_edit: 2,
    media: 2,
    numbers: 2,
  });
});

it('each use has a slot, however few there are', () => {
  expect(free(1)).toEqual({ publish: 1, network_edit: 1, media: 1, numbers: 1 });
  expect(free(2)).toEqual({ publish: 2, network_edit: 1, media: 1, numbers: 1 });
  expect(free(2, running(1, 'media', 'a'))).toEqual({
    publish: 1,
    network_edit: 0,
    media: 0,
    numbers: 0,
  });
  expect(ofWorkspace(1)).toEqual([1, 1, 1]);
});

it('a workspace has at most half of the slots that its jobs can use', () => {
  expect(ofWorkspace(32)).toEqual([16, 12, 4]);
  const slots = createJobSlots(32);
  const jobs = [
    ...running(3, 'media', 'a'),
    ...running(4, 'media', 'b'),
    ...running(6, 'unpublish', 'b'),
    ...running(6, 'share', 'b'),
    ...running(4, 'purge', null),
  ];
  expect(slots.usedUp(jobs)).toEqual(['files b', 'other b']);
  expect(slots.limits(jobs).running).toEqual(
    new Map([
      ['files a', 3],
      ['files b', 4],
      ['other b', 12],
    ]),
  );
});
