/** Runs the program `signalbox` as a child process. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { bundleCli } from "./bundleCli.ts"

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface RunOptions {
  /** Added to an environment without any variable of Signalbox. */
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Runs the modules of the workspace, which a configuration imports that is outside of `bundleCli`. */
  readonly fromSource?: boolean
}

export const runCli = async (
  args: ReadonlyArray<string>,
  { env = {}, fromSource = false, stdin = "" }: RunOptions = {}
): Promise<CliResult> => {
  const program = fromSource
    ? join(import.meta.dirname, "../src/main.ts")
    : (await bundleCli()).program
  const { NODE_COMPILE_CACHE, PATH } = process.env
  const child = spawn(process.execPath, [program, ...args], {
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
