/** A file as a stream of chunks of at most `size` bytes. */
export async function* splitIntoChunks(file: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < file.length; start += size) yield file.subarray(start, start + size);
}
