/** Writes files that are not there yet. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import { usageError } from "../usageError.ts"

export interface WrittenFiles {
  readonly written: ReadonlyArray<string>
  /** Those that were there, and are as they were. */
  readonly kept: ReadonlyArray<string>
}

/** Never overwrites: a file that appears meanwhile stays, too. */
export const writeNewFiles = (
  folder: string,
  files: ReadonlyMap<string, string>
): Effect.Effect<WrittenFiles, CliError.UserError> =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(folder, { recursive: true })
      const written: Array<string> = []
      const kept: Array<string> = []
      for (const [name, content] of files) {
        const isNew = await writeNew(join(folder, name), content)
        ;(isNew ? written : kept).push(name)
      }
      return { written, kept }
    },
    catch: (error) =>
      usageError(
        `${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
        error
      )
  })

const writeNew = async (path: string, content: string): Promise<boolean> => {
  try {
    await writeFile(path, content, { flag: "wx" })
    return true
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false
    throw error
  }
}
