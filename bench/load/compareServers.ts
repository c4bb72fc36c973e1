/** Compares two servers by throughput and CPU, in alternate rounds. */
import { median } from "../quantile.ts"
import { Program, type ProgramOptions } from "../Program.ts"
import type { Achieved, ClosedLoad } from "./loadProgram.ts"

/** The core of measured servers. Load and upstream share the other. */
export const serverCore = 0
const loadCore = 1

export interface Server {
  readonly name: string
  readonly program: Program<{ readonly port: number }>
  /** What requests to this server need. */
  readonly target?: Pick<ClosedLoad, "headers" | "path">
}

interface Listening {
  readonly port: number
}

/** What puts load on servers and answers them. */
export interface LoadBench {
  readonly client: Program
  readonly upstream: Program<Listening>
  readonly stop: () => Promise<void>
}

export const startLoadBench = async (): Promise<LoadBench> => {
  const upstream = await Program.start<Listening>("load/upstreamProgram.ts", { core: loadCore })
  const client = await Program.start("load/loadProgram.ts", { core: loadCore })
  const stop = async (): Promise<void> => {
    await Promise.all([client.stop(), upstream.stop()])
  }
  return { client, upstream, stop }
}

/** `name` is a file of `servers/`. */
export const startServer = async (
  name: string,
  { upstream }: LoadBench,
  { env, flags = [] }: Pick<ProgramOptions, "env" | "flags"> = {}
): Promise<Server> => ({
  name,
  program: await Program.start<Listening>(`servers/${name}.ts`, {
    core: serverCore,
    flags,
    env: { ...env, UPSTREAM_PORT: String(upstream.hello.port) }
  })
})

const readCpu = async (program: Program): Promise<number> =>
  (await program.ask<{ readonly cpuMicros: number }>("cpu")).cpuMicros

export interface RoundsOptions {
  readonly rounds: number
  /** The duration of each round of each server. */
  readonly seconds: number
  /** Requests to each server before the rounds. */
  readonly warmUp: number
}

/** The load, without the server that it is put on. */
export type Load = Pick<ClosedLoad, "workload" | "connections">

/** Medians of the rounds. A unit is an answer, or an event of a streamed one. */
interface Measured {
  readonly perSecond: number
  readonly cpuMicros: number
  readonly p99: number
  readonly firstP50: number
}

export interface Comparison {
  readonly base: Measured
  readonly measured: Measured
  /** Medians of the ratios of two rounds that follow each other. */
  readonly throughput: number
  readonly cpu: number
  /** The largest share of a core that load and upstream took: near 1, the servers waited for them. */
  readonly loadCpu: number
}

interface Round extends Measured {
  readonly loadCpu: number
}

const runRound = async (
  { client, upstream }: LoadBench,
  { program, target }: Server,
  load: Load,
  seconds: number
): Promise<Round> => {
  const before = await readCpu(program)
  const upstreamBefore = await readCpu(upstream)
  const request: ClosedLoad = {
    ...load,
    ...target,
    port: program.hello.port,
    millis: seconds * 1_000
  }
  const achieved = await client.ask<Achieved>(request)
  const cpu = (await readCpu(program)) - before
  const upstreamCpu = (await readCpu(upstream)) - upstreamBefore
  const isStream = achieved.allEvents > 0
  return {
    perSecond: ((isStream ? achieved.events : achieved.answers) / achieved.millis) * 1_000,
    cpuMicros: cpu / (isStream ? achieved.allEvents : achieved.allAnswers),
    p99: achieved.p99,
    firstP50: achieved.firstP50,
    loadCpu: achieved.cpu + upstreamCpu / 1_000 / achieved.millis
  }
}

const toMedians = (rounds: ReadonlyArray<Round>): Measured => {
  const pick = (name: keyof Measured): number => median(rounds.map((round) => round[name]))
  return {
    perSecond: pick("perSecond"),
    cpuMicros: pick("cpuMicros"),
    p99: pick("p99"),
    firstP50: pick("firstP50")
  }
}

/** A stream counts as ten requests, because it runs the code of its events a hundred times. */
export const warmUpServer = async (
  { client }: LoadBench,
  { program, target }: Server,
  load: Load,
  requests: number
): Promise<void> => {
  const request: ClosedLoad = { ...load, ...target, port: program.hello.port, millis: 500 }
  for (let sent = 0; sent < requests;) {
    const { allAnswers, allEvents } = await client.ask<Achieved>(request)
    sent += allEvents > 0 ? allAnswers * 10 : allAnswers
  }
}

export const compareServers = async (
  bench: LoadBench,
  [base, measured]: readonly [Server, Server],
  load: Load,
  { rounds, seconds, warmUp }: RoundsOptions
): Promise<Comparison> => {
  for (const server of [base, measured]) await warmUpServer(bench, server, load, warmUp)
  const bases: Array<Round> = []
  const others: Array<Round> = []
  for (let round = 0; round < rounds; round++) {
    // Every other round starts with the other one, so that a drift of the machine favors neither.
    const isSwapped = round % 2 === 1
    if (isSwapped) others.push(await runRound(bench, measured, load, seconds))
    bases.push(await runRound(bench, base, load, seconds))
    if (!isSwapped) others.push(await runRound(bench, measured, load, seconds))
  }
  const toRatio = (name: keyof Measured): number =>
    median(others.map((round, index) => round[name] / (bases[index]?.[name] ?? Number.NaN)))
  return {
    base: toMedians(bases),
    measured: toMedians(others),
    throughput: toRatio("perSecond"),
    cpu: toRatio("cpuMicros"),
    loadCpu: Math.max(...[...bases, ...others].map(({ loadCpu }) => loadCpu))
  }
}
