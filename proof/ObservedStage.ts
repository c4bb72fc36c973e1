/** Where a case of records, accounts and workspaces plays: a box with one provider, in a host. */
import type { Options, Signalbox as Box } from "@signalbox/core"
import type { ChatEvent, DecisionCall, Upstream } from "@signalbox/core/upstream"
import { UpstreamFailure } from "@signalbox/core"
import { Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Host, nodeHost, type RunningHost } from "./hosts.ts"
import { send } from "./send.ts"
import { film, studio } from "./studio.ts"
import { storesOfProofs, withWorkspace } from "./storesOfProofs.ts"

export const observedKeys = {
  member: "sk-proof-member-4b11fe",
  management: "sk-proof-management-90dc3a",
  /** Of the same account, in another workspace. */
  elsewhere: "sk-proof-elsewhere-77e0b2",
  /** A management key of another account. */
  foreign: "sk-proof-foreign-21aa6c"
} as const
type Key = keyof typeof observedKeys

export const elsewhere = "11111111-1111-4111-8111-111111111111"

interface Scene extends Pick<
  Options,
  | "broadcast"
  | "credentials"
  | "credits"
  | "ioLog"
  | "keys"
  | "log"
  | "sealing"
  | "settings"
  | "telemetry"
  | "workspaceDefaults"
> {
  readonly host?: Host
}

/** A good request; a state of `fail` is one the provider fails at. */
export const asked = (changes: Readonly<Record<string, unknown>> = {}) => ({
  model: "proof/model",
  state: "I was charged twice!",
  questions: { urgent: { type: "noul", instructions: "Is it urgent?" } },
  ...changes
})

export class ObservedStage implements AsyncDisposable {
  readonly box: Box
  /** Of the host, with the mount. */
  readonly root: string
  /** What the provider was asked. */
  readonly calls: ReadonlyArray<DecisionCall>

  readonly #host: RunningHost

  private constructor(box: Box, host: RunningHost, root: string, calls: Array<DecisionCall>) {
    this.box = box
    this.root = root
    this.calls = calls
    this.#host = host
  }

  static async open({
    host = nodeHost,
    keys = [],
    ...options
  }: Scene = {}): Promise<ObservedStage> {
    const calls: Array<DecisionCall> = []
    const box = await Signalbox.make({
      ...withWorkspace(elsewhere, storesOfProofs()),
      upstreams: [providerOf(calls), studio],
      models: [
        {
          id: "proof/model",
          endpoints: [
            {
              provider: "first",
              price: { prompt: "2e-6", completion: "3e-6" },
              contextLength: 1_000_000
            }
          ]
        },
        film
      ],
      keys: [
        { key: observedKeys.member, kind: "member", user: "mem-1" },
        { key: observedKeys.management, kind: "management" },
        { key: observedKeys.elsewhere, kind: "member", user: "mem-2", workspace: elsewhere },
        { key: observedKeys.foreign, kind: "management", account: "foreign" },
        ...keys
      ],
      ...options
    })
    const mount = "/behind/ai"
    const running = await host.start(box, mount)
    return new ObservedStage(box, running, running.origin + mount, calls)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host.close()
    await this.box.close()
  }

  /** Asks for `path`, which is below the root of the API. */
  ask(path: string, key: Key, method = "GET", body?: unknown) {
    return send(`${this.root}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${observedKeys[key]}`,
        ...(body === undefined ? undefined : { "content-type": "application/json" })
      },
      body: body === undefined ? undefined : JSON.stringify(body)
    })
  }

  decide(changes?: Readonly<Record<string, unknown>>, key: Key = "member") {
    return send(`${this.root}/api/alpha/decisions`, {
      headers: {
        authorization: `Bearer ${observedKeys[key]}`,
        "content-type": "application/json"
      },
      body: JSON.stringify(asked(changes))
    })
  }
}

const providerOf = (calls: Array<DecisionCall>): Upstream => ({
  slug: "first",
  name: "First",
  decisions: {
    decide: (call) => {
      calls.push(call)
      return call.state === "fail"
        ? Effect.fail(new UpstreamFailure({ kind: "server_error", status: 503 }))
        : Effect.succeed({
            verdicts: new Map(Object.keys(call.questions).map((key) => [key, { weights: [3, 1] }])),
            usage: { inputTokens: 10, outputTokens: 2 },
            method: "native",
            model: "proof/model-2030-01-01"
          })
    },
    worstCase: () => ({ inputTokens: 100, outputTokens: 10 })
  },
  chat: {
    complete: () =>
      Effect.succeed({
        choices: [
          { index: 0, message: { role: "assistant", content: "It is." }, finishReason: "stop" }
        ],
        usage: { inputTokens: 10, outputTokens: 2 }
      }),
    stream: () =>
      Stream.fromIterable<ChatEvent>([
        ...Array.from({ length: 100 }, (_, i) => ({
          type: "delta" as const,
          choices: [
            { index: 0, delta: { content: `${i} ` }, finishReason: i === 99 ? "stop" : null }
          ]
        })),
        { type: "end", usage: { inputTokens: 10, outputTokens: 100 } }
      ]),
    worstCase: () => ({ inputTokens: 100, outputTokens: 10 })
  }
})
