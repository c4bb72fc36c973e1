/** The operations of the contract as functions that return Effects or promises. */
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type { InternChatChunk } from "../../domains/interns/chat/InternChatChunk.ts"
import type { InternChatError } from "../../domains/interns/chat/InternTurn.ts"
import type { ByteRange, VideoContent } from "../../engine/upstreams/VideoReport.ts"
import type { CallerConfig } from "../../tenants/auth/CallerConfig.ts"
import type { Api, EndpointOf, OperationId } from "../Api.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import type { LiveEndpointsResponse } from "../observability/LiveApi.ts"
import type { ResultOf } from "../operation/Handler.ts"

/**
 * Excluded groups: `decide`, `chat`, `messages`, `responses`, `generateImages` and their streamed forms, `embed`, `rerank`, `speak` and `transcribe` replace them, and
 * probes are for load balancers.
 */
export const groupsCalledOtherwise = [
  "chat",
  "decisions",
  "embeddings",
  "images",
  "messages",
  "probes",
  "rerank",
  "responses",
  "speech",
  "transcription"
] as const

type Groups = Omit<(typeof Api)["groups"], (typeof groupsCalledOtherwise)[number]>

/** Every operation as an Effect. */
export type EffectOperations = {
  readonly [Group in keyof Groups]: {
    readonly [Name in keyof Groups[Group]["endpoints"]]: EffectCall<
      Extract<`${Group}.${Extract<Name, string>}`, OperationId>
    >
  }
}

/** Every operation as a promise, which rejects with a `SignalboxError`. */
export type PromiseOperations = {
  readonly [Group in keyof Groups]: {
    readonly [Name in keyof Groups[Group]["endpoints"]]: PromiseCall<
      Extract<`${Group}.${Extract<Name, string>}`, OperationId>
    >
  }
}

type EffectCall<Id extends OperationId> = Id extends keyof StreamedOperations
  ? (
      ...args: ArgumentsOf<Id, StreamedOperations[Id]["options"]>
    ) => Effect.Effect<StreamedOperations[Id]["effect"], ExpectedError, Scope.Scope>
  : (...args: ArgumentsOf<Id>) => Effect.Effect<ResultOf<EndpointOf<Id>>, ExpectedError>

type PromiseCall<Id extends OperationId> = Id extends keyof StreamedOperations
  ? (
      ...args: ArgumentsOf<Id, StreamedOperations[Id]["options"] & SignalOptions>
    ) => StreamedOperations[Id]["promise"]
  : (...args: ArgumentsOf<Id, SignalOptions>) => Promise<ResultOf<EndpointOf<Id>>>

/** Cancels a call from outside: `signalbox.models.list({}, { signal: AbortSignal.timeout(1_000) })`. */
export interface SignalOptions {
  readonly signal?: AbortSignal
}

/** Operations with a streamed result. */
interface StreamedOperations {
  "videos.download": {
    readonly options: DownloadOptions
    readonly effect: VideoContent
    readonly promise: Promise<VideoFile>
  }
  "interns.chat": {
    readonly options: CallerOptions
    readonly effect: Stream.Stream<InternChatChunk, InternChatError>
    readonly promise: AsyncIterable<InternChatChunk>
  }
  "live.watchEndpoints": {
    readonly options: CallerOptions
    readonly effect: Stream.Stream<typeof LiveEndpointsResponse.Type, ExpectedError>
    readonly promise: AsyncIterable<typeof LiveEndpointsResponse.Type>
  }
}

/** The part of a file to read: `signalbox.videos.download({ jobId }, { range: { first: 0, last: 99 } })`. */
export interface DownloadOptions {
  /** Default: the whole file. */
  readonly range?: ByteRange
}

/** A file download. Read `body` to its end or cancel it: it holds a connection, and `close` waits for it. */
export interface VideoFile {
  readonly contentType: string
  /** Bytes in `body`; undefined if the provider does not report it. */
  readonly length: number | undefined
  readonly body: ReadableStream<Uint8Array>
}

/** Fields that choose a representation over HTTP; calls in process have only one. */
export type RepresentationField = "stream" | "use_rss" | "use_rss_chat_links"

type ArgumentsOf<Id extends OperationId, Options = unknown> = CallArguments<
  Omit<CallInput<EndpointOf<Id>>, RepresentationField>,
  CallOptions<EndpointOf<Id>> & Options
>

/** Path parameters, query and body as one object, in the names of the HTTP API. */
type CallInput<Endpoint extends HttpApiEndpoint.ConstraintRequest> = Flatten<
  ParamsOf<Endpoint["~Params"]> & QueryOf<Endpoint["~Query"]> & BodyOf<Endpoint["~Payload"]>
>

type CallOptions<Endpoint extends HttpApiEndpoint.ConstraintRequest> = CallerOptions &
  ("idempotency-key" extends keyof InputOf<Endpoint["~Headers"]> ? IdempotencyOptions : unknown)

/** The caller of an operation in process: `signalbox.keys.list({}, { caller: { user: "ann" } })`. */
export interface CallerOptions {
  /** Default: the application itself, in the default workspace of its own account. */
  readonly caller?: CallerConfig
  /** Mount of the HTTP API, such as `/ai`; paths in results start with it. Default: the root. */
  readonly mount?: string
}

interface IdempotencyOptions {
  /** 1 to 255 characters: calls with the same key and input create one resource. */
  readonly idempotencyKey?: string
}

/** The input is optional if all its fields are. */
type CallArguments<Input, Options> = object extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options]

/** The input of the schema's `make`, where ids have no brands. */
type InputOf<S extends Schema.Constraint> = [S] extends [never] ? unknown : S["~type.make.in"]

/** A parameter that parses text accepts anything in `make`, so that it has the type of what it parses to. */
type ParamsOf<S extends Schema.Constraint> = [S] extends [never]
  ? unknown
  : {
      [Name in keyof S["~type.make.in"]]: unknown extends S["~type.make.in"][Name]
        ? S["Type"][Name & keyof S["Type"]]
        : S["~type.make.in"][Name]
    }

/** A body is JSON, so it has the schema's encoded type. */
type BodyOf<S extends Schema.Constraint> = [S] extends [never]
  ? unknown
  : S extends { readonly schema: infer Inner extends Schema.Constraint }
    ? Inner["Encoded"]
    : never

type QueryOf<S extends Schema.Constraint> = [S] extends [never] ? unknown : S["Type"]

type Flatten<T> = { [Name in keyof T]: T[Name] }
