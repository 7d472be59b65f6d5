import { httpsUrl } from '../domain/input/readers.js';
import {
  described,
  integerReader,
  listReader,
  textReader,
  type BodyReader,
} from '../http/body-readers.js';
import type { JsonSchema } from '../http/json-schema.js';
import { MEDIA_FILE_LIMITS } from '../domain/media/media-file.js';
import { defineTool, HINTS, type Tool, type ToolAnswer, type ToolCall } from './tool.js';
import { refusalFailure, ToolError, toolFailure } from './tool-errors.js';
import { presentTime } from './tool-times.js';

const TEXT: JsonSchema = { type: 'string' };
const URL_READER: BodyReader<string> = {
  schema: { ...TEXT, maxLength: 2_048 },
  read: httpsUrl({ maxLength: 2_048 }),
};
const MAX_IMPORTED = 10;
const SCOPES = [['media']] as const;

async function importMedia({
  services,
  viewer,
  args,
  dryRun,
}: ToolCall<{ urls: string[] }>): Promise<ToolAnswer> {
  const outcome = await services.media.import(viewer, {
    items: args.urls.map((url, index) => ({
      url,
      name: null,
      altText: null,
      path: ['urls', String(index)],
    })),
    inLibrary: true,
    dryRun,
  });
  if (outcome.kind === 'refused') throw new ToolError(refusalFailure(outcome.refusals[0]!));
  return {
    media: outcome.media.map(({ id, type }) => ({ media_id: id, type })),
    job_id: outcome.jobId,
  };
}

interface UploadArguments {
  name: string;
  bytes?: number | null;
  alt_text?: string | null;
  data?: string | null;
}

/** Base64 of data; the size of the request limits it. */
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

const invalid = (field: string, message: string): ToolError =>
  new ToolError(toolFailure('BAD_USER_INPUT', `${field} ${message}`, { field }));

async function* once(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}

async function createUpload({
  services,
  viewer,
  args,
}: ToolCall<UploadArguments>): Promise<ToolAnswer> {
  const { name, bytes, alt_text: altText, data } = args;
  if (data && !BASE64.test(data)) throw invalid('data', 'must be base64.');
  const content = data ? Buffer.from(data, 'base64') : null;
  const size = content?.length ?? bytes;
  if (!size) throw invalid('bytes', 'must be the size of the file, unless data contains it.');
  const upload = await services.media.createUpload(viewer, {
    name,
    bytes: size,
    altText: altText ?? null,
    inLibrary: true,
  });
  if (upload.kind === 'refused') throw new ToolError(refusalFailure(upload.refusals[0]!));
  const { mediaId, url, expiresAt } = upload;
  if (content) {
    const token = url.slice(url.lastIndexOf('/') + 1);
    const received = await services.media.receive({ id: mediaId, token }, once(content));
    if (received?.kind === 'refused') throw new ToolError(refusalFailure(received.refusals[0]!));
    return { media_id: mediaId, stored: true };
  }
  return {
    media_id: mediaId,
    stored: false,
    upload_url: url,
    expires_at: presentTime(expiresAt, viewer.workspace.timeZone),
    command: `curl --upload-file ${quoted(name)} ${quoted(url)}`,
  };
}

/** An argument of a shell command. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The tools that add media. */
export const MEDIA_TOOLS: readonly Tool[] = [
  defineTool<{ urls: string[] }>({
    name: 'import_media',
    title: 'Add media by URL',
    description: 'A job fetches the files; posts can use the media_id at once.',
    scopes: SCOPES,
    hints: HINTS.writesOnNetworks,
    input: { urls: listReader(URL_READER, { minItems: 1, maxItems: MAX_IMPORTED }) },
    required: ['urls'],
    output: { media: { type: 'array', items: { type: 'object' } }, job_id: TEXT },
    example: { urls: ['https://example.com/picture.jpg'] },
    run: importMedia,
  }),
  defineTool<UploadArguments>({
    name: 'create_media_upload',
    title: 'Upload a local file',
    description:
      'Gives an address for the file, and a command that sends it. Small files can be sent as data instead.',
    scopes: SCOPES,
    hints: HINTS.writes,
    input: {
      name: textReader(255),
      bytes: described('Size of the file.', integerReader(1, MEDIA_FILE_LIMITS.bytes)),
      alt_text: textReader(10_000),
      data: {
        schema: { ...TEXT, description: 'Base64, less than 1 MB.' },
        read: textReader(1_400_000).read,
      },
    },
    required: ['name'],
    output: {
      media_id: TEXT,
      stored: { type: 'boolean' },
      upload_url: TEXT,
      expires_at: { type: 'object' },
      command: TEXT,
    },
    example: { name: 'menu.jpg', bytes: 120_000, alt_text: 'The menu' },
    run: createUpload,
  }),
];
