/** What ARCHITECTURE.md allows on the way of a warm request: results at hand, and waits by a callback. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"

const names = [
  "chat",
  "chat, with a cache that it does not use",
  "Messages to Anthropic",
  "Responses to OpenAI",
  "Decision"
]

/** Exits, clocks, looking a reference up, and asking what something is. All else makes an effect for a fiber, or runs one. */
const allowed: ReadonlyArray<RegExp> = [
  /^internal\/core\.js (?:isEffect|isExit|Proto|ExitPrimitive|makeExit|exitSucceed|exitFail|causeFail|CauseImpl|Fail)$/,
  /^internal\/core\.js (?:ReasonBase|<instance_members_initializer>)$/,
  /^internal\/effect\.js (?:getCurrentFiber|effectIsExit|exitIs\w+|exitMap\w*|matchEager|currentTime\w+)$/,
  /^Effectable\.js Base$/,
  /^Context\.js (?:makeImpl|lookup|isReference|get\w*|add|addUnsafe)$/
]

/** The context of the request, with its client, the settings of a chat, and what hears of a wait for a connection. */
const maxProvided = 4

let calls: Readonly<Record<string, Readonly<Record<string, number>>>> = {}

describe("a warm request", () => {
  beforeAll(async () => {
    const program = join(import.meta.dirname, "traceProgram.ts")
    const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(names)])
    calls = JSON.parse(stdout)
    // Coverage compiles everything anew, which takes a while on a busy machine.
  }, 300_000)

  it.each(names)("makes no effect for a fiber: %s", (name) => {
    const called = Object.keys(calls[name] ?? {})
    expect(called).not.toEqual([])
    expect(called.filter((each) => !allowed.some((pattern) => pattern.test(each)))).toEqual([])
  })

  it.each(names)("provides few services: %s", (name) => {
    expect(calls[name]?.["Context.js addUnsafe"] ?? 0).toBeLessThanOrEqual(maxProvided)
  })
})
