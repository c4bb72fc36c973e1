/** A simulated world: processes, a database, providers and callers, and one seed that decides everything. */
import { LedgerStore, memoryStores, type Stores } from "@signalbox/core/stores"
import { setImmediate } from "node:timers/promises"
import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Chance } from "./Chance.ts"
import { Client } from "./Client.ts"
import { type FurtherOptions, makeOptions } from "./commonOptions.ts"
import { Database } from "./Database.ts"
import { InternHouse } from "./InternHouse.ts"
import { LedgerBook } from "./LedgerBook.ts"
import type { Link } from "./Link.ts"
import { Machine } from "./Machine.ts"
import type { PlantedFault } from "./faults/PlantedFault.ts"
import { type RunningProcess, startProcess } from "./Process.ts"
import { Provider } from "./Provider.ts"
import { Receivers } from "./Receivers.ts"
import { queueRecords } from "./queueRecords.ts"
import { connect, makeRemoteStores } from "./remoteStores.ts"
import { Timeline } from "./Timeline.ts"
import { Trace } from "./Trace.ts"
import { Weather } from "./Weather.ts"

export interface WorldOptions {
  readonly seed: number
  /** The stores of the database; default: those in memory. */
  readonly stores?: Layer.Layer<Stores>
  /** What its instances are made with besides what those of all worlds are. */
  readonly further?: ReadonlyArray<FurtherOptions>
  /** A fault that is put into the world on purpose. */
  readonly fault?: PlantedFault
  /** How many of the last events are kept as text; default: none. */
  readonly traceLines?: number
}

/** A place for a process, which starts again after it has been killed. */
export interface Slot {
  readonly name: string
  machine: Machine
  /** To the database. */
  link: Link
  readonly providerWeather: Weather
  running: RunningProcess | undefined
  /** What its system clock is wrong by when nothing has set it, in milliseconds. */
  readonly clockOffset: number
}

export class World {
  readonly seed: number
  readonly chance: Chance
  readonly timeline: Timeline
  readonly trace: Trace
  readonly database: Database
  readonly stores: Context.Context<Stores>
  readonly book = new LedgerBook()
  readonly providers: ReadonlyArray<Provider>
  readonly client: Client
  readonly receivers: Receivers
  readonly house: InternHouse
  /** Chooses what is asked, and what breaks. */
  readonly director: Machine
  readonly slots: Array<Slot> = []
  /** Those of the first slots. */
  clockOffsets: ReadonlyArray<number> = []
  /** Whether a clock was set in the middle of a process. */
  hasClockJumped = false
  /** Processes that were killed. */
  readonly killed = new Set<Machine>()
  /** Processes that could not start. */
  readonly failures: Array<Cause.Cause<unknown>> = []
  readonly #options: ReturnType<typeof makeOptions>
  readonly #fault: PlantedFault | undefined
  readonly #remote: Context.Context<Stores>

  private constructor(
    { fault, further = [], seed }: WorldOptions,
    built: Context.Context<Stores>,
    parts: Parts
  ) {
    this.seed = seed
    this.#fault = fault
    this.#options = makeOptions(further)
    this.chance = parts.chance
    this.timeline = parts.timeline
    this.trace = parts.trace
    const { chance, timeline } = this
    this.stores = fault?.database?.(built) ?? built
    this.#remote = Context.add(
      this.stores,
      LedgerStore,
      this.book.watch(Context.get(this.stores, LedgerStore))
    )
    this.database = new Database(parts.server, parts.server.services)
    this.director = new Machine("director", timeline, chance)
    this.client = new Client(new Machine("client", timeline, chance))
    this.receivers = new Receivers(new Machine("receivers", timeline, chance))
    this.house = new InternHouse(new Machine("house", timeline, chance))
    this.providers = [
      new Provider(new Machine("acme", timeline, chance), true),
      new Provider(new Machine("globex", timeline, chance), false)
    ]
  }

  /** Builds the database; no process runs yet. */
  static async make(options: WorldOptions): Promise<World> {
    const chance = new Chance(options.seed)
    const trace = new Trace(options.traceLines ?? 0)
    const timeline = new Timeline(chance, trace)
    const server = new Machine("database", timeline, chance)
    const built = await runOn(
      server,
      Layer.buildWithScope(options.stores ?? memoryStores, Scope.makeUnsafe())
    )
    return new World(options, built, { chance, trace, timeline, server })
  }

  /** Runs an effect on the database, while time passes. */
  query<A>(effect: Effect.Effect<A>): Promise<A> {
    return runOn(this.database.machine, effect)
  }

  addSlot(name: string): Slot {
    const machine = new Machine(name, this.timeline, this.chance)
    const clockOffset = this.clockOffsets[this.slots.length] ?? 0
    machine.clockError = clockOffset
    const slot: Slot = {
      name,
      machine,
      link: connect(machine, this.database, new Weather(this.chance)),
      providerWeather: new Weather(this.chance),
      running: undefined,
      clockOffset
    }
    this.slots.push(slot)
    this.#start(slot)
    return slot
  }

  /** Ends a process as `kill -9` does, and starts another one in its place. */
  kill(slot: Slot, downMillis: number): void {
    if (slot.machine.isOver) return
    slot.running = undefined
    this.killed.add(slot.machine)
    slot.machine.end()
    this.director.schedule(downMillis, `starts ${slot.name}`, () => this.restart(slot))
  }

  restart(slot: Slot): void {
    if (!slot.machine.isOver) return
    const { clockError } = slot.machine
    const { weather } = slot.link
    slot.machine = new Machine(slot.name, this.timeline, this.chance)
    slot.machine.clockError = clockError
    slot.link = connect(slot.machine, this.database, weather)
    this.#start(slot)
  }

  #start(slot: Slot): void {
    const { link, machine, providerWeather } = slot
    const remote = queueRecords(machine, makeRemoteStores(this.#remote, this.database, link))
    const stores = this.#fault?.process?.(remote) ?? remote
    startProcess(
      machine,
      stores,
      this.receivers.connect(machine, providerWeather),
      {
        ...this.#options,
        interns: { host: this.house.connect(machine, providerWeather) },
        upstreams: this.providers.map((provider) => {
          const upstream = provider.connect(machine, providerWeather)
          return this.#fault?.upstream?.(upstream) ?? upstream
        })
      },
      (exit) => {
        if (Exit.isSuccess(exit)) {
          const { fetch } = exit.value
          slot.running = { ...exit.value, fetch: this.#fault?.fetch?.(fetch) ?? fetch }
        } else {
          // As a supervisor does.
          this.failures.push(exit.cause)
          slot.running = undefined
          machine.end()
          this.director.schedule(500, `starts ${slot.name}`, () => this.restart(slot))
        }
      }
    )
  }
}

const runOn = async <A>(machine: Machine, effect: Effect.Effect<A>): Promise<A> => {
  const { timeline } = machine
  const fiber = Effect.runForkWith(machine.services)(effect)
  for (;;) {
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) return Effect.runSync(exit)
    await timeline.runUntil(timeline.now + 1)
    // What is loaded on demand is loaded in real time.
    await setImmediate()
  }
}

interface Parts {
  readonly chance: Chance
  readonly trace: Trace
  readonly timeline: Timeline
  readonly server: Machine
}
