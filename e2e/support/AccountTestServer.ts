/** A test server for records, accounts and workspaces: an instance with one provider, in a host. */
import type { Options, Signalbox as Instance } from "@signalbox/core"
import type { ChatEvent, DecisionCall, Upstream } from "@signalbox/core/upstream"
import { UpstreamFailure } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Host, nodeHost, type RunningHost } from "./hosts.ts"
import { send } from "./send.ts"
import { fakeMediaProvider, mediaModels } from "./fakeMediaProvider.ts"
import { fakeVectorProvider, vectorModel } from "./fakeVectorProvider.ts"
import { videoModel, fakeVideoProvider } from "./fakeVideoProvider.ts"
import { makeTestStores, withWorkspace } from "./testStores.ts"

export const accountKeys = {
  member: "sk-proof-member-4b11fe",
  management: "sk-proof-management-90dc3a",
  /** A key of another workspace of the same account. */
  otherWorkspace: "sk-proof-elsewhere-77e0b2",
  /** A management key of another account. */
  foreign: "sk-proof-foreign-21aa6c"
} as const
type Key = keyof typeof accountKeys

export const otherWorkspaceId = "11111111-1111-4111-8111-111111111111"

interface AccountTestServerOptions extends Pick<
  Options,
  | "authenticate"
  | "broadcast"
  | "bundles"
  | "credentials"
  | "credits"
  | "ioLog"
  | "keys"
  | "log"
  | "sealing"
  | "settings"
  | "stores"
  | "telemetry"
  | "workspaceDefaults"
> {
  readonly host?: Host
}

/** A valid request; the provider fails for the state `fail`. */
export const makeDecisionRequest = (changes: Readonly<Record<string, unknown>> = {}) => ({
  model: "proof/model",
  state: "I was charged twice!",
  questions: { urgent: { type: "noul", instructions: "Is it urgent?" } },
  ...changes
})

export class AccountTestServer implements AsyncDisposable {
  readonly instance: Instance
  /** The URL of the host, including the mount. */
  readonly root: string
  /** The calls to the provider. */
  readonly calls: ReadonlyArray<DecisionCall>

  readonly #host: RunningHost

  private constructor(
    instance: Instance,
    host: RunningHost,
    root: string,
    calls: Array<DecisionCall>
  ) {
    this.instance = instance
    this.root = root
    this.calls = calls
    this.#host = host
  }

  static async start({
    bundles = { plain: {} },
    host = nodeHost,
    keys = [],
    stores,
    ...options
  }: AccountTestServerOptions = {}): Promise<AccountTestServer> {
    const calls: Array<DecisionCall> = []
    const instance = await Signalbox.make({
      bundles,
      pkce: { callbackUrls: [] },
      organization: () => ({ members: [], total: 0 }),
      // Rules are kept, and nothing is told in the background.
      alerts: { thresholds: [], providerDown: false },
      ...withWorkspace(otherWorkspaceId, stores === undefined ? makeTestStores() : { stores }),
      upstreams: [
        makeRecordingProvider(calls),
        fakeVideoProvider,
        fakeVectorProvider,
        fakeMediaProvider
      ],
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
        videoModel,
        vectorModel,
        ...mediaModels
      ],
      keys: [
        { key: accountKeys.member, kind: "member", user: "mem-1" },
        { key: accountKeys.management, kind: "management" },
        {
          key: accountKeys.otherWorkspace,
          kind: "member",
          user: "mem-2",
          workspace: otherWorkspaceId
        },
        { key: accountKeys.foreign, kind: "management", account: "foreign" },
        ...keys
      ],
      ...options
    })
    const mount = "/behind/ai"
    const running = await host.start(instance, mount)
    return new AccountTestServer(instance, running, running.origin + mount, calls)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host.close()
    await this.instance.close()
  }

  /** Requests `path`, relative to the root of the API. */
  ask(path: string, key: Key, method = "GET", body?: unknown) {
    return send(`${this.root}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${accountKeys[key]}`,
        ...(body === undefined ? undefined : { "content-type": "application/json" })
      },
      body: body === undefined ? undefined : JSON.stringify(body)
    })
  }

  decide(changes?: Readonly<Record<string, unknown>>, key: Key = "member") {
    return send(`${this.root}/api/alpha/decisions`, {
      headers: {
        authorization: `Bearer ${accountKeys[key]}`,
        "content-type": "application/json"
      },
      body: JSON.stringify(makeDecisionRequest(changes))
    })
  }
}

const makeRecordingProvider = (calls: Array<DecisionCall>): Upstream => ({
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
    estimateWorstCase: () => ({ inputTokens: 100, outputTokens: 10 })
  },
  chat: {
    complete: () =>
      Effect.succeed({
        choices: [
          {
            index: 0,
            answer: { parts: [{ type: "text", text: "It is." }], end: { reason: "stop" } }
          }
        ],
        usage: { inputTokens: 10, outputTokens: 2 }
      }),
    stream: () =>
      Stream.fromIterable<ChatEvent>([
        ...Array.from({ length: 100 }, (_, i) => ({
          type: "delta" as const,
          choices: [
            {
              index: 0,
              events: [{ type: "text" as const, text: `${i} ` }],
              ...(i === 99 ? { end: { reason: "stop" } } : undefined)
            }
          ]
        })),
        { type: "end", usage: { inputTokens: 10, outputTokens: 100 } }
      ]),
    estimateWorstCase: () => ({ inputTokens: 100, outputTokens: 10 })
  }
})
