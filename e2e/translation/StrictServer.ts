/** An instance in front of a provider that refuses, in its own words, what it is known to refuse. */
import type { EndpointConfig, Upstream } from "@signalbox/core/upstream"
import { defaultAccountId, GenerationId, type Signalbox as Instance } from "@signalbox/core"
import { type Generation, GenerationStore } from "@signalbox/core/stores"
import { Signalbox } from "@signalbox/node"
import { type ReceivedRequest, sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Json, SpokenAnswer } from "../dialects/NativeAnswer.ts"
import { findProviderDialect, type ProviderDialect } from "../dialects/ProviderDialect.ts"
import { sendNative } from "../dialects/sendNative.ts"
import { speak } from "../dialects/speak.ts"
import { nodeHost, type RunningHost } from "../support/hosts.ts"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { send } from "../support/send.ts"
import { makeTestStores } from "../support/testStores.ts"

const memberKey = "sk-strict-member-51d0"

/** Why a body is refused, in the words of the provider; undefined: it is served. */
export type Refusal = (body: Json, dialect: ProviderDialect) => string | undefined

export interface StrictProvider {
  /** The upstream for the server at `url`. Its slug is the provider of the endpoint. */
  readonly makeUpstream: (url: string) => Upstream
  /** The model's name there. */
  readonly model: string
  readonly endpoint?: Partial<EndpointConfig>
}

export interface StrictServerOptions {
  /** The endpoints of the model `proof/it`, in the order in which they are tried. */
  readonly providers: ReadonlyArray<StrictProvider>
  readonly refuse: Refusal
  /** Default: a short text. */
  readonly answer?: SpokenAnswer
}

export class StrictServer implements AsyncDisposable {
  /** What was received, with what was refused of it. */
  readonly requests: ReadonlyArray<ReceivedRequest>
  readonly #instance: Instance
  readonly #host: RunningHost
  readonly #scope: Scope.Closeable
  readonly #slugs: ReadonlyArray<string>

  private constructor(
    requests: ReadonlyArray<ReceivedRequest>,
    slugs: ReadonlyArray<string>,
    instance: Instance,
    host: RunningHost,
    scope: Scope.Closeable
  ) {
    this.requests = requests
    this.#slugs = slugs
    this.#instance = instance
    this.#host = host
    this.#scope = scope
  }

  static async start({
    answer = { said: [{ text: ["All is calm."] }] },
    providers,
    refuse
  }: StrictServerOptions): Promise<StrictServer> {
    const scope = Scope.makeUnsafe()
    const spoken = speak(answer)
    const { requests, url } = await Effect.runPromise(
      startRecordingServer((request, response) => {
        const dialect = findProviderDialect(request.url?.split("?", 1)[0] ?? "")
        const message = refuse(Object(request.json), dialect)
        if (message === undefined) sendNative(spoken[dialect], request, response)
        else {
          response.statusCode = 400
          sendJson(response, {
            type: "error",
            error: { type: "invalid_request_error", message, code: 400 }
          })
        }
      }).pipe(Scope.provide(scope))
    )
    const upstreams = providers.map(({ makeUpstream }) => makeUpstream(url))
    const slugs = upstreams.map(({ slug }) => slug)
    const instance = await Signalbox.make({
      ...makeTestStores(),
      upstreams,
      models: [
        {
          id: "proof/it",
          endpoints: providers.map(({ endpoint, model }, at) => ({
            price: { prompt: "0", completion: "0" },
            contextLength: 1_000_000,
            ...endpoint,
            provider: slugs[at]!,
            model
          }))
        }
      ],
      keys: [{ key: memberKey, kind: "member", user: "mem-1" }]
    })
    const host = await nodeHost.start(instance, "")
    return new StrictServer(requests, slugs, instance, host, scope)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host.close()
    await this.#instance.close()
    await Effect.runPromise(Scope.close(this.#scope, Exit.void))
  }

  /** The path is an API's path, such as `/messages`. */
  ask(path: string, body: Json, isStreamed: boolean): Promise<HttpResponse> {
    return send(`${this.#host.origin}/api/v1${path}`, {
      body: JSON.stringify({
        model: "proof/it",
        provider: { order: this.#slugs },
        ...body,
        stream: isStreamed
      }),
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${memberKey}`,
        "x-signalbox-metadata": "enabled"
      }
    })
  }

  /** The record of an answer. */
  findRecord({ headers }: HttpResponse): Promise<Generation | undefined> {
    return Effect.runPromise(
      Context.get(this.#instance.context, GenerationStore).find(
        defaultAccountId,
        GenerationId.make(String(headers["x-generation-id"]))
      )
    )
  }

  /** The body of the last request that the provider got. */
  get sent(): Json {
    return Object(this.requests.at(-1)?.json)
  }
}
