/**
 * `GET /api/v1/models` over HTTP against a Fastify route that sends a constant string of the same size,
 * interleaved: the whole list, a page of 50 with filters, and such pages of which no two are alike, so
 * that none is kept. Prints ratios: absolute times say more about the machine.
 *
 * Usage: node bench/catalog-http.ts [rounds] [seconds per round] [connections] [models]
 */
import { type ChildProcess, fork } from "node:child_process"
import { join } from "node:path"
import { Pool } from "undici"

const [rounds = 3, seconds = 1, connections = 32, models = 364] = process.argv.slice(2).map(Number)
const headers = { authorization: "Bearer sk-bench" }

const list = "/api/v1/models"
const page = `${list}?limit=50&supported_parameters=tools&min_price=0.01&max_price=20&context=`
/** By what is asked for, the path of each request. */
const asked: Readonly<Record<string, (request: number) => string>> = {
  "the whole list": () => list,
  "a page of 50, three filters": () => `${page}8000&sort=pricing-low-to-high`,
  "pages, none like another": (request) => `${page}${8000 + (request % 20_000)}&sort=newest`
}

interface Server {
  readonly child: ChildProcess
  readonly pool: Pool
}

const next = <A>(child: ChildProcess): Promise<A> =>
  new Promise((resolve) => child.once("message", (message) => resolve(message as A)))

const cpuOf = async ({ child }: Server): Promise<number> => {
  const answer = next<{ readonly cpuMicros: number }>(child)
  child.send("cpu")
  return (await answer).cpuMicros
}

const start = async (name: string): Promise<Server> => {
  const child = fork(join(import.meta.dirname, "servers", `${name}.ts`), {
    env: { ...process.env, MODELS: String(models), NODE_ENV: "production" }
  })
  const { port } = await next<{ readonly port: number }>(child)
  return { child, pool: new Pool(`http://127.0.0.1:${port}`, { connections }) }
}

const get = async ({ pool }: Server, path: string): Promise<number> => {
  const response = await pool.request({ method: "GET", path, headers })
  const { byteLength } = await response.body.bytes()
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
  return byteLength
}

interface Measured {
  readonly server: Server
  readonly path: (request: number) => string
  requests: number
  wallMillis: number
  cpuMicros: number
}

const load = async (measured: Measured, millis: number): Promise<void> => {
  const cpu = await cpuOf(measured.server)
  const started = performance.now()
  const end = started + millis
  const worker = async () => {
    while (performance.now() < end) await get(measured.server, measured.path(measured.requests++))
  }
  await Promise.all(Array.from({ length: connections }, worker))
  measured.wallMillis += performance.now() - started
  measured.cpuMicros += (await cpuOf(measured.server)) - cpu
}

const unmeasured = (server: Server, path: Measured["path"]): Measured => ({
  server,
  path,
  requests: 0,
  wallMillis: 0,
  cpuMicros: 0
})

const [constant, ...boxes] = await Promise.all(
  ["constant", "catalog-fastify", "catalog-node"].map(async (name) => ({
    name,
    server: await start(name)
  }))
)
if (constant === undefined) throw new Error("there is no yardstick")

const cases = await Promise.all(
  Object.entries(asked).map(async ([what, path]) => {
    const bytes = await get(boxes[0]!.server, path(0))
    return {
      what,
      bytes,
      base: unmeasured(constant.server, () => `/${bytes}`),
      boxes: boxes.map(({ name, server }) => ({ name, measured: unmeasured(server, path) }))
    }
  })
)
for (let round = -1; round < rounds; round++) {
  for (const { base, boxes } of cases) {
    for (const measured of [base, ...boxes.map(({ measured }) => measured)]) {
      await load(measured, seconds * 1_000)
      // The first round is for V8 to optimise what there is to optimise.
      if (round === -1) Object.assign(measured, { wallMillis: 0, cpuMicros: 0, requests: 0 })
    }
  }
}
const rateOf = ({ requests, wallMillis }: Measured): number => (requests / wallMillis) * 1_000

console.table(
  cases.flatMap(({ base, boxes, bytes, what }) =>
    [{ name: "constant", measured: base }, ...boxes].map(({ measured, name }) => ({
      asked: what,
      bytes,
      server: name,
      "throughput (constant = 1)": (rateOf(measured) / rateOf(base)).toFixed(2),
      "requests/s": Math.round(rateOf(measured)),
      "CPU us/request": Math.round(measured.cpuMicros / measured.requests)
    }))
  )
)
for (const { server } of [constant, ...boxes]) {
  await server.pool.close()
  server.child.kill()
}
