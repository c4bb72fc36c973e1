/** Runs a program of the example like its user: starts its file, reads its output, stops it with a signal. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { bundleProgram } from "../../../vitest.programs.ts"
import { pickScope } from "../../../vitest.scope.ts"

/** The last line that a server prints at its start. */
const lastLine = "Every attempt is shown here:"

const sources = join(import.meta.dirname, "../src")

/** `server` is the program of `npm start`. */
type Program = "server" | "receiver"

const toFile = (program: Program): string => join(sources, `${program}.ts`)

/** In full it is the file itself, as its reader starts it. */
const toProgram = pickScope({
  full: async (program: Program) => toFile(program),
  sample: (program: Program) => bundleProgram(toFile(program))
})

export interface RunningServer {
  /** The first printed curl command; rejects if the server ends before that. */
  readonly curl: () => Promise<HttpRequest>
  /** The output so far, including errors. */
  readonly printed: () => string
  /** The exit code; null after a signal. */
  readonly exited: Promise<number | null>
  readonly kill: (signal: NodeJS.Signals) => void
}

/** Runs the program with only the given environment, and by default without a file and without demo traffic. */
export const startExampleServer = async (
  program: Program,
  environment: Readonly<Record<string, string>>
): Promise<RunningServer> => {
  const child = spawn(process.execPath, [await toProgram(program)], {
    env: { SIGNALBOX_DB: ":memory:", DEMO_TRAFFIC: "0", ...environment }
  })
  const ready = Promise.withResolvers<HttpRequest>()
  // Some runs are meant to end before they listen.
  ready.promise.catch(() => undefined)
  let text = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk
      const [curl] = parseCurls(text)
      if (text.includes(lastLine) && curl?.body !== undefined) {
        ready.resolve({ ...curl, body: curl.body })
      }
    })
  }
  child.once("close", () => ready.reject(new Error(`${program} ended early:\n${text}`)))
  return {
    curl: () => ready.promise,
    printed: () => text,
    exited: once(child, "close").then(([code]) => code as number | null),
    kill: (signal) => child.kill(signal)
  }
}

/** The request of a printed curl command. */
export interface PrintedCurl {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Absent for GET. */
  readonly body?: string
}

/** A curl command with a body. */
export type HttpRequest = PrintedCurl & { readonly body: string }

export const parseCurls = (printed: string): ReadonlyArray<PrintedCurl> =>
  Array.from(printed.matchAll(/^curl (?:'[^']*'|\\\n|[^'\n])+/gm), ([command]) => {
    const words = Array.from(
      command.matchAll(/'([^']*)'|([^\s'\\]+)/g),
      ([, quoted, plain]) => quoted ?? plain ?? ""
    )
    const after = (flag: string) => words.filter((_, index) => words[index - 1] === flag)
    const [body] = after("-d")
    return {
      url: words.find((word) => word.startsWith("http")) ?? "",
      headers: Object.fromEntries(after("-H").map((header) => header.split(": ", 2))) as Record<
        string,
        string
      >,
      ...(body === undefined ? undefined : { body })
    }
  })

export const send = ({ body, headers, url }: PrintedCurl): Promise<Response> =>
  fetch(url, body === undefined ? { headers } : { method: "POST", headers, body })
