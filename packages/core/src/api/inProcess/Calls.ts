/** The operations of the contract as functions that return Effects or promises. */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { InternChatChunk } from "../../domains/interns/chat/InternChatChunk.ts"
import type { InternChatError } from "../../domains/interns/chat/InternTurn.ts"
import type { LiveEndpointsResponse } from "../observability/LiveApi.ts"
import type { ByteRange, VideoContent } from "../../engine/upstreams/VideoReport.ts"
import type { Api, EndpointOf, OperationId } from "../Api.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import type { ResultOf } from "../operation/Handler.ts"
import type { CallArguments, CallerOptions, CallInput, CallOptions } from "./CallArguments.ts"

/**
 * Excluded groups: `decide`, `chat`, `messages`, `responses` and their streamed forms, `embed` and `rerank` replace them, and
 * probes are for load balancers.
 */
export const groupsCalledOtherwise = [
  "chat",
  "decisions",
  "embeddings",
  "messages",
  "probes",
  "rerank",
  "responses"
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
