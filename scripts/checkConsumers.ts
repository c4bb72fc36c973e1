/** Runs the applications of `scripts/consumer`; each loads the installed tarballs in its own way. */
import { spawn } from "node:child_process"
import { delimiter, dirname, join } from "node:path"

interface Consumer {
  /** The folder in `scripts/consumer`. */
  readonly name: string
  /** Arguments for the newest Node, run once in the folder. */
  readonly build?: ReadonlyArray<string>
  /** Commands for every Node, run in the project. `node` is that Node. */
  readonly runs: ReadonlyArray<readonly [string, ...ReadonlyArray<string>]>
  /** What to do about a failure. */
  readonly remedy: string
}

const consumers: ReadonlyArray<Consumer> = [
  {
    name: "next",
    build: ["../node_modules/next/dist/bin/next", "build"],
    runs: [["node", "out/next/main.js"]],
    remedy: "compare what Next.js resolves with `publishConfig.exports` of the package"
  },
  {
    name: "esm",
    runs: [["node", "out/esm/main.js"]],
    remedy: "see the error; every other consumer is likely to fail, too"
  },
  {
    name: "everyExport",
    runs: [["node", "out/everyExport/main.js"]],
    remedy: "correct `publishConfig.exports`, or declare the dependency that is missing"
  },
  {
    name: "commonjs",
    runs: [["node", "commonjs/main.cjs"]],
    remedy: "a module with top-level await cannot be required: move the await into a function"
  },
  {
    name: "esbuild",
    build: ["build.mjs"],
    runs: [
      ["node", "esbuild/out/main.mjs"],
      ["node", "out/esbuild/runPage.js"]
    ],
    remedy: "a bundle has no files beside it, and one for browsers nothing of Node"
  },
  {
    name: "viteSsr",
    build: ["../node_modules/vite/bin/vite.js", "build"],
    runs: [["node", "viteSsr/out/main.mjs"]],
    remedy: "compare what Vite resolves with `publishConfig.exports` of the package"
  },
  {
    name: "cli",
    runs: [
      ["npx", "--no", "--", "signalbox", "--version"],
      ["npx", "--no", "--", "signalbox", "--help"]
    ],
    remedy: "correct `publishConfig.bin` of packages/cli, or its first line"
  }
]

/** Runs all on each Node of `nodes`, which are paths; the last one builds. Two at a time, because each waits, too. */
export const checkConsumers = async (
  project: string,
  nodes: ReadonlyArray<string>
): Promise<void> => {
  const waiting = [...consumers]
  const failures: Array<string> = []
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const failure = await check(next, project, nodes)
      if (failure !== undefined) failures.push(failure)
    }
  }
  await Promise.all([work(), work()])
  if (failures.length > 0) throw new Error(`consumers failed:\n\n${failures.join("\n\n")}`)
}

const check = async (
  { build, name, remedy, runs }: Consumer,
  project: string,
  nodes: ReadonlyArray<string>
): Promise<string | undefined> => {
  const builder = nodes.at(-1)
  const commands = [
    ...(build === undefined || builder === undefined
      ? []
      : [{ command: ["node", ...build], cwd: join(project, name), node: builder }]),
    ...nodes.flatMap((node) => runs.map((command) => ({ command, cwd: project, node })))
  ]
  for (const { command, cwd, node } of commands) {
    const { isOk, output } = await capture(command, cwd, node)
    const line = `${node} runs: ${command.join(" ")}`
    if (!isOk) {
      return `the consumer ${name} failed. What to do: ${remedy}.\n${line}\nin ${cwd}\n${output}`
    }
    // What a build or the help prints says nothing about the packages.
    const last = output.trim().split("\n").at(-1) ?? ""
    if (cwd === project && !command.includes("--help")) console.log(last)
  }
  return undefined
}

const capture = async (
  [program = "", ...args]: ReadonlyArray<string>,
  cwd: string,
  node: string
): Promise<{ readonly isOk: boolean; readonly output: string }> => {
  const child = spawn(program, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 900_000,
    env: {
      ...process.env,
      NEXT_TELEMETRY_DISABLED: "1",
      NODE_ENV: "production",
      PATH: [dirname(node), process.env["PATH"]].join(delimiter)
    }
  })
  const output: Array<Buffer> = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (piece: Buffer) => void output.push(piece))
  }
  const end = await new Promise((resolve) => {
    child.once("error", (error) => {
      output.push(Buffer.from(error.message))
      resolve(error)
    })
    child.once("close", resolve)
  })
  return { isOk: end === 0, output: Buffer.concat(output).toString() }
}
