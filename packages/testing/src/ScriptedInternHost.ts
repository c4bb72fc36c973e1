/** An intern host that succeeds and fails by script, and records its calls. */
import type { InternId } from "@signalbox/core/stores"
import type { InternChatError } from "@signalbox/core/adapter"
import {
  type HostedIntern,
  type InternAnswer,
  InternChatFailure,
  type InternChatReason,
  type InternChatUsage,
  type InternHost,
  InternHostFailure,
  type InternTurn
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"

/** `undo 0` undoes `step 0`. */
export type InternCall =
  | "prepare"
  | `step ${number}`
  | `undo ${number}`
  | "suspend"
  | "archive"
  | "destroy"

/** The outcome of a call. The value of a success is the result of the step. */
export type InternCallOutcome = Effect.Effect<string | void, InternHostFailure>

export interface HostCall {
  readonly call: InternCall
  readonly intern: HostedIntern
}

/** The outcome of a turn. */
export type InternTurnOutcome = (
  requested: HostTurn
) => Effect.Effect<InternAnswer, InternChatError, Scope.Scope>

export interface HostTurn {
  readonly intern: HostedIntern
  readonly turn: InternTurn
}

export interface ScriptedInternHostOptions {
  /** The labels of its steps; default: `Creating` and `Booting`. */
  readonly steps?: readonly [string, ...ReadonlyArray<string>]
  /** The steps that cannot be undone; default: none. */
  readonly lasting?: ReadonlyArray<number>
  /** Default: true. */
  readonly prepares?: boolean
  /** Default: true. */
  readonly archives?: boolean
  readonly needsSlackInstall?: boolean
  /** Default: true. */
  readonly canChat?: boolean
  /** Whether the router serves the hostnames of its interns; default: false. */
  readonly isServed?: boolean
  /** Hostnames of interns are `<name>.<domain>`; default: `interns.test`. */
  readonly domain?: string
}

/** The failure of a call, which is retried unless `isFinal`. */
export const makeHostFailure = (problem: string, isFinal = false): InternCallOutcome =>
  Effect.fail(new InternHostFailure({ problem, isFinal }))

/** An answer that streams these pieces. */
export const makeReply =
  (pieces: ReadonlyArray<string>, usage?: InternChatUsage): InternTurnOutcome =>
  ({ turn: { session = "session-of-the-host" } }) =>
    Effect.succeed({
      type: "stream",
      session,
      events: Stream.concat(
        Stream.fromIterable(pieces.map((content) => ({ type: "delta" as const, content }))),
        Stream.succeed({
          type: "end" as const,
          ...(usage === undefined ? undefined : { usage })
        })
      )
    })

/** A turn that fails for a reason of the API. */
export const makeTurnFailure =
  (reason: InternChatReason, problem: string, retryAfterMillis?: number): InternTurnOutcome =>
  () =>
    Effect.fail(
      new InternChatFailure({
        reason,
        problem,
        ...(retryAfterMillis === undefined ? undefined : { retryAfterMillis })
      })
    )

export class ScriptedInternHost {
  /** All calls, in the order of their start. */
  readonly calls: Array<HostCall> = []
  /** The highest number of concurrent calls about one intern. */
  maxConcurrent = 0
  /** All turns, in the order of their start. */
  readonly turns: Array<HostTurn> = []
  readonly host: InternHost
  readonly #turnFates: Array<InternTurnOutcome> = []
  readonly #fates = new Map<InternCall, Array<InternCallOutcome>>()
  readonly #running = new Map<InternId, number>()

  constructor({
    archives = true,
    domain = "interns.test",
    isServed = false,
    lasting = [],
    needsSlackInstall = false,
    prepares = true,
    steps: [first, ...rest] = ["Creating", "Booting"],
    canChat = true
  }: ScriptedInternHostOptions = {}) {
    const stepOf = (label: string, index: number) => ({
      label,
      run: this.#answering(`step ${index}`),
      ...(lasting.includes(index) ? undefined : { undo: this.#doing(`undo ${index}`) })
    })
    this.host = {
      slug: "scripted",
      needsSlackInstall,
      ...(prepares ? { prepare: this.#doing("prepare") } : undefined),
      steps: [stepOf(first, 0), ...rest.map((label, index) => stepOf(label, index + 1))],
      toHostname: ({ name }) => `${name}.${domain}`,
      ...(isServed ? { domain } : undefined),
      ...(canChat ? { chat: this.#chatting } : undefined),
      suspend: this.#doing("suspend"),
      ...(archives ? { archive: this.#doing("archive") } : undefined),
      destroy: this.#doing("destroy")
    }
  }

  /** Sets the outcomes of the next calls of this kind. Later calls succeed. */
  script(call: InternCall, ...fates: ReadonlyArray<InternCallOutcome>): void {
    this.#fates.set(call, [...(this.#fates.get(call) ?? []), ...fates])
  }

  /** Sets the outcomes of the next turns. Later turns repeat their prompt. */
  scriptTurns(...fates: ReadonlyArray<InternTurnOutcome>): void {
    this.#turnFates.push(...fates)
  }

  /** The calls about one intern, or about all. */
  listCalls(id?: string): ReadonlyArray<InternCall> {
    return this.calls
      .filter(({ intern }) => id === undefined || intern.id === id)
      .map(({ call }) => call)
  }

  /** The number of runs that made this call about one intern. */
  countRuns(id: string, call: InternCall): number {
    const runs = this.calls.filter((each) => each.intern.id === id && each.call === call)
    return new Set(runs.map(({ intern }) => intern.run)).size
  }

  readonly #chatting: NonNullable<InternHost["chat"]> = (intern, turn) =>
    Effect.suspend(() => {
      const asked = { intern, turn }
      this.turns.push(asked)
      const fate = this.#turnFates.shift() ?? makeReply([turn.prompt.text])
      return fate(asked)
    })

  readonly #doing =
    (call: InternCall) =>
    (intern: HostedIntern): Effect.Effect<void, InternHostFailure> =>
      Effect.asVoid(this.#answering(call)(intern))

  readonly #answering =
    (call: InternCall) =>
    (intern: HostedIntern): Effect.Effect<string | undefined, InternHostFailure> =>
      Effect.suspend(() => {
        const { id } = intern
        this.calls.push({ call, intern })
        const running = (this.#running.get(id) ?? 0) + 1
        this.#running.set(id, running)
        this.maxConcurrent = Math.max(this.maxConcurrent, running)
        const fate = this.#fates.get(call)?.shift() ?? Effect.void
        return Effect.ensuring(
          Effect.map(fate, (note) => note ?? undefined),
          Effect.sync(() => void this.#running.set(id, (this.#running.get(id) ?? 1) - 1))
        )
      })
}
