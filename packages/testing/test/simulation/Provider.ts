/** A provider of a simulated world: it answers, fails, hangs and breaks off, and bills exactly what it did. */
import {
  type ChatCall,
  type ChatEvent,
  type ChatReply,
  type TokenUsage,
  type Upstream,
  UpstreamFailure
} from "@signalbox/core/upstream"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import { type CredentialUse, readCredential } from "./credentials.ts"
import { Link } from "./Link.ts"
import type { Machine } from "./Machine.ts"
import { VideoStudio } from "./VideoStudio.ts"
import type { Weather } from "./Weather.ts"

/** What a call costs its customer, as the provider counts it. */
export interface Bill {
  /** The id that the answer says. */
  readonly answer: string
  /** What the prompt names, which is the request of a client. */
  readonly request: string
  /** The process that called. */
  readonly process: Machine
  /** Of the customer who pays it; undefined: the host does. */
  readonly credential: string | undefined
  /** In nano-USD. */
  nanoUsd: bigint
  /** Whether the process has received the usage. */
  isDelivered: boolean
}

/** Prices in nano-USD a token, as `price` says them. */
const inputNano = 1_000n
const outputNano = 2_000n

/** The price of every endpoint. */
export const price = { prompt: "0.000001", completion: "0.000002" } as const

/** How often a provider does not answer as it should. */
export interface ProviderMood {
  readonly failureRate: number
  readonly hangRate: number
  readonly cutRate: number
}

export class Provider {
  readonly machine: Machine
  readonly bills: Array<Bill> = []
  /** The requests whose answer was late, lost or cut, so that nobody knows what they cost. */
  readonly unclear = new Set<string>()
  readonly credentialUses: Array<CredentialUse> = []
  readonly studio: VideoStudio
  /** The share of the calls with the credential of a customer that are refused for it. */
  credentialRefusalRate = 0
  mood: ProviderMood = { failureRate: 0, hangRate: 0, cutRate: 0 }
  #answers = 0

  /** `supportsKeys`: two submissions of a video with one idempotency key are one job. */
  constructor(machine: Machine, supportsKeys: boolean) {
    this.machine = machine
    this.studio = new VideoStudio(machine, supportsKeys)
  }

  /** What a process calls, over a connection of its own. */
  connect(client: Machine, weather: Weather): Upstream {
    const link: ProviderLink = new Link(client, this.machine, weather, () =>
      Effect.fail(new UpstreamFailure({ kind: "unreachable", phase: "headers" }))
    )
    return {
      slug: this.machine.name,
      name: this.machine.name,
      videos: this.studio.connect(link, {
        failureRate: () => this.mood.failureRate,
        onCredential: (use) => void this.credentialUses.push(use)
      }),
      chat: {
        complete: (call) => this.#complete(link, call),
        stream: (call) => ({ run: (push) => this.#stream(link, call, push) }),
        estimateWorstCase: (call) => ({
          inputTokens: call.contentBytes,
          outputTokens: call.maxOutputTokens ?? maxOutputTokens
        })
      }
    }
  }

  #complete(link: ProviderLink, call: ChatCall): Effect.Effect<ChatReply, UpstreamFailure> {
    return link
      .call<Answer, UpstreamFailure>("chat", {
        isAbandoned: true,
        run: (onExit) =>
          this.#decide(call, onExit, () => onExit(Exit.succeed(this.#answer(link.client, call))))
      })
      .pipe(
        this.#watch(call),
        Effect.map(({ bill, usage }) => {
          bill.isDelivered = true
          return {
            usage,
            choices: [
              {
                index: 0,
                answer: { parts: [{ type: "text", text: bill.answer }], end: { reason: "stop" } }
              }
            ]
          }
        })
      )
  }

  /** Each piece is a message of its own. */
  readonly #stream = Effect.fnUntraced(function* (
    this: Provider,
    link: ProviderLink,
    call: ChatCall,
    push: (events: ReadonlyArray<ChatEvent>) => Effect.Effect<void>
  ): Effect.fn.Return<void, UpstreamFailure> {
    const { chance } = this.machine
    const opened = yield* link
      .call<Answer, UpstreamFailure>("stream", {
        isAbandoned: true,
        run: (onExit) =>
          this.#decide(call, onExit, () => onExit(Exit.succeed(this.#answer(link.client, call))))
      })
      .pipe(this.#watch(call))
    const { bill, usage } = opened
    const pieces = chance.between(1, 4)
    const cutAt = chance.happens(this.mood.cutRate) ? chance.between(0, pieces) : undefined
    for (let piece = 0; piece <= pieces; piece++) {
      if (piece === cutAt) {
        this.unclear.add(bill.request)
        return
      }
      const event = yield* link
        .call<ChatEvent, UpstreamFailure>("event", {
          run: (onExit) =>
            this.machine.schedule(chance.between(1, 300), "event", () =>
              onExit(
                Exit.succeed(
                  piece === pieces
                    ? { type: "end", usage }
                    : {
                        type: "delta",
                        choices: [
                          {
                            index: 0,
                            events: [
                              { type: "text", text: piece === 0 ? bill.answer : ` ${piece}` }
                            ],
                            ...(piece === pieces - 1 ? { end: { reason: "stop" } } : undefined)
                          }
                        ]
                      }
                )
              )
            )
        })
        .pipe(this.#watch(call))
      if (event.type === "end") bill.isDelivered = true
      yield* push([event])
    }
  })

  /** An answer that does not come, or comes too late, leaves it unclear what the call costs. */
  #watch(call: ChatCall) {
    return <A>(answer: Effect.Effect<A, UpstreamFailure>): Effect.Effect<A, UpstreamFailure> =>
      Effect.onExit(answer, (exit) =>
        Effect.sync(() => {
          const isRefused =
            Exit.isFailure(exit) &&
            exit.cause.reasons.some(
              (reason) => Cause.isFailReason(reason) && reason.error.status !== undefined
            )
          if (Exit.isFailure(exit) && !isRefused) this.unclear.add(findRequest(call))
        })
      )
  }

  /** Answers, or does not. Returns what stops it. */
  #decide(
    call: ChatCall,
    onExit: (exit: Exit.Exit<never, UpstreamFailure>) => void,
    answer: () => void
  ): () => void {
    const { chance } = this.machine
    const { failureRate, hangRate } = this.mood
    const credential = readCredential(call)
    const refuse = (failure: UpstreamFailure): (() => void) =>
      this.machine.schedule(chance.between(1, 200), "refusal", () => onExit(Exit.fail(failure)))
    if (credential !== undefined) {
      this.credentialUses.push({ request: findRequest(call), credential })
      if (chance.happens(this.credentialRefusalRate)) {
        return refuse(new UpstreamFailure({ kind: "credential_refused", status: 401 }))
      }
    }
    if (chance.happens(hangRate)) return constVoid
    if (chance.happens(failureRate)) {
      return refuse(
        chance.pick([
          new UpstreamFailure({ kind: "server_error", status: 500 }),
          new UpstreamFailure({ kind: "rate_limited", status: 429, retryAfterMillis: 1_000 }),
          new UpstreamFailure({ kind: "overloaded", status: 503 })
        ])
      )
    }
    const millis = chance.happens(0.1) ? chance.between(1_000, 8_000) : chance.between(20, 600)
    const cancel = this.machine.schedule(millis, "answer", answer)
    // Half of the providers notice that a caller has left.
    return chance.happens(0.5) ? cancel : constVoid
  }

  #answer(process: Machine, call: ChatCall): Answer {
    const { chance, name } = this.machine
    const usage: TokenUsage = {
      inputTokens: chance.between(1, call.contentBytes),
      outputTokens: chance.between(1, call.maxOutputTokens ?? maxOutputTokens)
    }
    const bill: Bill = {
      answer: `${name}-${++this.#answers}`,
      request: findRequest(call),
      process,
      credential: readCredential(call),
      nanoUsd: BigInt(usage.inputTokens) * inputNano + BigInt(usage.outputTokens) * outputNano,
      isDelivered: false
    }
    this.bills.push(bill)
    return { bill, usage }
  }
}

const findRequest = ({ native }: ChatCall): string =>
  /\br\d+\b/.exec(JSON.stringify(native.body["messages"]))?.[0] ?? ""

type ProviderLink = Link<UpstreamFailure>

interface Answer {
  readonly bill: Bill
  readonly usage: TokenUsage
}

/** The longest answer of a request that states none. */
const maxOutputTokens = 100
