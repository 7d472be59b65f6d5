import { fork, type ChildProcess } from 'node:child_process';
import { UnreadableFileError, type PictureSize } from '../domain/media/media-file.js';

/** Cameras write files that viewers show in spite of their mistakes. */
export const FAIL_ON = 'truncated';
/** What a process sends once it can decode pictures. */
export const READY = 'ready';

/** A picture as JPEG. */
export interface SmallerPicture {
  readonly bytes: Uint8Array;
  readonly size: PictureSize;
}

/** What a process gets to do. */
export type PictureTask =
  | { readonly kind: 'thumbnail'; readonly path: string }
  | { readonly kind: 'smaller'; readonly picture: Uint8Array; readonly maxBytes: number };
/** What the tasks result in. */
export interface PictureResults {
  readonly thumbnail: Uint8Array;
  /** Null if the picture cannot be made small enough. */
  readonly smaller: SmallerPicture | null;
}
/** What a process sends for a task. */
export type PictureAnswer =
  { readonly result: PictureResults[PictureTask['kind']] } | { readonly problem: string };

/** Decodes pictures in processes of their own. */
export interface PictureProcesses {
  /** A small version of the picture in a file, as WebP. @throws UnreadableFileError */
  makeThumbnail(path: string): Promise<Uint8Array>;
  /**
   * A picture as JPEG of at most `maxBytes` bytes; null if that is impossible.
   * @throws UnreadableFileError
   */
  makeSmaller(picture: Uint8Array, maxBytes: number): Promise<SmallerPicture | null>;
}

/** glibc would keep what a picture has taken for later ones, in each of its threads. */
const ENVIRONMENT = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };
/** A process that has nothing to do ends after this time. */
const IDLE_MS = 10_000;
/** More than a process takes for a thumbnail, and for all sizes that it tries, before it gives up. */
const TIMEOUTS_MS = { thumbnail: 20_000, smaller: 60_000 } as const;

/** A process that performs one task at a time. */
interface Decoder {
  readonly child: ChildProcess;
  /** Resolves to the reason when the process has ended. */
  readonly ended: Promise<string>;
}

/** Starts a process. @throws Error if it does not start */
async function startDecoder(program: string): Promise<Decoder> {
  const child = fork(program, [], {
    execArgv: [],
    env: ENVIRONMENT,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`ended with ${signal ?? code}`));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve()).on('error', reject);
    void ended.then((reason) => reject(new Error(`${program} ${reason}`)));
  });
  return { child, ended };
}

/** The answer of a process; a problem if it ends, or does not answer in time. */
async function ask({ child, ended }: Decoder, task: PictureTask): Promise<PictureAnswer> {
  const timeout = setTimeout(() => child.kill('SIGKILL'), TIMEOUTS_MS[task.kind]);
  const answer = new Promise<PictureAnswer>((resolve) => {
    child.once('message', (message) => resolve(message as PictureAnswer));
  });
  child.send(task);
  try {
    return await Promise.race([answer, ended.then((problem) => ({ problem }))]);
  } finally {
    clearTimeout(timeout);
  }
}

/**
 * Decodes pictures with processes that run this program, one for each picture at the same time.
 * While they have nothing to do, they do not keep this process alive.
 */
export function createPictureProcesses(program: string): PictureProcesses {
  /** Those that have nothing to do, with the timers of their end. */
  const idle = new Map<Decoder, NodeJS.Timeout>();

  function rest(decoder: Decoder): void {
    const { child, ended } = decoder;
    if (!child.connected) return;
    child.unref();
    child.channel?.unref();
    idle.set(decoder, setTimeout(() => child.kill('SIGKILL'), IDLE_MS).unref());
    void ended.then(() => take(decoder));
  }

  function take(decoder: Decoder): void {
    clearTimeout(idle.get(decoder));
    idle.delete(decoder);
  }

  function resume(): Decoder | undefined {
    const [decoder] = idle.keys();
    if (!decoder) return undefined;
    take(decoder);
    decoder.child.ref();
    decoder.child.channel?.ref();
    return decoder;
  }

  /** @throws UnreadableFileError */
  async function perform<Kind extends PictureTask['kind']>(
    task: Extract<PictureTask, { kind: Kind }>,
  ): Promise<PictureResults[Kind]> {
    const decoder = resume() ?? (await startDecoder(program));
    const answer = await ask(decoder, task);
    rest(decoder);
    if ('result' in answer) return answer.result as PictureResults[Kind];
    throw new UnreadableFileError('is damaged: it cannot be decoded', {
      cause: answer.problem,
    });
  }

  return {
    makeThumbnail: (path) => perform<'thumbnail'>({ kind: 'thumbnail', path }),
    makeSmaller: (picture, maxBytes) => perform<'smaller'>({ kind: 'smaller', picture, maxBytes }),
  };
}
