/** A folder that is gone with the test. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

export class TemporaryFolder implements AsyncDisposable {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  static async make(): Promise<TemporaryFolder> {
    return new TemporaryFolder(await mkdtemp(join(tmpdir(), "signalbox-cli-")))
  }

  /** Returns the path of the file. */
  async write(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.path, name)
    await writeFile(path, content)
    return path
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true })
  }
}
