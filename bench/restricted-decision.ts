/**
 * Compares a Decision without restrictions with one under all of them: an account setting, credits, a key limit, a workspace
 * budget, and three guardrails with lists and budgets. The latter has no customer credentials, credentials that do not
 * match, or credentials that match. Runs over HTTP, and in process on an in-memory upstream. Prints ratios, because absolute
 * times depend on the machine.
 *
 * Usage: node bench/restricted-decision.ts [rounds] [seconds per round] [connections]
 */
import { type ChildProcess, fork } from "node:child_process"
import { join } from "node:path"
import { Pool } from "undici"
import { decisionRequest } from "./decisionRequest.ts"
import { startUpstream } from "./startUpstream.ts"

const [rounds = 24, seconds = 0.4, connections = 32] = process.argv.slice(2).map(Number)
const warmUpMillis = 5_000
const policies = ["none", "all but credentials", "credentials of others", "credentials"]
const path = "/api/alpha/decisions"
const headers = { "content-type": "application/json", authorization: "Bearer sk-bench" }
const request = { method: "POST", path, headers, body: JSON.stringify(decisionRequest) } as const

const nextMessage = <A>(child: ChildProcess): Promise<A> =>
  new Promise((resolve) => child.once("message", (message) => resolve(message as A)))

const sendMessage = async <A>(child: ChildProcess, message: string | number): Promise<A> => {
  const answer = nextMessage<A>(child)
  child.send(message)
  return answer
}

interface Load {
  /** Runs for about this long, and returns the number of requests and their CPU time. */
  readonly run: (
    millis: number
  ) => Promise<{ readonly requests: number; readonly cpuMicros: number }>
  readonly stop: () => Promise<void>
}

type StartLoad = (child: ChildProcess, hello: { readonly port?: number }) => Load

const startHttpLoad: StartLoad = (child, { port }) => {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections })
  const cpu = async () =>
    (await sendMessage<{ readonly cpuMicros: number }>(child, "cpu")).cpuMicros
  return {
    run: async (millis) => {
      const before = await cpu()
      const end = performance.now() + millis
      let requests = 0
      const worker = async () => {
        for (; performance.now() < end; requests++) {
          const { body, statusCode } = await pool.request(request)
          const text = await body.text()
          if (statusCode !== 200) throw new Error(`status ${statusCode}: ${text}`)
        }
      }
      await Promise.all(Array.from({ length: connections }, worker))
      return { requests, cpuMicros: (await cpu()) - before }
    },
    stop: () => pool.close()
  }
}

const startInProcessLoad: StartLoad = (child) => ({
  run: async (millis) => {
    const end = performance.now() + millis
    const each = 1_000
    let requests = 0
    let cpuMicros = 0
    for (; performance.now() < end; requests += each) {
      cpuMicros += (await sendMessage<{ readonly cpuMicros: number }>(child, each)).cpuMicros
    }
    return { requests, cpuMicros }
  },
  stop: () => Promise.resolve()
})

/** A lower quantile of the rounds, because other processes on the machine only add time. */
const lowerQuartile = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN

const compare = async (where: string, server: string, start: StartLoad): Promise<void> => {
  const upstream = await startUpstream()
  const env = { ...process.env, UPSTREAM_PORT: String(upstream.port), NODE_ENV: "production" }
  const measured: Array<{ child: ChildProcess; load: Load; perRequest: Array<number> }> = []
  for (const POLICIES of policies) {
    const child = fork(join(import.meta.dirname, "servers", `${server}.ts`), {
      env: { ...env, POLICIES }
    })
    const load = start(child, await nextMessage(child))
    await load.run(warmUpMillis)
    measured.push({ child, load, perRequest: [] })
  }
  for (let round = 0; round < rounds; round++) {
    for (const { load, perRequest } of measured) {
      const { cpuMicros, requests } = await load.run(seconds * 1_000)
      perRequest.push(cpuMicros / requests)
    }
  }
  const [plain] = measured
  if (plain === undefined) throw new Error("there is nothing to compare with")
  console.table(
    measured.map(({ perRequest }, row) => ({
      where,
      policies: policies[row],
      "CPU (none = 1)": (lowerQuartile(perRequest) / lowerQuartile(plain.perRequest)).toFixed(2),
      "CPU us/request": lowerQuartile(perRequest).toFixed(1)
    }))
  )
  for (const { child, load } of measured) {
    await load.stop()
    child.kill()
  }
  upstream.stop()
}

await compare("in process", "restricted-process", startInProcessLoad)
await compare("HTTP", "restricted-node", startHttpLoad)
