import type { Problem } from '../../domain/errors.js';
import { MEDIA as MEDIA_KEYS } from '../../domain/posts/post-settings.js';
import { line, text } from '../../domain/input/readers.js';
import { MEDIA_FORMAT_NAMES } from '../../domain/media/media-content.js';
import { MEDIA_FILE_LIMITS, presentBytes } from '../../domain/media/media-file.js';
import { timestamp } from '../../domain/timestamp.js';
import { readMultipartForm } from './multipart.js';
import type { JsonResponse } from '../../http/responses.js';
import type { ImportMediaOutcome } from '../../services/media/import-media.js';
import { presentFields } from '../body-fields.js';
import { readBody } from '../../http/body-readers.js';
import { presentRefusals } from '../errors.js';
import { DRY_RUN, IDEMPOTENCY_KEY, REPLAYED, withChangeHeaders } from '../headers.js';
import { FLAG, PAGE_PARAMS, readParams, singleParam, type QueryParams } from '../query-params.js';
import {
  assertNoParams,
  assertNoProblems,
  inWorkspace,
  readBodyOnly,
  readChange,
  readPage,
  type Route,
} from '../route.js';
import {
  IMPORT_READER,
  IMPORTED_MEDIA,
  MEDIA,
  MEDIA_USAGE,
  UPDATE_MEDIA_READER,
  UPLOAD_READER,
  UPLOADED_MEDIA,
} from './media-bodies.js';

/** Query parameters of an import of media. */
const IMPORT_PARAMS = {
  dry_run: singleParam(FLAG, 'Checks all rules without adding or fetching anything.', true),
} satisfies QueryParams;

/** Query parameters of a change of a media item. */
const CHANGE_PARAMS = {
  dry_run: singleParam(FLAG, 'Checks all rules without changing anything.', true),
} satisfies QueryParams;

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
  const readCaption = text(MEDIA_KEYS.caption.limit);
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

/** A dry run lists the media that a job would fetch. */
function presentImport(outcome: ImportMediaOutcome): JsonResponse {
  if (outcome.kind === 'refused') return presentRefusals(outcome.refusals);
  return outcome.jobId === null
    ? {
        status: 200,
        body: { media: outcome.media.map((item) => presentFields(IMPORTED_MEDIA, item)) },
      }
    : { status: 202, body: { job_id: outcome.jobId } };
}

/** Routes of the media library (D63). */
export const MEDIA_ROUTES: readonly Route[] = [
  inWorkspace(
    {
      method: 'GET',
      path: '/v1/media',
      operationId: 'listMedia',
      tag: 'Media',
      summary: 'List media',
      description:
        'The media library of the workspace, newest first, 100 per page. Updates refer to media by `id`.',
      scopes: [['media']],
      params: PAGE_PARAMS,
      responseSchema: 'MediaList',
    },
    async ({ workspace }, { query }, { services }) => {
      const { limit, offset } = readPage(query);
      const media = await services.workspaceRecords.mediaPage(workspace.id, limit, offset);
      return { status: 200, body: { media: media.map((item) => presentFields(MEDIA, item)) } };
    },
  ),
  inWorkspace(
    {
      method: 'GET',
      path: '/v1/media/usage',
      operationId: 'getMediaUsage',
      tag: 'Media',
      summary: 'Get media usage',
      description: 'What the media of the workspace take up, and its quotas.',
      scopes: [['media']],
      responseSchema: 'MediaUsage',
    },
    async ({ workspace }, request, { services }) => {
      assertNoParams(request);
      const usage = await services.media.usageOf([workspace]);
      return { status: 200, body: presentFields(MEDIA_USAGE, usage.get(workspace)!) };
    },
  ),
  inWorkspace(
    {
      method: 'POST',
      path: '/v1/media',
      operationId: 'uploadMedia',
      tag: 'Media',
      summary: 'Upload media',
      description: `Adds a file of up to ${presentBytes(MEDIA_FILE_LIMITS.bytes)} to the media library. The content of the file determines its format: ${MEDIA_FORMAT_NAMES}.`,
      scopes: [['media']],
      requestSchema: 'UploadMedia',
      requestType: 'multipart/form-data',
      responseSchema: 'UploadedMedia',
      errorCodes: [
        'FORBIDDEN',
        'RULE_VIOLATION',
        'MEDIA_QUOTA_EXCEEDED',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
      ],
    },
    async (viewer, request, { services }) => {
      assertNoParams(request);
      const outcome = await services.media.upload(viewer, async (receive) => {
        const form = await readMultipartForm(request.source, FORM, receive);
        return { file: form.file, ...readTexts(form) };
      });
      return outcome.kind === 'refused'
        ? presentRefusals(outcome.refusals)
        : { status: 200, body: presentFields(UPLOADED_MEDIA, outcome.media) };
    },
  ),
  inWorkspace(
    {
      method: 'POST',
      path: '/v1/media/uploads',
      operationId: 'createMediaUpload',
      tag: 'Media',
      summary: 'Create an upload address',
      description: `Creates a media item and the address that accepts its file of up to ${presentBytes(MEDIA_FILE_LIMITS.bytes)}: send the bytes with PUT, once, without a key.`,
      scopes: [['media']],
      requestSchema: 'CreateMediaUpload',
      responseSchema: 'MediaUpload',
      errorCodes: ['FORBIDDEN', 'RULE_VIOLATION', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
    },
    async (viewer, request, { services }) => {
      const { name, bytes, caption, in_library: inLibrary } = readBodyOnly(UPLOAD_READER, request);
      const outcome = await services.media.createUpload(viewer, {
        name,
        bytes,
        altText: caption ?? null,
        inLibrary: inLibrary ?? true,
      });
      if (outcome.kind === 'refused') return presentRefusals(outcome.refusals);
      const { mediaId, url, expiresAt } = outcome;
      return {
        status: 200,
        body: { media_id: mediaId, url, expires_at: timestamp(expiresAt) },
      };
    },
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
        'MEDIA_QUOTA_EXCEEDED',
        'IDEMPOTENCY_MISMATCH',
        'IDEMPOTENCY_IN_FLIGHT',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
      ],
    },
    async (viewer, request, { services }) => {
      const { value, problems } = readBody(IMPORT_READER, request.body);
      const { idempotencyKey, dryRun } = readChange(IMPORT_PARAMS, request, problems);
      const outcome = await services.media.import(viewer, {
        items: value!.media.map(({ url, name = null, caption: altText = null }, index) => ({
          url,
          name,
          altText,
          path: ['media', String(index), 'url'],
        })),
        inLibrary: true,
        idempotencyKey,
        dryRun,
      });
      return withChangeHeaders(presentImport(outcome), { dryRun, replayed: outcome.replayed });
    },
  ),
  inWorkspace(
    {
      method: 'PUT',
      path: '/v1/media/{id}',
      operationId: 'updateMedia',
      tag: 'Media',
      summary: 'Update media',
      description:
        'Changes the alternative text of a media item. Posts that have the item keep the text that they have. Requires post-action access, unless the user added the file.',
      scopes: [['media']],
      params: CHANGE_PARAMS,
      requestSchema: 'UpdateMedia',
      responseSchema: 'UploadedMedia',
      responseHeaders: [DRY_RUN],
      errorCodes: ['FORBIDDEN', 'MEDIA_NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
    },
    async (viewer, { id, query, body }, { services: { media } }) => {
      const { value, problems } = readBody(UPDATE_MEDIA_READER, body);
      const { values, problems: queryProblems } = readParams(CHANGE_PARAMS, query, 'reject');
      assertNoProblems([...queryProblems, ...problems]);
      const dryRun = values.dry_run ?? false;
      const outcome = await media.update(viewer, { id, altText: value!.caption, dryRun });
      if (outcome.kind === 'refused') return presentRefusals(outcome.refusals);
      const file = (await media.filesById(viewer.workspace.id, [id])).get(id) ?? null;
      const updated = presentFields(UPLOADED_MEDIA, { ...outcome.media, file });
      return withChangeHeaders({ status: 200, body: updated }, { dryRun, replayed: false });
    },
  ),
  inWorkspace(
    {
      method: 'DELETE',
      path: '/v1/media/{id}',
      operationId: 'deleteMedia',
      tag: 'Media',
      summary: 'Delete media',
      description:
        'Deletes a media item that no post uses, with its file. Requires post-action access, unless the user added the file.',
      scopes: [['media']],
      params: CHANGE_PARAMS,
      responseSchema: 'DeletedMedia',
      responseHeaders: [DRY_RUN],
      errorCodes: ['FORBIDDEN', 'MEDIA_NOT_FOUND', 'RULE_VIOLATION'],
    },
    async (viewer, { id, query }, { services }) => {
      const { values, problems } = readParams(CHANGE_PARAMS, query, 'reject');
      assertNoProblems(problems);
      const dryRun = values.dry_run ?? false;
      const outcome = await services.media.delete(viewer, { id, dryRun });
      if (outcome.kind === 'refused') return presentRefusals(outcome.refusals);
      const body = { deleted_id: outcome.media.id };
      return withChangeHeaders({ status: 200, body }, { dryRun, replayed: false });
    },
  ),
];
