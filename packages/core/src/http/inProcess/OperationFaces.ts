/** The operations of the contract as functions: with Effects for Effect hosts, with promises for all others. */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { InternChatChunk } from "../../interns/chat/InternChatChunk.ts"
import type { InternChatError } from "../../interns/chat/InternTurn.ts"
import type { ByteRange, VideoContent } from "../../upstreams/VideoContent.ts"
import type { ExpectedError } from "../errors/toErrorResponse.ts"
import type { OperationId } from "../contractOperations.ts"
import type { OperationResult } from "../operation/OperationInput.ts"
import type { CallArguments, CallerOptions, CallInput, CallOptions } from "./OperationCall.ts"
import type { EndpointOf, OperationNames } from "./operationNames.ts"

/** Every operation as an Effect. */
export type EffectOperations = {
  readonly [Group in keyof OperationNames]: {
    readonly [Name in keyof OperationNames[Group]]: OperationNames[Group][Name] extends infer Id
      ? Id extends keyof StreamedOperations
        ? (
            ...args: ArgumentsOf<Id, StreamedOperations[Id]["options"]>
          ) => Effect.Effect<StreamedOperations[Id]["effect"], ExpectedError, Scope.Scope>
        : Id extends OperationId
          ? (
              ...args: ArgumentsOf<Id>
            ) => Effect.Effect<OperationResult<EndpointOf<Id>>, ExpectedError>
          : never
      : never
  }
}

/** Every operation as a promise, which rejects with a `SignalboxError`. */
export type PromiseOperations = {
  readonly [Group in keyof OperationNames]: {
    readonly [Name in keyof OperationNames[Group]]: OperationNames[Group][Name] extends infer Id
      ? Id extends keyof StreamedOperations
        ? (
            ...args: ArgumentsOf<Id, StreamedOperations[Id]["options"] & SignalOptions>
          ) => StreamedOperations[Id]["promise"]
        : Id extends OperationId
          ? (...args: ArgumentsOf<Id, SignalOptions>) => Promise<OperationResult<EndpointOf<Id>>>
          : never
      : never
  }
}

/** What ends a call from outside: `signalbox.models.list({}, { signal: AbortSignal.timeout(1_000) })`. */
export interface SignalOptions {
  readonly signal?: AbortSignal
}

/** Operations whose result comes piece by piece. */
interface StreamedOperations {
  "videos.content": {
    readonly options: DownloadOptions
    readonly effect: VideoContent
    readonly promise: Promise<VideoFile>
  }
  "internChats.chat": {
    readonly options: CallerOptions
    readonly effect: Stream.Stream<InternChatChunk, InternChatError>
    readonly promise: AsyncIterable<InternChatChunk>
  }
}

/** Which part of a file to read: `signalbox.videos.download({ jobId }, { range: { first: 0, last: 99 } })`. */
export interface DownloadOptions {
  /** Default: the whole file. */
  readonly range?: ByteRange
}

/** A file while it is downloaded. Read it to its end or cancel it: it holds a connection, and `close` waits for it. */
export interface VideoFile {
  readonly contentType: string
  /** Bytes in `body`; undefined when the provider does not say. */
  readonly length: number | undefined
  readonly body: ReadableStream<Uint8Array>
}

/** Fields that choose between representations over HTTP; a call in process has one. */
export type RepresentationField = "stream" | "use_rss" | "use_rss_chat_links"

type ArgumentsOf<Id extends OperationId, Options = unknown> = CallArguments<
  Omit<CallInput<EndpointOf<Id>>, RepresentationField>,
  CallOptions<EndpointOf<Id>> & Options
>
