/** Reads a file of lines, also one that gzip has compressed, one line at a time. */
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { createInterface } from "node:readline"
import { createGunzip } from "node:zlib"

/** A line that is not blank. */
export interface Line {
  /** Its number in the file, from 1; blank lines count. */
  readonly number: number
  readonly text: string
}

/** `-` is the standard input, which is not compressed. Throws when the file cannot be read. */
export const readLines = async function* (path: string): AsyncGenerator<Line, void> {
  const input: NodeJS.ReadableStream = path === "-" ? process.stdin : await openFile(path)
  const lines = createInterface({ input, crlfDelay: Infinity })
  // The interface does not pass errors of its input on.
  const failed = new Promise<never>((_, reject) => input.once("error", reject))
  failed.catch(() => undefined)
  const iterator = lines[Symbol.asyncIterator]()
  for (let number = 1; ; number++) {
    const { done, value } = await Promise.race([iterator.next(), failed])
    if (done === true) return
    if (value.trim() !== "") yield { number, text: value }
  }
}

const openFile = async (path: string): Promise<NodeJS.ReadableStream> => {
  const file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
  await file.close()
  const stream = createReadStream(path)
  const isCompressed = bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b
  if (!isCompressed) return stream
  const inflated = createGunzip()
  stream.once("error", (error) => inflated.destroy(error))
  return stream.pipe(inflated)
}
