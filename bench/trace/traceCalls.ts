/** Counts the calls of functions that one run makes, by the precise coverage of V8. */
import { readFileSync } from "node:fs"
import type { Profiler } from "node:inspector"
import { Session } from "node:inspector/promises"
import { fileURLToPath } from "node:url"

export interface CalledFunction {
  /** Within the repository. */
  readonly file: string
  /** The line of its beginning, from 1. */
  readonly line: number
  /** Of an anonymous one, what it is declared in; empty: nothing. */
  readonly name: string
  readonly calls: number
}

/** Enough for what is done once: lazy imports, connections, caches. */
const warmUpRuns = 200

/** Runs that are traced; the one with the fewest calls has no work beside it, such as records that are stored in batches. */
const tracedRuns = 9

/** The path of a source of the packages; undefined for other scripts, and for what tests alone use. */
export const findSource = (url: string): string | undefined => {
  const file = /\/packages\/[^/]+\/src\/.*/.exec(url)?.[0].slice(1)
  return file?.startsWith("packages/testing/") === true ? undefined : file
}

/**
 * Functions that are called by one more `run`, in the order of files. Runs are one after another. `findFile` says which scripts
 * count, and their names; default: the sources of the packages.
 */
export const traceCalls = async (
  run: () => Promise<unknown>,
  findFile: (url: string) => string | undefined = findSource
): Promise<ReadonlyArray<CalledFunction>> => {
  for (let index = 0; index < warmUpRuns; index++) await run()
  const session = new Session()
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
  // The first run under coverage compiles functions anew.
  await run()
  await session.post("Profiler.takePreciseCoverage")
  let fewest: ReadonlyArray<CalledFunction> = []
  for (let index = 0; index < tracedRuns; index++) {
    await run()
    const { result } = await session.post("Profiler.takePreciseCoverage")
    const called = result.flatMap((script) => listCalled(script, findFile(script.url)))
    if (index === 0 || countCalls(called) < countCalls(fewest)) fewest = called
  }
  await session.post("Profiler.stopPreciseCoverage")
  session.disconnect()
  return fewest
}

/** The modules of Effect that make and run effects and fibers, and find the services that they see. */
export const findEffectModule = (url: string): string | undefined =>
  /\/node_modules\/effect\/dist\/(?:internal\/(?:core|effect)|Context|Effectable)\.js$/
    .exec(url)?.[0]
    .replace(/.*\/dist\//, "")

export const countCalls = (functions: ReadonlyArray<CalledFunction>): number =>
  functions.reduce((sum, { calls }) => sum + calls, 0)

const listCalled = (
  { functions, url }: Profiler.ScriptCoverage,
  file: string | undefined
): ReadonlyArray<CalledFunction> => {
  if (file === undefined) return []
  const text = readFileSync(fileURLToPath(url), "utf8")
  return functions.flatMap(({ functionName, ranges: [range] }): ReadonlyArray<CalledFunction> => {
    // The first function is the module itself.
    if (range === undefined || range.count === 0 || range.startOffset === 0) return []
    const line = text.slice(0, range.startOffset).split("\n").length
    const name = functionName === "" ? findDeclaration(text, range.startOffset) : functionName
    return [{ file, line, name, calls: range.count }]
  })
}

/** The last declaration at the beginning of a line. */
const findDeclaration = (text: string, offset: number): string =>
  text
    .slice(0, offset)
    .match(/^(?:export )?(?:const|class|function) [\w$]+/gm)
    ?.at(-1)
    ?.replace(/.* /, "") ?? ""
