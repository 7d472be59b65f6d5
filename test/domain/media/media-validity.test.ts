import type { MediaContentType } from '../../../src/domain/media/media-content.js';
import { mediaValidity } from '../../../src/domain/media/media-validity.js';
import { enumKeys } from '../../../src/domain/enums.js';
import { NETWORKS } from '../../../src/domain/networks/networks.js';
import { needsMedia } from '../../../src/domain/posts/post-content.js';

const MB = 1_048_576;

const reasonOf = (contentType: MediaContentType, bytes: number, where: string) => {
  const entries = mediaValidity({ contentType, bytes, size: null });
  const found = entries.find(({ network, type }) => `${network} ${type}` === where)!;
  expect(found.valid).toBe(found.reason === null);
  return found.reason;
};

describe('validity of a file (D63)', () => {
  it('has one entry for each network and type of post that consists of media', () => {
    const entries = mediaValidity({ contentType: 'image/png', bytes: 1, size: null });
    expect(entries.map(({ network, type }) => `${network} ${type}`).sort()).toEqual(
      enumKeys(NETWORKS)
        .flatMap((network) =>
          NETWORKS[network].postTypes.filter(needsMedia).map((type) => `${network} ${type}`),
        )
        .sort(),
    );
  });

  it.each([
    ['image/jpeg', 2 * MB, 'instagram photo', null],
    ['image/png', 2 * MB, 'instagram photo', 'On instagram, a photo must be JPEG.'],
    ['image/png', 5 * MB, 'twitter photo', null],
    [
      'image/png',
      6 * MB,
      'twitter photo',
      'On twitter, a photo may have at most 5 MB; it has 6 MB.',
    ],
    ['image/png', 100, 'twitter video', 'A video post takes video, not photo.'],
    ['video/mp4', 100, 'facebook story', null],
    ['video/mp4', 100, 'facebook photo', 'A photo post takes photo, not video.'],
    ['application/pdf', 100, 'linkedin document', null],
    [
      'application/vnd.oasis.opendocument.text',
      100,
      'linkedin document',
      'On linkedin, a document must be PDF or Word or PowerPoint 97 or Word or PowerPoint.',
    ],
    [
      'video/mp4',
      70_000,
      'linkedin video',
      'On linkedin, a video must have at least 75 KB; it has 68 KB.',
    ],
  ] as const)('%s of %d bytes for %s: %s', (contentType, bytes, where, reason) => {
    expect(reasonOf(contentType, bytes, where)).toBe(reason);
  });
});
