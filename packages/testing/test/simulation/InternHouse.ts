/** Where the interns of a simulated world live: it makes, stops and removes them, fails and hangs at times. */
import type { InternChatError } from "@signalbox/core/adapter"
import {
  type HostedIntern,
  type InternAnswer,
  type InternHost,
  InternHostFailure,
  type InternTurn
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Link } from "./Link.ts"
import type { Machine } from "./Machine.ts"
import type { Weather } from "./Weather.ts"

export class InternHouse {
  readonly machine: Machine
  /** What was done with an intern while something else was still done with it. */
  readonly overlaps: Array<string> = []
  /** How many calls of a model each turn has begun, by the request that its prompt names. */
  readonly modelCalls = new Map<string, number>()
  failureRate = 0
  hangRate = 0
  /** By the id of an intern. */
  readonly #running = new Map<string, Work>()

  constructor(machine: Machine) {
    this.machine = machine
  }

  /** What a process calls, over a connection of its own. */
  connect(client: Machine, weather: Weather): InternHost {
    const link: HouseLink = new Link(client, this.machine, weather, () =>
      Effect.fail(new InternHostFailure({ problem: "the house does not answer" }))
    )
    const work = (what: string) => (intern: HostedIntern) => this.#work(link, what, intern)
    return {
      slug: "house",
      prepare: work("prepare"),
      steps: [
        { label: "Making the bed", run: work("make the bed"), undo: work("fold the bed") },
        { label: "Waking up", run: work("wake up"), undo: work("put to sleep") }
      ],
      suspend: work("suspend"),
      destroy: work("destroy"),
      chat: (intern, turn) => this.#chat(intern, turn)
    }
  }

  #work(
    link: HouseLink,
    what: string,
    { id }: HostedIntern
  ): Effect.Effect<void, InternHostFailure> {
    const { chance } = this.machine
    return link.call<void, InternHostFailure>(what, {
      isAbandoned: true,
      run: (onExit) => {
        const other = this.#running.get(id)
        // A process that stands still cannot end what it has begun, and its claim expires.
        if (other !== undefined && other.process.pausedUntil <= this.machine.timeline.now) {
          this.overlaps.push(`${id}: ${what} during ${other.what}`)
        }
        this.#running.set(id, { what, process: link.client })
        const leave = (): void => void this.#running.delete(id)
        if (chance.happens(this.hangRate)) return leave
        const fails = chance.happens(this.failureRate)
        const cancel = this.machine.schedule(chance.between(20, 2_000), what, () => {
          leave()
          onExit(fails ? Exit.fail(new InternHostFailure({ problem: "it failed" })) : Exit.void)
        })
        return () => {
          leave()
          cancel()
        }
      }
    })
  }

  /** An intern thinks once or twice before it has answered. */
  readonly #chat = Effect.fnUntraced(function* (
    this: InternHouse,
    { id, model }: HostedIntern,
    { callModel, prompt, session = id }: InternTurn
  ): Effect.fn.Return<InternAnswer, InternChatError, Scope.Scope> {
    const request = /\br\d+\b/.exec(prompt.text)?.[0] ?? ""
    const think = Effect.suspend(() => {
      this.modelCalls.set(request, (this.modelCalls.get(request) ?? 0) + 1)
      return callModel({
        model: model ?? "sim/chat",
        max_tokens: 100,
        messages: [{ role: "user", content: prompt.text }],
        session_id: session,
        stream: true
      })
    })
    const first = yield* think
    const second = this.machine.chance.happens(0.3)
      ? Stream.unwrap(Effect.map(think, toDeltas))
      : Stream.empty
    return {
      type: "stream",
      session,
      id: first.id,
      events: toDeltas(first).pipe(
        Stream.concat(second),
        Stream.concat(Stream.succeed({ type: "end" as const }))
      )
    }
  })
}

/** What is done with an intern, and by which process. */
interface Work {
  readonly what: string
  readonly process: Machine
}

type HouseLink = Link<InternHostFailure>
type Thought = Effect.Success<ReturnType<InternTurn["callModel"]>>

const toDeltas = ({ chunks }: Thought) =>
  Stream.map(chunks, ({ choices }) => {
    const content = choices[0]?.delta["content"]
    return {
      type: "delta" as const,
      ...(typeof content === "string" ? { content } : undefined)
    }
  })
