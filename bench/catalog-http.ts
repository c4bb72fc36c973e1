/**
 * Compares `GET /api/v1/models` with a Fastify route that sends a constant string of the same size: the whole list, a page
 * of 50 with filters, and such pages that all differ, so that none is cached. Prints ratios, because absolute times depend
 * on the machine.
 *
 * Usage: node bench/catalog-http.ts [rounds] [seconds per round] [connections] [models]
 */
import { type Cost, ServerProcess } from "./ServerProcess.ts"

const [rounds = 3, seconds = 1, connections = 32, models = 364] = process.argv.slice(2).map(Number)
const headers = { authorization: "Bearer sk-bench" }

const list = "/api/v1/models"
const page = `${list}?limit=50&supported_parameters=tools&min_price=0.01&max_price=20&context=`
/** The path of each request, by name. */
const requestCases: Readonly<Record<string, (request: number) => string>> = {
  "the whole list": () => list,
  "a page of 50, three filters": () => `${page}8000&sort=pricing-low-to-high`,
  "pages, none like another": (request) => `${page}${8000 + (request % 20_000)}&sort=newest`
}

const get = async ({ pool }: ServerProcess, path: string): Promise<number> => {
  const response = await pool.request({ method: "GET", path, headers })
  const { byteLength } = await response.body.bytes()
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
  return byteLength
}

interface Measured extends Cost {
  readonly server: ServerProcess
  readonly path: (request: number) => string
  requests: number
}

const load = async (measured: Measured, millis: number): Promise<void> => {
  const { path, server } = measured
  const worker = async (end: number) => {
    while (performance.now() < end) await get(server, path(measured.requests++))
  }
  await server.measure(measured, () => {
    const end = performance.now() + millis
    return Promise.all(Array.from({ length: connections }, () => worker(end)))
  })
}

const warmUp = (server: ServerProcess, path: Measured["path"]): Measured => ({
  server,
  path,
  requests: 0,
  wallMillis: 0,
  cpuMicros: 0
})

const [constant, ...instances] = await Promise.all(
  ["constant", "catalog-fastify", "catalog-node"].map((name) =>
    ServerProcess.start(name, connections, { MODELS: String(models) })
  )
)
if (constant === undefined) throw new Error("there is no yardstick")

const cases = await Promise.all(
  Object.entries(requestCases).map(async ([what, path]) => {
    const bytes = await get(instances[0]!, path(0))
    return {
      what,
      bytes,
      base: warmUp(constant, () => `/${bytes}`),
      boxes: instances.map((server) => warmUp(server, path))
    }
  })
)
for (let round = -1; round < rounds; round++) {
  for (const { base, boxes } of cases) {
    for (const measured of [base, ...boxes]) {
      await load(measured, seconds * 1_000)
      // The first round warms up V8.
      if (round === -1) Object.assign(measured, { wallMillis: 0, cpuMicros: 0, requests: 0 })
    }
  }
}
const toRate = ({ requests, wallMillis }: Measured): number => (requests / wallMillis) * 1_000

console.table(
  cases.flatMap(({ base, boxes: instances, bytes, what }) =>
    [base, ...instances].map((measured) => ({
      asked: what,
      bytes,
      server: measured.server.name,
      "throughput (constant = 1)": (toRate(measured) / toRate(base)).toFixed(2),
      "requests/s": Math.round(toRate(measured)),
      "CPU us/request": Math.round(measured.cpuMicros / measured.requests)
    }))
  )
)
for (const server of [constant, ...instances]) await server.stop()
