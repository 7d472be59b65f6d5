import type { Viewer } from '../domain/access/viewer.js';
import { PART_LIMITS } from '../domain/input/field-limits.js';
import { line, text } from '../domain/input/text-readers.js';
import type { Problem } from '../domain/errors.js';
import { MEDIA_FORMAT_NAMES } from '../domain/media/media-content.js';
import { MEDIA_FILE_LIMITS, presentBytes } from '../domain/media/media-file.js';
import { readMultipartForm } from '../http/media/multipart.js';
import type { JsonResponse } from '../http/responses.js';
import { presentFields } from './bodies/body-fields.js';
import { IMPORTED_MEDIA, UPLOADED_MEDIA } from './bodies/media-bodies.js';
import { presentRefusals } from './errors.js';
import { readBody } from './requests/body-object-reader.js';
import {
  DRY_RUN,
  IDEMPOTENCY_KEY,
  presentWriteHeaders,
  readIdempotencyKey,
  REPLAYED,
} from './requests/change-headers.js';
import { IMPORT_PARAMS, IMPORT_READER } from './requests/media-input.js';
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

/** Handles "Import media" (D63). */
async function importMedia(
  viewer: Viewer,
  { query, headers, body }: RestRequest,
  { services }: RouteDependencies,
): Promise<JsonResponse> {
  const params = readParams(IMPORT_PARAMS, query, 'reject');
  const idempotency = readIdempotencyKey(headers);
  const { value, problems } = readBody(IMPORT_READER, body);
  assertNoProblems([...params.problems, ...idempotency.problems, ...problems]);
  const dryRun = params.values.dry_run ?? false;
  const outcome = await services.media.import(viewer, {
    items: value!.media.map(({ url, name = null, caption: altText = null }, index) => ({
      url,
      name,
      altText,
      path: ['media', String(index), 'url'],
    })),
    inLibrary: true,
    idempotencyKey: idempotency.key,
    dryRun,
  });
  const writeHeaders = presentWriteHeaders({ dryRun, replayed: outcome.replayed });
  if (outcome.kind === 'refused') {
    const { headers: errorHeaders, ...response } = presentRefusals(outcome.refusals);
    return { ...response, headers: { ...errorHeaders, ...writeHeaders } };
  }
  return outcome.jobId === null
    ? {
        status: 200,
        headers: writeHeaders,
        body: { media: outcome.media.map((item) => presentFields(IMPORTED_MEDIA, item)) },
      }
    : { status: 202, headers: writeHeaders, body: { job_id: outcome.jobId } };
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
  inWorkspace(
    {
      method: 'POST',
      path: '/v1/media/from-url',
      operationId: 'importMedia',
      tag: 'Media',
      summary: 'Import media from other servers',
      description: `Adds up to ${MEDIA_FILE_LIMITS.importedUrls} files to the media library. A job fetches them; its \`failures\` contain the reasons, by the ID of the media item, for files that could not be fetched.`,
      scopes: [['media']],
      params: IMPORT_PARAMS,
      requestHeaders: [IDEMPOTENCY_KEY],
      requestSchema: 'ImportMedia',
      acceptedSchema: 'ImportJob',
      responseSchema: 'ImportPreview',
      responseHeaders: [DRY_RUN, REPLAYED],
      errorCodes: [
        'FORBIDDEN',
        'RULE_VIOLATION',
        'IDEMPOTENCY_MISMATCH',
        'IDEMPOTENCY_IN_FLIGHT',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
      ],
    },
    importMedia,
  ),
];
