import type { Viewer } from '../domain/access/viewer.js';
import { PART_LIMITS } from '../domain/input/field-limits.js';
import { line, text } from '../domain/input/text-readers.js';
import type { Problem } from '../domain/errors.js';
import { MEDIA_FORMAT_NAMES } from '../domain/media/media-content.js';
import { MEDIA_FILE_LIMITS, presentBytes } from '../domain/media/media-file.js';
import { readMultipartForm } from '../http/media/multipart.js';
import type { JsonResponse } from '../http/responses.js';
import { presentFields } from './bodies/body-fields.js';
import { UPLOADED_MEDIA } from './bodies/media-bodies.js';
import { presentRefusals } from './errors.js';
import { readParams } from './requests/params.js';
import {
  assertNoProblems,
  inWorkspace,
  type RestRequest,
  type RouteDependencies,
} from './route.js';

const FORM = { fileField: 'file', textFields: ['name', 'caption', 'in_library'] } as const;

/** Reads the text fields of the form. The name is that of the file, unless one was sent. */
function readTexts({
  fields,
  fileName,
}: {
  readonly fields: Readonly<Record<string, string>>;
  readonly fileName: string | null;
}) {
  const problems: Problem[] = [];
  const name = fields['name'] ?? fileName;
  const { caption: altText, in_library: inLibrary = 'true' } = fields;
  const readName = line({ maxLength: MEDIA_FILE_LIMITS.nameLength });
  const readCaption = text(PART_LIMITS.media.caption);
  const texts = {
    name: name === null ? null : (readName(name, ['name'], problems) ?? null),
    altText: altText === undefined ? null : (readCaption(altText, ['caption'], problems) ?? null),
    inLibrary: inLibrary === 'true',
  };
  if (!['true', 'false'].includes(inLibrary))
    problems.push({ path: ['in_library'], message: 'must be true or false' });
  assertNoProblems(problems);
  return texts;
}

/** Handles "Upload media" (D63). */
async function uploadMedia(
  viewer: Viewer,
  { query, source }: RestRequest,
  { services }: RouteDependencies,
): Promise<JsonResponse> {
  assertNoProblems(readParams({}, query, 'reject').problems);
  const outcome = await services.media.upload(viewer, async (receive) => {
    const form = await readMultipartForm(source, FORM, receive);
    return { file: form.file, ...readTexts(form) };
  });
  return outcome.kind === 'refused'
    ? presentRefusals(outcome.refusals)
    : { status: 200, body: presentFields(UPLOADED_MEDIA, outcome.media) };
}

/** Routes that add media. */
export const MEDIA_ROUTES = [
  inWorkspace(
    {
      method: 'POST',
      path: '/v1/media',
      operationId: 'uploadMedia',
      tag: 'Media',
      summary: 'Upload media',
      description: `Adds a file of up to ${presentBytes(MEDIA_FILE_LIMITS.bytes)} to the media library. The content of the file determines its format: ${MEDIA_FORMAT_NAMES}.`,
      scopes: [['media']],
      params: {},
      requestHeaders: [],
      requestSchema: 'UploadMedia',
      requestType: 'multipart/form-data',
      responseSchema: 'UploadedMedia',
      responseHeaders: [],
      errorCodes: ['FORBIDDEN', 'RULE_VIOLATION', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
    },
    uploadMedia,
  ),
];
