/** Runs the program `signalbox` as a child process. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { text } from "node:stream/consumers"

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface RunOptions {
  /** Added to an environment without any variable of Signalbox. */
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
}

export const runCli = async (
  args: ReadonlyArray<string>,
  { env = {}, stdin = "" }: RunOptions = {}
): Promise<CliResult> => {
  const { NODE_COMPILE_CACHE, PATH } = process.env
  const child = spawn(process.execPath, [join(import.meta.dirname, "../src/main.ts"), ...args], {
    env: {
      ...(PATH === undefined ? undefined : { PATH }),
      ...(NODE_COMPILE_CACHE === undefined ? undefined : { NODE_COMPILE_CACHE }),
      ...env
    }
  })
  child.stdin.end(stdin)
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve, reject) => {
      child.once("close", resolve)
      child.once("error", reject)
    })
  ])
  return { code, stdout, stderr }
}
