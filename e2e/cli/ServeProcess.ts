/** `signalbox serve` as a process, with a configuration in a folder of its own. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { symlink } from "node:fs/promises"
import { join } from "node:path"
import { bundleCli } from "../../packages/cli/test/bundleCli.ts"
import { TemporaryFolder } from "../../packages/cli/test/temporaryFolder.ts"
import { waitUntil } from "../support/waitUntil.ts"

export const managementKey = "sk-management-of-a-test"

interface LogLine {
  readonly message: string
  readonly url?: string
  readonly path?: string
}

/** A folder with `signalbox.config.ts`, which can import the packages that `bundleCli` names, or from `modules`. */
export const makeServeFolder = async (
  config: string,
  modules?: string
): Promise<TemporaryFolder> => {
  const folder = await TemporaryFolder.make()
  const target = modules ?? (await bundleCli()).modules
  await symlink(target, join(folder.path, "node_modules"))
  await folder.write("signalbox.config.ts", config)
  return folder
}

export class ServeProcess implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly exited: Promise<number | null>
  #stdout = ""
  #stderr = ""
  readonly #listening = Promise.withResolvers<string>()
  readonly #stopping = Promise.withResolvers<void>()

  private constructor(child: ChildProcess) {
    this.#child = child
    this.exited = once(child, "close").then(([code]) => {
      this.#listening.reject(new Error(`it ended early:\n${this.output}`))
      this.#stopping.reject(new Error(`it ended without a word:\n${this.output}`))
      return code as number | null
    })
    for (const { promise } of [this.#listening, this.#stopping]) promise.catch(() => undefined)
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text
    })
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#stdout += text
      for (const { message, url } of this.lines) {
        if (message === "listening" && url !== undefined) this.#listening.resolve(url)
        if (message === "stopping") this.#stopping.resolve()
      }
    })
  }

  /** On a free port, with only the given environment and, unless it has one, a management key. */
  static async start(
    folder: TemporaryFolder,
    environment: Readonly<Record<string, string>> = {},
    args: ReadonlyArray<string> = [],
    { json = true, shell = false }: { readonly json?: boolean; readonly shell?: boolean } = {}
  ): Promise<ServeProcess> {
    const { NODE_COMPILE_CACHE, PATH } = process.env
    const { program } = await bundleCli()
    return new ServeProcess(
      spawn(process.execPath, [program, "serve", ...(json ? ["--json"] : []), ...args], {
        cwd: folder.path,
        shell,
        env: {
          NODE_COMPILE_CACHE,
          PATH,
          PORT: "0",
          SIGNALBOX_MANAGEMENT_KEY: managementKey,
          ...environment
        }
      })
    )
  }

  /** Its address, with the mount. */
  get url(): Promise<string> {
    return this.#listening.promise
  }

  /** Resolves when a signal has arrived. */
  get stopping(): Promise<void> {
    return this.#stopping.promise
  }

  /** Resolves when it has printed this; rejects if it ends before. */
  async said(text: string): Promise<void> {
    await waitUntil(
      async () => this.#child.exitCode !== null || this.output.includes(text),
      `no ${text}`
    )
    if (!this.output.includes(text)) throw new Error(`it ended early:\n${this.output}`)
  }

  /** All that it has printed. */
  get output(): string {
    return this.#stdout + this.#stderr
  }

  /** The complete lines of its log. */
  get lines(): ReadonlyArray<LogLine> {
    return this.#stdout
      .split("\n")
      .slice(0, -1)
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line))
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Its exit code after SIGTERM. */
  stop(): Promise<number | null> {
    this.signal("SIGTERM")
    return this.exited
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signal("SIGKILL")
    await this.exited
  }
}
