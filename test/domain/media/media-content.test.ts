import {
  contentTypeOf,
  MEDIA_CONTENT_TYPES,
  SAMPLE_BYTES,
} from '../../../src/domain/media/media-content.js';
import { aPdf, aPicture, aVideo, aZip } from '../../fixtures/media-files.js';

const typeOf = (file: Uint8Array) =>
  contentTypeOf({
    head: file.subarray(0, SAMPLE_BYTES.head),
    tail: file.subarray(-SAMPLE_BYTES.tail),
  });
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('the format of a file, by its content (D63)', () => {
  it.each(['jpeg', 'png', 'webp', 'gif'] as const)('%s', async (format) => {
    expect(typeOf(await aPicture(format))).toBe(`image/${format}`);
  });

  it.each([
    ['video/mp4', aVideo()],
    ['video/quicktime', latin1('\0\0\0\x14ftypqt  \0\0\0\0')],
    ['video/quicktime', latin1('\0\0\0\x08wide\0\0\0\x08mdat')],
    ['video/quicktime', latin1('\0\0\0\x08free\0\0\0\x08mdat')],
    ['video/quicktime', latin1('\0\0\0\x08skip\0\0\0\x08moov')],
    ['video/webm', latin1('\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm')],
    ['video/x-matroska', latin1('\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x88matroska')],
    ['video/x-msvideo', latin1('RIFF\0\0\0\0AVI LIST')],
    ['application/pdf', aPdf()],
    ['application/msword', latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      aZip(['[Content_Types].xml', 'word/document.xml']),
    ],
    [
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      aZip(['_rels/.rels', 'ppt/presentation.xml']),
    ],
    [
      'application/vnd.oasis.opendocument.text',
      aZip(['mimetype', 'content.xml'], 'application/vnd.oasis.opendocument.text'),
    ],
  ])('%s', (contentType, file) => {
    expect(Object.keys(MEDIA_CONTENT_TYPES)).toContain(contentType);
    expect(typeOf(file)).toBe(contentType);
  });

  it.each([
    ['SVG', latin1('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['SVG after an XML declaration', latin1('<?xml version="1.0"?><svg/>')],
    ['HTML', latin1('<!doctype html><script>alert(1)</script>')],
    ['HTML that contains a signature', latin1('<html>%PDF-1.7 GIF89a')],
    ['a HEIC picture', latin1('\0\0\0\x18ftypheic')],
    ['an AVIF picture', latin1('\0\0\0\x18ftypavif')],
    ['audio', latin1('\0\0\0\x18ftypM4A ')],
    ['WAV', latin1('RIFF\0\0\0\0WAVEfmt ')],
    ['any other ZIP file', aZip(['setup.exe'])],
    ['text', latin1('word/document.xml PK\x05\x06')],
    ['a program', latin1('MZ\x90\0')],
    ['nothing', Buffer.alloc(0)],
  ])('none: %s', (_name, file) => {
    expect(typeOf(file)).toBeNull();
  });
});
